import { segments } from '../facts/fact.ts';
import type { Report } from './report.ts';

/** What is wished for, and what comes of it. */
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
