import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noTries, takeTurn, turnFailed, turnGivenBack, turnSucceeded, waitSeconds, windowMs } from './throttle.ts';
import type { Tries } from './throttle.ts';

function failedTimes(times: number, at = 0): Tries {
  return Array.from({ length: times }).reduce<Tries>((tries) => turnFailed(tries, 'x', at), noTries);
}

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
    expect(turnSucceeded(failedTimes(9), 'x', 1).failures).toEqual([]);
  });

  it('has as many under way at once as may fail', () => {
    const full = ['a', 'b', 'c', 'd', 'e'].reduce<Tries>((tries, id) => {
      const turn = takeTurn(tries, id, 0);
      return turn.kind === 'admitted' ? turn.tries : tries;
    }, noTries);
    expect(takeTurn(full, 'f', 0).kind).toBe('busy');
    expect(takeTurn(turnGivenBack(full, 'a', 0), 'f', 0).kind).toBe('admitted');
    expect(takeTurn(full, 'f', 15_000).kind).toBe('admitted');
  });

  it('lets one through at a time once the wait is over', () => {
    const turn = takeTurn(failedTimes(5), 'a', 1000);
    expect(turn.kind).toBe('admitted');
    expect(turn.kind === 'admitted' && takeTurn(turn.tries, 'b', 1000).kind).toBe('busy');
  });

  it('looks at five wrong passwords at most before a wait, however they come in', () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 9 }), kind: fc.constantFrom('take', 'fail') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let tries = noTries;
        const underWay = new Set<string>();
        let looked = 0;
        for (const { id, kind } of steps) {
          const name = String(id);
          if (kind === 'take' && !underWay.has(name)) {
            const turn = takeTurn(tries, name, 0);
            if (turn.kind !== 'admitted') continue;
            tries = turn.tries;
            underWay.add(name);
            looked += 1;
          } else if (kind === 'fail' && underWay.delete(name)) tries = turnFailed(tries, name, 0);
        }
        expect(looked).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('never makes anybody wait for longer than a minute', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: windowMs })), fc.nat(windowMs), (times, later) => {
        const last = Math.max(0, ...times);
        const tries = times.sort((a, b) => a - b).reduce<Tries>((before, at) => turnFailed(before, 'x', at), noTries);
        expect(waitSeconds(tries, last + later)).toBeLessThanOrEqual(60);
      }),
    );
  });
});
