import { describe, expect, it } from 'vitest';
import { adaptBatch, firstBatch } from './batch-size.ts';
import { rebuildRange } from './rebuild-range.ts';
import { dateOf, dayIndexOf } from './shop-days.ts';

const now = new Date('2026-11-23T12:00:00Z');
const long = new Date('2027-01-01');

describe('the days that are made again', () => {
  const kept = { firstFact: { day: 100, keptUntil: long }, keptSince: 20, lastDay: 130 };

  it('are all from that of the first fact', () => {
    expect(rebuildRange(kept, {}, now)).toEqual({ from: 100, to: 131 });
    expect(rebuildRange({ ...kept, firstFact: null }, {}, now)).toEqual({ from: 131, to: 131 });
    expect(rebuildRange({ firstFact: null, keptSince: 20, lastDay: null }, {}, now)).toEqual({ from: 21, to: 21 });
  });

  it('have all their facts', () => {
    const firstFact = { day: 100, keptUntil: new Date('2026-11-25T11:59:59Z') };
    expect(rebuildRange({ ...kept, firstFact }, {}, now).from).toBe(102);
    expect(rebuildRange({ ...kept, keptSince: 110 }, {}, now).from).toBe(112);
  });

  it('are no more than what is requested', () => {
    expect(rebuildRange(kept, { from: 110, to: 120 }, now)).toEqual({ from: 110, to: 120 });
    expect(rebuildRange(kept, { from: 10, to: 500 }, now)).toEqual({ from: 100, to: 131 });
    expect(rebuildRange(kept, { to: 90 }, now)).toEqual({ from: 100, to: 100 });
  });
});

describe('the size of batches', () => {
  it('is halved after a long or failed one, and grows after short ones', () => {
    expect(adaptBatch(firstBatch, 2001)).toBe(1000);
    expect(adaptBatch(30, Infinity)).toBe(25);
    expect(adaptBatch(1000, 1000)).toBe(1000);
    expect(adaptBatch(1500, 100)).toBe(firstBatch);
  });
});

it('a date has a day, and a day its date', () => {
  expect([dayIndexOf('1970-01-02'), dayIndexOf('2026-02-30'), dayIndexOf('tea')]).toEqual([1, null, null]);
  expect(dateOf(-1)).toBe('1969-12-31');
});
