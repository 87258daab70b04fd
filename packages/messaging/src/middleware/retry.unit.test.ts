import { expect, test } from 'vitest';
import { decide } from './retry.ts';

const waits = [1_000, 10_000];

test.each([
  ['done', 1, { do: 'finish' }],
  ['done', 9, { do: 'finish' }],
  ['reject', 1, { do: 'bury' }],
  ['retry', 1, { do: 'wait', waitMs: 1_000 }],
  ['retry', 2, { do: 'wait', waitMs: 10_000 }],
  ['retry', 3, { do: 'bury' }],
  ['retry', 9, { do: 'bury' }],
  ['later', 1, { do: 'wait', waitMs: 10_000 }],
  ['later', 9, { do: 'wait', waitMs: 10_000 }],
] as const)('%s at try %i', (outcome, attempt, decision) => {
  expect(decide(outcome, attempt, waits)).toEqual(decision);
});
