import { segments } from '../facts/fact.ts';
import type { Report } from './report.ts';

/** How often products are added to wishlists and removed, and how often they are ordered afterwards. */
export const wishlists: Report<'wishlists'> = {
  name: 'wishlists',
  takes: [],
  segments,
  families: ['wishlists'],
  measures: ({ sum }) => ({
    additions: sum('wishlists', 'additions'),
    removals: sum('wishlists', 'removals'),
    wishedAndOrdered: sum('wishlists', 'ordered'),
    alertsRaised: sum('wishlists', 'alerts'),
    alertsOrdered: sum('wishlists', 'alertsOrdered'),
  }),
};
