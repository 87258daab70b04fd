import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestCounts } from './request-counts.ts';

const windowMs = 60_000;
const slotMs = 5_000;
const create = (remembered = 1000) => createRequestCounts({ windowMs, remembered });
const quota = (max: number, shareEvery = 1) => ({ max, shareEvery });
const at = (seconds: number) => seconds * 1000;

describe('the requests of a caller', () => {
  it('are taken until the quota is used up, and again as the first ones leave the window', () => {
    const counts = create();
    const take = (seconds: number) => {
      const { isTaken, remaining, moreInMs } = counts.take('a', quota(3), at(seconds));
      return [isTaken, remaining, moreInMs / 1000];
    };
    expect(take(0)).toEqual([true, 2, 60]);
    expect(take(7)).toEqual([true, 1, 53]);
    expect(take(7)).toEqual([true, 0, 53]);
    expect(take(8)).toEqual([false, 0, 52]);
    expect(take(59.9)).toEqual([false, 0, expect.closeTo(0.1)]);
    expect(take(60)).toEqual([true, 0, 5]);
    expect(take(61)).toEqual([false, 0, 4]);
    expect(take(65)).toEqual([true, 1, 55]);
  });

  it('are counted apart from those of others', () => {
    const counts = create();
    expect(counts.take('a', quota(1), 0).isTaken).toBe(true);
    expect(counts.take('b', quota(1), 0).isTaken).toBe(true);
    expect(counts.take('a', quota(1), 0).isTaken).toBe(false);
  });

  it('are never more than the quota within a window less one slot, whenever they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }), (gaps) => {
        const counts = create();
        const taken: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          if (counts.take('a', quota(4), now).isTaken) taken.push(now);
        }
        const fifths = taken.slice(4).map((time, index) => time - (taken[index] ?? 0));
        expect(fifths.filter((apart) => apart < windowMs - slotMs)).toEqual([]);
      }),
    );
  });

  it('have room at the time that was stated, and not before', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 60 }), (gaps) => {
        const counts = create();
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const { isTaken, moreInMs } = counts.take('a', quota(3), now);
          if (isTaken) continue;
          expect(counts.take('a', quota(3), now + moreInMs - 1).isTaken).toBe(false);
          now += moreInMs;
          expect(counts.take('a', quota(3), now).isTaken).toBe(true);
        }
      }),
    );
  });
});

describe('the requests that other gateways have counted', () => {
  it('take room like its own', () => {
    const counts = create();
    counts.add('a', 2, at(0));
    expect(counts.take('a', quota(3), at(1))).toMatchObject({ isTaken: true, remaining: 0 });
    expect(counts.take('a', quota(3), at(2))).toMatchObject({ isTaken: false, remaining: 0 });
  });

  it('may be more than the quota: there is room when enough of them have left', () => {
    const counts = create();
    counts.add('a', 2, at(0));
    counts.add('a', 2, at(5));
    expect(counts.take('a', quota(2), at(6))).toMatchObject({ isTaken: false, moreInMs: at(59) });
  });

  it('hold a caller who goes from one to the other to one quota, at whatever time each began to count', () => {
    const gateways = [create(), create()];
    let taken = 0;
    // The second gateway hears of the caller half a window after the first.
    for (let second = 0; second < 300; second += 1) {
      for (const [index, gateway] of gateways.entries()) {
        if (index === 1 && second < 30) continue;
        const { isTaken, toShare } = gateway.take('a', quota(20), at(second));
        if (isTaken) taken += 1;
        if (toShare > 0) gateways[1 - index]?.add('a', toShare, at(second));
      }
    }
    // Five windows; each slot less than a window adds a twelfth.
    expect(taken).toBeLessThanOrEqual(20 * 5 * (12 / 11) + 1);
    expect(taken).toBeGreaterThanOrEqual(20 * 5 - 1);
  });

  it('are shared several at a time', () => {
    const counts = create();
    const shared = Array.from({ length: 7 }, () => counts.take('a', quota(100, 3), 0).toShare);
    expect(shared).toEqual([0, 0, 3, 0, 0, 3, 0]);
  });

  it('are not shared where they were refused', () => {
    const counts = create();
    expect([1, 2].map(() => counts.take('a', quota(1), 0).toShare)).toEqual([1, 0]);
  });
});

describe('memory', () => {
  it('holds no more callers than it should, and forgets those first that were heard of least recently', () => {
    const counts = create(100);
    for (let caller = 0; caller < 1000; caller += 1) {
      counts.take(`caller ${caller}`, quota(5), 0);
      expect(counts.take('often', quota(1), 0).isTaken).toBe(caller === 0);
      expect(counts.size()).toBeLessThanOrEqual(100);
    }
  });

  it('forgets those who did nothing for two windows', () => {
    const counts = create();
    for (let caller = 0; caller < 10; caller += 1) counts.take(`caller ${caller}`, quota(5), at(0));
    counts.take('later', quota(5), at(61));
    counts.take('later', quota(5), at(122));
    expect(counts.size()).toBe(1);
  });
});
