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
    ...owedByAge(before(), lastDay),
    medianDaysToPay: medianOf(of('receivables'), 'days'),
  }),
};

const open = 'open:';

/** `open:<day>` says what is owed and due on that day. An invoice is overdue on the day after. */
function owedByAge(measures: Measures, today: Day) {
  const [thirty, sixty, ninety] = [addDays(today, -30), addDays(today, -60), addDays(today, -90)];
  const owed = { openCurrent: 0, open1To30: 0, open31To60: 0, open61To90: 0, openOver90: 0 };
  for (const [name, amount] of Object.entries(measures)) {
    if (!name.startsWith(open)) continue;
    const dueOn = name.slice(open.length);
    if (dueOn >= today) owed.openCurrent += amount;
    else if (dueOn >= thirty) owed.open1To30 += amount;
    else if (dueOn >= sixty) owed.open31To60 += amount;
    else if (dueOn >= ninety) owed.open61To90 += amount;
    else owed.openOver90 += amount;
  }
  return owed;
}
