import { segments } from '../facts/fact.ts';
import type { Report } from './report.ts';

/** The events that robots sent, which no other report has. */
export const robots: Report<'robots'> = {
  name: 'robots',
  takes: [],
  segments,
  families: ['robots'],
  measures: ({ sum }) => ({ events: sum('robots', 'events') }),
};
