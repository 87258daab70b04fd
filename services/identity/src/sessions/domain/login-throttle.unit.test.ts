import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptCancelled,
  attemptFailed,
  attemptSucceeded,
  beginAttempt,
  noAttempts,
  waitForAllSeconds,
  waitSeconds,
  windowMs,
  type LoginAttempts,
} from './login-throttle.ts';

function failedTimes(times: number, at = 0): LoginAttempts {
  return Array.from({ length: times }).reduce<LoginAttempts>(
    (attempts) => attemptFailed(attempts, 'x', at),
    noAttempts,
  );
}

describe('the failures of all clients together', () => {
  it('make nobody wait below 500 in 15 minutes, which 30 a minute do not reach', () => {
    expect(waitForAllSeconds({ count: 450, last: 0 }, 0)).toBe(0);
    expect(waitForAllSeconds({ count: 499, last: 0 }, 0)).toBe(0);
  });

  it('make a client that is not known wait a minute from 500 on', () => {
    expect(waitForAllSeconds({ count: 500, last: 0 }, 1000)).toBe(59);
    expect(waitForAllSeconds({ count: 5000, last: 0 }, 60_000)).toBe(0);
  });
});

describe('the login throttle', () => {
  it.each([
    [4, 0],
    [5, 1],
    [6, 2],
    [7, 4],
    [8, 8],
    [11, 60],
    [20, 60],
  ])('after %i failures waits %i s', (failures, seconds) => {
    expect(waitSeconds(failedTimes(failures), 0)).toBe(seconds);
  });

  it('forgets failures after a quarter of an hour, and by a right password', () => {
    expect(waitSeconds(failedTimes(9), windowMs)).toBe(0);
    expect(attemptSucceeded(failedTimes(9), 'x', 1).failures).toEqual([]);
  });

  it('has as many under way at once as may fail', () => {
    const full = ['a', 'b', 'c', 'd', 'e'].reduce<LoginAttempts>((attempts, id) => {
      const outcome = beginAttempt(attempts, id, 0);
      return outcome.kind === 'admitted' ? outcome.attempts : attempts;
    }, noAttempts);
    expect(beginAttempt(full, 'f', 0).kind).toBe('busy');
    expect(beginAttempt(attemptCancelled(full, 'a', 0), 'f', 0).kind).toBe('admitted');
    expect(beginAttempt(full, 'f', 15_000).kind).toBe('admitted');
  });

  it('lets one through at a time once the wait is over', () => {
    const outcome = beginAttempt(failedTimes(5), 'a', 1000);
    expect(outcome.kind).toBe('admitted');
    expect(outcome.kind === 'admitted' && beginAttempt(outcome.attempts, 'b', 1000).kind).toBe('busy');
  });

  it('checks five wrong passwords at most before a wait, in any order', () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 9 }), kind: fc.constantFrom('begin', 'fail') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let attempts = noAttempts;
        const underWay = new Set<string>();
        let checked = 0;
        for (const { id, kind } of steps) {
          const name = String(id);
          if (kind === 'begin' && !underWay.has(name)) {
            const outcome = beginAttempt(attempts, name, 0);
            if (outcome.kind !== 'admitted') continue;
            attempts = outcome.attempts;
            underWay.add(name);
            checked += 1;
          } else if (kind === 'fail' && underWay.delete(name)) attempts = attemptFailed(attempts, name, 0);
        }
        expect(checked).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('never makes anybody wait for longer than a minute', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: windowMs })), fc.nat(windowMs), (times, later) => {
        const last = Math.max(0, ...times);
        const attempts = times
          .sort((a, b) => a - b)
          .reduce<LoginAttempts>((before, at) => attemptFailed(before, 'x', at), noAttempts);
        expect(waitSeconds(attempts, last + later)).toBeLessThanOrEqual(60);
      }),
    );
  });
});
