import { medianOf } from './median.ts';
import type { Report } from './report.ts';

/** What was invoiced and paid, and what is owed by age. */
export const receivables: Report<'receivables'> = {
  name: 'receivables',
  takes: ['currency'],
  segments: ['trade'],
  families: ['receivables'],
  readsOwed: true,
  measures: ({ of, sum, owed }) => ({
    invoiced: sum('receivables', 'invoiced'),
    paid: sum('receivables', 'paid'),
    ...owed,
    medianDaysToPay: medianOf(of('receivables'), 'days'),
  }),
};
