import { addDays } from '@storefront/calendar';
import type { Day } from '@storefront/calendar';
import type { Measures } from '../../roll-ups/domain/roll-ups.ts';
import { medianOf } from './median.ts';
import type { Report } from './report.ts';

/** What was invoiced and paid, and what is owed by age. */
export const receivables: Report<'receivables'> = {
  name: 'receivables',
  takes: ['currency'],
  segments: ['trade'],
  families: ['receivables'],
  readsOwed: true,
  measures: ({ of, sum, before, lastDay }) => ({
    invoiced: sum('receivables', 'invoiced'),
    paid: sum('receivables', 'paid'),
    ...owedByAge(before, lastDay),
    medianDaysToPay: medianOf(of('receivables'), 'days'),
  }),
};

/** `open:<day>` says what is owed and due on that day. An invoice is overdue on the day after. */
function owedByAge(measures: Measures, today: Day) {
  const owed = Object.entries(measures).flatMap(([name, amount]) =>
    name.startsWith('open:') ? [{ dueOn: name.slice('open:'.length), amount }] : [],
  );
  const sum = (isIn: (dueOn: Day) => boolean) =>
    owed.reduce((total, { dueOn, amount }) => (isIn(dueOn) ? total + amount : total), 0);
  const [thirty, sixty, ninety] = [addDays(today, -30), addDays(today, -60), addDays(today, -90)];
  return {
    openCurrent: sum((dueOn) => dueOn >= today),
    open1To30: sum((dueOn) => dueOn < today && dueOn >= thirty),
    open31To60: sum((dueOn) => dueOn < thirty && dueOn >= sixty),
    open61To90: sum((dueOn) => dueOn < sixty && dueOn >= ninety),
    openOver90: sum((dueOn) => dueOn < ninety),
  };
}
