import type { Report } from './report.ts';

/** What was invoiced and paid, and what is owed by age. */
export const receivables: Report<'receivables'> = {
  name: 'receivables',
  takes: ['currency'],
  segments: ['trade'],
  families: ['receivables'],
  mediansOf: 'receivables',
  readsOwed: true,
  measures: ({ amount, money, owed, median }) => ({
    invoiced: amount('receivables', 'invoiced'),
    paid: amount('receivables', 'paid'),
    openCurrent: money(owed.openCurrent),
    open1To30: money(owed.open1To30),
    open31To60: money(owed.open31To60),
    open61To90: money(owed.open61To90),
    openOver90: money(owed.openOver90),
    medianDaysToPay: median,
  }),
};
