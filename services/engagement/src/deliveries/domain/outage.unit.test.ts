import { describe, expect, it } from 'vitest';
import { afterAttempt, allowedAtOnce, noOutage } from './outage.ts';

describe('an outage of the mail server', () => {
  it('pauses all mail, then lets one mail at a time find out whether it is over', () => {
    const outage = afterAttempt(noOutage, 'unreachable', 100);
    expect(allowedAtOnce(outage, 20, 1099)).toBe(0);
    expect(allowedAtOnce(outage, 20, 1100)).toBe(1);
    expect(allowedAtOnce(noOutage, 20, 1100)).toBe(20);
  });

  it('pauses longer each time, and never longer than 5 s', () => {
    const pauses: number[] = [];
    let outage = noOutage;
    for (let at = 0; pauses.length < 6; at = outage.pausedUntil) {
      outage = afterAttempt(outage, 'unreachable', at);
      pauses.push(outage.pausedUntil - at);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it('is found once by mails that were sent at the same time', () => {
    const first = afterAttempt(noOutage, 'unreachable', 100);
    expect(afterAttempt(first, 'unreachable', 150)).toEqual(first);
  });

  it.each(['accepted', 'deferred', 'refused'] as const)('is over once the mail server answers: %s', (outcome) => {
    expect(afterAttempt(afterAttempt(noOutage, 'unreachable', 100), outcome, 150)).toEqual(noOutage);
  });
});
