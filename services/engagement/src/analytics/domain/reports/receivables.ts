import type { Report } from './report.ts';

/** The invoiced and paid amounts, and the open amounts of invoices by age. */
export const receivables: Report<'receivables'> = {
  name: 'receivables',
  takes: ['currency'],
  segments: ['trade'],
  families: ['receivables'],
  mediansOf: 'receivables',
  readsOpen: true,
  measures: ({ amount, money, open, median }) => ({
    invoiced: amount('receivables', 'invoiced'),
    paid: amount('receivables', 'paid'),
    openCurrent: money(open.openCurrent),
    open1To30: money(open.open1To30),
    open31To60: money(open.open31To60),
    open61To90: money(open.open61To90),
    openOver90: money(open.openOver90),
    medianDaysToPay: median,
  }),
};
