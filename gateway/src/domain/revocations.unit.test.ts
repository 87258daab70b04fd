import { array, assert, integer, property } from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRevocations, type Revocations } from './revocations.ts';

const start = 5_000;
const token = (over: object = {}) => ({ sub: 'u', sid: 's', ver: 1, ...over });
let revocations: Revocations;

beforeEach(() => {
  revocations = createRevocations({ maxAgeMs: 1000, keptMs: 60_000 });
});

describe('which tokens are revoked', () => {
  it('those of the user below the version', () => {
    revocations.revokeUser('u', 3, start);
    expect([1, 2, 3, 4].map((ver) => revocations.isRevoked(token({ ver })))).toEqual([true, true, false, false]);
    expect(revocations.isRevoked(token({ sub: 'other' }))).toBe(false);
  });

  it('those of the session', () => {
    revocations.revokeSession('s', start);
    expect(revocations.isRevoked(token())).toBe(true);
    expect(revocations.isRevoked(token({ sid: 'other' }))).toBe(false);
  });

  it('whatever the order in which the events arrive, and however often', () => {
    assert(
      property(array(integer({ min: 1, max: 9 }), { minLength: 1 }), (versions) => {
        const table = createRevocations({ maxAgeMs: 1000, keptMs: 60_000 });
        for (const version of versions) table.revokeUser('u', version, start);
        const highest = Math.max(...versions);
        expect(table.isRevoked(token({ ver: highest - 1 }))).toBe(true);
        expect(table.isRevoked(token({ ver: highest }))).toBe(false);
      }),
    );
  });

  it('until no token can be that old', () => {
    revocations.revokeUser('u', 2, start);
    revocations.revokeSession('s2', start);
    revocations.removeOld(start + 60_000);
    expect(revocations.isRevoked(token())).toBe(true);
    revocations.removeOld(start + 60_001);
    expect(revocations.isRevoked(token())).toBe(false);
    expect(revocations.status(start).entries).toBe(0);
  });
});

describe('whether the table is complete', () => {
  const complete = () => {
    revocations.bound();
    revocations.snapshotLoaded();
    revocations.checkAnswered(revocations.nextCheck(start));
  };
  const knows = (now = start) => revocations.isCompleteFor(10_000, now);

  it('only bound, with a snapshot and a check that was answered', () => {
    expect(knows()).toBe(false);
    revocations.bound();
    expect(knows()).toBe(false);
    revocations.snapshotLoaded();
    expect(knows()).toBe(false);
    const check = revocations.nextCheck(start);
    expect(knows()).toBe(false);
    revocations.checkAnswered(check);
    expect(knows()).toBe(true);
  });

  it('for as long as the check that was answered was sent a short while ago, whenever the answer came', () => {
    complete();
    const [older, newer] = [revocations.nextCheck(start + 300), revocations.nextCheck(start + 600)];
    revocations.checkAnswered(newer);
    expect(revocations.status(start + 700).ageMs).toBe(100);
    expect(knows(start + 1600)).toBe(true);
    expect(knows(start + 1601)).toBe(false);
    revocations.checkAnswered(older);
    expect(knows(start + 1600)).toBe(true);
  });

  it('not by an answer to a check that was never sent', () => {
    revocations.bound();
    revocations.snapshotLoaded();
    revocations.nextCheck(start);
    revocations.checkAnswered(2);
    expect(knows()).toBe(false);
  });

  it.each(['lost', 'missed', 'bound'] as const)('not after it was %s, until the next snapshot', (what) => {
    complete();
    revocations[what]();
    expect(knows()).toBe(false);
    revocations.bound();
    revocations.checkAnswered(revocations.nextCheck(start));
    expect(knows()).toBe(false);
    revocations.snapshotLoaded();
    expect(knows()).toBe(true);
  });

  it('not by a check that was sent before the queue was bound', () => {
    complete();
    const check = revocations.nextCheck(start);
    revocations.bound();
    revocations.snapshotLoaded();
    revocations.checkAnswered(check);
    expect(knows()).toBe(false);
  });

  it('not while it is unbound, though a snapshot comes in late', () => {
    complete();
    revocations.lost();
    revocations.snapshotLoaded();
    revocations.checkAnswered(revocations.nextCheck(start));
    expect(knows()).toBe(false);
  });

  it('not of a token that may be older than what is kept, by clocks that differ by half a minute', () => {
    complete();
    expect(revocations.isCompleteFor(29_999, start)).toBe(true);
    expect(revocations.isCompleteFor(30_000, start)).toBe(false);
    expect(revocations.isCompleteFor(-20_000, start)).toBe(true);
  });
});

describe('when a check is due', () => {
  const regular = (from: number, count: number) => Array.from({ length: count }, (_, place) => from + place * 300);
  const sentAt = (times: readonly number[]) =>
    times.filter((now) => {
      const isDue = revocations.isCheckDue(now);
      if (isDue) revocations.nextCheck(now);
      return isDue;
    });

  it('at each of the regular times, until nobody has needed the table for a minute', () => {
    const firstMinute = regular(start, 201);
    expect(sentAt(firstMinute)).toEqual(firstMinute);
    revocations.used(start + 60_000);
    const secondMinute = regular(start + 60_300, 200);
    expect(sentAt(secondMinute)).toEqual(secondMinute);
    expect(revocations.isAtRest(start + 120_000)).toBe(false);
    expect(revocations.isAtRest(start + 120_001)).toBe(true);
  });

  it('every 5 s at rest, and at the next regular time once the table is needed again', () => {
    sentAt(regular(start, 201));
    const rest = regular(start + 60_300, 34);
    expect(sentAt(rest)).toEqual([start + 65_100, start + 70_200]);
    revocations.used(start + 70_400);
    expect(sentAt(regular(start + 70_500, 3))).toEqual(regular(start + 70_500, 3));
  });
});
