import { describe, expect, it } from 'vitest';
import { afterFailure, chooseInstance, healthy, type InstanceState } from './choose-instance.ts';

const state = (change: Partial<InstanceState> = {}): InstanceState => ({
  ...healthy,
  underWay: 0,
  ...change,
});

describe('the instance for the next request', () => {
  it('is each in turn where all have as few requests', () => {
    const three = [state(), state(), state()];
    expect([0, 1, 2, 3, 4].map((turn) => chooseInstance(three, turn, 0))).toEqual([0, 1, 2, 0, 1]);
  });

  it('is the one with the fewest under way', () => {
    const busy = [state({ underWay: 3 }), state({ underWay: 1 }), state({ underWay: 2 })];
    for (const turn of [0, 1, 2]) expect(chooseInstance(busy, turn, 0)).toBe(1);
  });

  it('is none that failed, however few requests it has, until its time is over', () => {
    const failed = [state({ failures: 1, leftOutUntil: 1000 }), state({ underWay: 9 })];
    expect(chooseInstance(failed, 0, 999)).toBe(1);
    expect(chooseInstance(failed, 0, 1000)).toBe(0);
  });

  it('gives one that failed a single request until it has answered', () => {
    const tried = [state({ failures: 1, leftOutUntil: 1000, underWay: 1 }), state({ underWay: 9 })];
    expect(chooseInstance(tried, 0, 5000)).toBe(1);
  });

  it('is any where all have failed', () => {
    const failed = [
      state({ failures: 1, leftOutUntil: 1000, underWay: 2 }),
      state({ failures: 1, leftOutUntil: 1000 }),
    ];
    expect(chooseInstance(failed, 0, 0)).toBe(1);
    expect(chooseInstance([state({ failures: 4, leftOutUntil: 1000, underWay: 7 })], 3, 0)).toBe(0);
  });
});

describe('an instance that failed', () => {
  it('is left out for 1 s, and longer each time, up to 10 s', () => {
    let failed = healthy;
    const times: number[] = [];
    for (let now = 0; times.length < 6; now = failed.leftOutUntil) {
      failed = afterFailure(failed, now);
      times.push(failed.leftOutUntil - now);
    }
    expect(times).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('counts the failures of all requests that were under way as one', () => {
    const once = afterFailure(healthy, 0);
    expect(afterFailure(once, 500)).toEqual(once);
  });
});
