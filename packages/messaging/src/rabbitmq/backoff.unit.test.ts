import { expect, test } from 'vitest';
import { backoff, connectTimeoutMs } from './backoff.ts';

test('grows from 100 ms, with jitter over the whole range', () => {
  expect(backoff(3, () => 0)).toBe(100);
  expect(backoff(1, () => 1)).toBe(200);
  expect(backoff(3, () => 1)).toBe(800);
});

test('an attempt without an answer and one wait together stay within 5 s', () => {
  expect(connectTimeoutMs + backoff(1_000, () => 1)).toBeLessThanOrEqual(5_000);
});
