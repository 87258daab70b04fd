import { expect, test } from 'vitest';
import { isGood } from './report.ts';

const mails = {
  arrived: 9,
  distinct: 9,
  repeated: 0,
  again: [],
  afterKill: [],
  unexplained: 0,
  missing: 0,
  unknown: 0,
};
const quiet = { lost: 0, duplicated: 0, stuck: 0, mails, facts: [] };

test('a run in which a planned strike at a primary never came to be has kept no promise', () => {
  const strikes = (found: number) => ({ what: 'strikes at the mongodb-primary', found, atLeast: 2 });
  expect(isGood({ ...quiet, facts: [strikes(2)] })).toBe(true);
  expect(isGood({ ...quiet, facts: [strikes(0)] })).toBe(false);
});

test('a mail may come again for each that engagement had in hand when it was killed, and for nothing else', () => {
  const repeated = (count: { afterKill: number[]; unexplained: number }) =>
    isGood({ ...quiet, mails: { ...mails, ...count } });
  expect(repeated({ afterKill: [0, 1], unexplained: 0 })).toBe(true);
  expect(repeated({ afterKill: [0, 2], unexplained: 0 })).toBe(false);
  expect(repeated({ afterKill: [0, 0], unexplained: 1 })).toBe(false);
});
