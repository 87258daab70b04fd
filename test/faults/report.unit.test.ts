import { expect, test } from 'vitest';
import { isGood } from './report.ts';

const mails = { arrived: 9, distinct: 9, repeated: 0, again: [], missing: 0, unknown: 0 };
const quiet = { lost: 0, duplicated: 0, stuck: 0, mails, kills: {}, facts: [] };

test('a run in which a planned strike at a primary never came to be has kept no promise', () => {
  const strikes = (found: number) => ({ what: 'strikes at the mongodb-primary', found, atLeast: 2 });
  expect(isGood({ ...quiet, facts: [strikes(2)] })).toBe(true);
  expect(isGood({ ...quiet, facts: [strikes(0)] })).toBe(false);
});

test('a mail may come again for each connection of an engagement that was killed, and for nothing else', () => {
  const repeated = (times: number, kills: Record<string, number>) =>
    isGood({ ...quiet, mails: { ...mails, repeated: times }, kills });
  expect(repeated(5, { engagement: 1 })).toBe(true);
  expect(repeated(6, { engagement: 1 })).toBe(false);
  expect(repeated(1, { mongodb: 3, identity: 2 })).toBe(false);
});
