import { expect, test } from 'vitest';
import { decide } from './retry.ts';

const delays = [1_000, 10_000];

test.each([
  ['done', 1, { do: 'finish' }],
  ['done', 9, { do: 'finish' }],
  ['reject', 1, { do: 'deadLetter' }],
  ['retry', 1, { do: 'delay', delayMs: 1_000 }],
  ['retry', 2, { do: 'delay', delayMs: 10_000 }],
  ['retry', 3, { do: 'deadLetter' }],
  ['retry', 9, { do: 'deadLetter' }],
  ['later', 1, { do: 'delay', delayMs: 10_000 }],
  ['later', 9, { do: 'delay', delayMs: 10_000 }],
] as const)('%s at try %i', (outcome, attempt, decision) => {
  expect(decide(outcome, attempt, delays)).toEqual(decision);
});
