import { expect, it } from 'vitest';
import { createBackOff } from './back-off.ts';

it('doubles the delay up to 5 s, and starts again with the first delay after the process ran for 10 s', () => {
  let now = 0;
  const backOff = createBackOff(() => now);
  backOff.started();
  expect(Array.from({ length: 7 }, () => backOff.next())).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
  backOff.started();
  now += 9_999;
  expect(backOff.next()).toBe(5000);
  backOff.started();
  now += 10_000;
  expect(backOff.next()).toBe(200);
});
