import { expect, it } from 'vitest';
import { collectOwed, nothingOwed } from './owed.ts';

const today = '2026-03-31';

it.each([
  ['2026-04-10', 'openCurrent'],
  ['2026-03-31', 'openCurrent'],
  ['2026-03-30', 'open1To30'],
  ['2026-03-01', 'open1To30'],
  ['2026-02-28', 'open31To60'],
  ['2026-01-30', 'open31To60'],
  ['2026-01-29', 'open61To90'],
  ['2025-12-31', 'open61To90'],
  ['2025-12-30', 'openOver90'],
])('what is due on %s is %s on the last day of March', (dueOn, age) => {
  const owed = collectOwed();
  owed.add({ [`open:${dueOn}`]: 1200, invoiced: 5000, 'days:14': 1 });
  expect(owed.byAge(today)).toEqual({ ...nothingOwed, [age]: 1200 });
});

it('grows older without anything being added, and is gone once it is paid', () => {
  const owed = collectOwed();
  owed.add({ 'open:2026-03-31': 1200 });
  owed.add({ 'open:2026-03-31': 300 });
  expect(owed.byAge(today).openCurrent).toBe(1500);
  expect(owed.byAge('2026-04-01')).toEqual({ ...nothingOwed, open1To30: 1500 });
  owed.add({ 'open:2026-03-31': -1500, paid: 1500 });
  expect(owed.byAge('2026-04-02')).toEqual(nothingOwed);
});
