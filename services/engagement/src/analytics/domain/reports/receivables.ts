import type { Report } from './report.ts';

/** What was invoiced and paid, and what is owed by age. */
export const receivables: Report<'receivables'> = {
  name: 'receivables',
  takes: ['currency'],
  segments: ['trade'],
  families: ['receivables'],
  mediansOf: 'receivables',
  readsOwed: true,
  measures: ({ sum, owed, median }) => ({
    invoiced: sum('receivables', 'invoiced'),
    paid: sum('receivables', 'paid'),
    ...owed,
    medianDaysToPay: median,
  }),
};
