import { segments } from '../facts/fact.ts';
import type { Report } from './report.ts';

/** The number of events that robots sent. No other report contains these events. */
export const robots: Report<'robots'> = {
  name: 'robots',
  takes: [],
  segments,
  families: ['robots'],
  measures: ({ sum }) => ({ events: sum('robots', 'events') }),
};
