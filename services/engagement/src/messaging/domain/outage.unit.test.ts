import { describe, expect, it } from 'vitest';
import { afterAttempt, allowedAtOnce, noOutage, type Outage } from './outage.ts';

const after = (outage: Outage, outcome: Parameters<typeof afterAttempt>[1]['outcome'], at: number) =>
  afterAttempt(outage, { outcome, isRepeated: false }, at);

describe('an outage of the mail server', () => {
  it('pauses all mail, then lets one mail at a time find out whether it is over', () => {
    const outage = after(noOutage, 'unreachable', 100);
    expect(allowedAtOnce(outage, 20, 1099)).toBe(0);
    expect(allowedAtOnce(outage, 20, 1100)).toBe(1);
    expect(allowedAtOnce(noOutage, 20, 1100)).toBe(20);
  });

  it('pauses longer each time, and never longer than 5 s', () => {
    const pauses: number[] = [];
    let outage = noOutage;
    for (let at = 0; pauses.length < 6; at = outage.pausedUntil) {
      outage = after(outage, 'unreachable', at);
      pauses.push(outage.pausedUntil - at);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it('is found once by mails that were sent at the same time', () => {
    const first = after(noOutage, 'unreachable', 100);
    expect(after(first, 'unreachable', 150)).toEqual(first);
  });

  it.each(['accepted', 'deferred', 'refused'] as const)('is over once the mail server answers: %s', (outcome) => {
    expect(after(after(noOutage, 'unreachable', 100), outcome, 150)).toEqual(noOutage);
  });

  it.each(['interrupted', 'in_doubt'] as const)('is not concluded from a few mails that are %s', (outcome) => {
    let outage = noOutage;
    for (let times = 1; times < 20; times += 1) {
      outage = after(outage, outcome, times);
      expect(allowedAtOnce(outage, 20, times)).toBe(20);
    }
    expect(after(outage, 'accepted', 20)).toEqual(noOutage);
    outage = after(outage, outcome, 20);
    expect(allowedAtOnce(outage, 20, 1019)).toBe(0);
    expect(allowedAtOnce(outage, 20, 1020)).toBe(1);
    expect(after(outage, outcome, 500)).toEqual(outage);
    expect(after(outage, outcome, 1020).pausedUntil).toBe(3020);
  });

  it('is not concluded from mails that break their conversations again and again', () => {
    const shown = { outcome: 'in_doubt', isRepeated: true } as const;
    let outage = after(noOutage, 'in_doubt', 0);
    for (let times = 1; times < 100; times += 1) outage = afterAttempt(outage, shown, times);
    expect(allowedAtOnce(outage, 20, 100)).toBe(20);
    for (let times = 0; times < 19; times += 1) outage = after(outage, 'in_doubt', 100);
    expect(allowedAtOnce(outage, 20, 100)).toBe(0);
    // While it is away, it does not matter which mail finds out.
    expect(afterAttempt(outage, shown, 1100).pausedUntil).toBe(3100);
  });
});
