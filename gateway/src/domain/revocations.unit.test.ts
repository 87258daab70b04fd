import { array, assert, integer, property } from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRevocations } from './revocations.ts';
import type { Revocations } from './revocations.ts';

const start = 1_000_000_000_000;
const token = (over: object = {}) => ({ sub: 'u', sid: 's', ver: 1, iat: start / 1000 - 10, ...over });
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
    revocations.arrivedUpTo(start, start);
  };
  const knows = (now = start) => revocations.isCompleteFor(token(), now);

  it('only bound, with a snapshot and a young watermark', () => {
    expect(knows()).toBe(false);
    revocations.bound();
    expect(knows()).toBe(false);
    revocations.snapshotLoaded();
    expect(knows()).toBe(false);
    revocations.arrivedUpTo(start, start);
    expect(knows()).toBe(true);
    expect(knows(start + 1000)).toBe(true);
    expect(knows(start + 1001)).toBe(false);
  });

  it.each(['lost', 'missed', 'bound'] as const)('not after it was %s, until the next snapshot', (what) => {
    complete();
    revocations[what]();
    expect(knows()).toBe(false);
    revocations.bound();
    expect(knows()).toBe(false);
    revocations.snapshotLoaded();
    expect(knows()).toBe(true);
  });

  it('not while it is unbound, though a snapshot comes in late', () => {
    complete();
    revocations.lost();
    revocations.snapshotLoaded();
    expect(knows()).toBe(false);
  });

  it('an older watermark changes nothing, and one from the future counts as now', () => {
    complete();
    revocations.arrivedUpTo(start - 5000, start + 100);
    expect(knows(start + 500)).toBe(true);
    revocations.arrivedUpTo(start + 1_000_000, start + 500);
    expect(knows(start + 1500)).toBe(true);
    expect(knows(start + 1501)).toBe(false);
  });

  it('not of a token that is older than what is kept', () => {
    complete();
    expect(revocations.isCompleteFor(token({ iat: start / 1000 - 59 }), start)).toBe(true);
    expect(revocations.isCompleteFor(token({ iat: start / 1000 - 60 }), start)).toBe(false);
  });
});
