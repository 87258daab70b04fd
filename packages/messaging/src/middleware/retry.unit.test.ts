import { expect, test } from 'vitest';
import { decide, decideReturned } from './retry.ts';

const firstSeen = new Date('2026-05-01T12:00:00.000Z');
const hourMs = 3_600_000;
const rules = { retryDelaysMs: [1_000, 10_000, 60_000, 300_000], unknownForMs: 24 * hourMs };
const after = (ms: number) => new Date(firstSeen.getTime() + ms);
const tries = (attempts: number) => ({ attempts, firstSeen: firstSeen.toISOString(), returns: 0 });

test.each([
  ['done', 1, { do: 'finish' }],
  ['retry', 1, { do: 'delay', delayMs: 1_000 }],
  ['retry', 4, { do: 'delay', delayMs: 300_000 }],
  ['retry', 5, { do: 'deadLetter' }],
  ['later', 99, { do: 'delay', delayMs: 10_000 }],
  ['reject', 1, { do: 'deadLetter' }],
] as const)('%s at try %i', (outcome, attempt, decision) => {
  expect(decide(outcome, tries(attempt), rules, after(100 * hourMs))).toEqual(decision);
});

test('unknown waits a minute each time, and is a dead letter 24 h after the event was first seen', () => {
  const wait = { do: 'delay', delayMs: 60_000 };
  expect(decide('unknown', tries(0), rules, firstSeen)).toEqual(wait);
  expect(decide('unknown', tries(0), rules, after(24 * hourMs - 1))).toEqual(wait);
  expect(decide('unknown', tries(0), rules, after(24 * hourMs))).toEqual({
    do: 'deadLetter',
    because: 'still unknown 24 h after it was first seen',
  });
});

test('with fewer delays the last one stands for those that are missing', () => {
  const short = { ...rules, retryDelaysMs: [7] };
  expect(decide('later', tries(1), short, firstSeen)).toEqual({ do: 'delay', delayMs: 7 });
  expect(decide('unknown', tries(1), short, firstSeen)).toEqual({ do: 'delay', delayMs: 7 });
  expect(decide('later', tries(1), { ...rules, retryDelaysMs: [] }, firstSeen)).toEqual({ do: 'deadLetter' });
});

test.each([
  [0, 0, undefined],
  [4, 90, undefined],
  [5, 0, { do: 'delay', delayMs: 60_000 }],
  [5, 94, { do: 'delay', delayMs: 60_000 }],
  [5, 95, { do: 'deadLetter' }],
  [100, 0, { do: 'deadLetter' }],
])('a message that came back %i times now and %i times before', (now, before, decision) => {
  expect(decideReturned(now, before, rules.retryDelaysMs)).toEqual(decision);
});
