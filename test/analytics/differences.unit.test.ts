import { expect, test } from 'vitest';
import { compareReport } from './differences.ts';
import { rowKey, type ExpectedReport } from './expected/expected-report.ts';
import type { Question } from './expected/question.ts';

const days = { from: '2026-11-01', to: '2026-11-02', timezone: 'UTC', currency: 'EUR' } as const;
const funnel: Question = { report: 'funnel', ...days };
const expectedOf = (viewed: number, orderedShare: number): ExpectedReport => {
  return { rows: new Map([[rowKey('2026-11-01', 'retail', ''), { viewed, orderedShare }]]), totals: { viewed } };
};
const row = { start: '2026-11-01', segment: 'retail', viewed: 3, orderedShare: 0.5 };
const totals = { viewed: 3 };
const found = (rows: readonly object[], least?: ExpectedReport) =>
  compareReport(funnel, { rows: rows as never, totals }, expectedOf(3, 0.5), least).differences.length;

test('names every cell that is not as expected, rows that are missing, there twice or not expected', () => {
  expect(found([row])).toBe(0);
  expect(found([{ ...row, viewed: 4 }])).toBe(1);
  expect(found([])).toBe(2);
  expect(found([row, row])).toBe(1);
  expect(found([row, { ...row, segment: 'trade' }])).toBe(1);
});

test('takes a number of people between that with and that without those who were erased', () => {
  const least = expectedOf(1, 0.25);
  expect(found([{ ...row, viewed: 2, orderedShare: 0.3 }], least)).toBe(0);
  expect(found([{ ...row, viewed: 0 }], least)).toBe(1);
});

test('takes amounts for what they are only as money in the currency that was requested', () => {
  const expected = { rows: new Map(), totals: { orders: 1, net: 500 } };
  const compare = (net: unknown) =>
    compareReport({ ...funnel, report: 'sales' }, { rows: [], totals: { orders: 1, net } }, expected).differences
      .length;
  expect([{ amount: 500, currency: 'EUR' }, { amount: 500, currency: 'USD' }, 500].map(compare)).toEqual([0, 1, 1]);
});

test('takes no row of a thing for a row of zeros', () => {
  const rows = new Map([[rowKey('2026-11-01', 'retail', 'tea'), { times: 0, withoutResultShare: null }]]);
  const question: Question = { report: 'searches', ...days };
  const compare = (times: number) =>
    compareReport(
      question,
      { rows: [], totals: {} },
      {
        rows: new Map([...rows].map(([key, measures]) => [key, { ...measures, times }])),
        totals: {},
      },
    ).differences.length;
  expect([compare(0), compare(1)]).toEqual([0, 1]);
});
