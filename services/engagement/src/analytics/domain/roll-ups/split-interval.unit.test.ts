import { calendarOf } from '@storefront/calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitInterval, spanLengths, spanWith } from './split-interval.ts';
import { shopDaysOf } from './shop-days.ts';

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'Australia/Lord_Howe'];
const quarterMs = 15 * 60 * 1000;
const zone = fc.constantFrom(...zones).map((name) => shopDaysOf(calendarOf(name)));
const moment = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((at) => new Date(at.getTime()));

describe('days and quarters of a time zone', () => {
  it('have each moment once', () => {
    fc.assert(
      fc.property(zone, moment, (days, at) => {
        const { day, quarter } = days.quarterOf(at);
        expect(days.startOf(day).getTime()).toBeLessThanOrEqual(at.getTime());
        expect(days.startOf(day + 1).getTime()).toBeGreaterThan(at.getTime());
        const start = days.startOf(day).getTime() + quarter * quarterMs;
        expect(at.getTime() - start).toBeGreaterThanOrEqual(0);
        expect(at.getTime() - start).toBeLessThan(quarterMs);
        expect(quarter).toBeLessThan(days.quartersIn(day));
        for (const length of spanLengths) {
          const { index } = spanWith(day, length);
          expect(day - index * length).toBeGreaterThanOrEqual(0);
          expect(day - index * length).toBeLessThan(length);
        }
      }),
    );
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', 92],
    ['Europe/Berlin', '2026-10-25', 100],
    ['America/New_York', '2026-03-08', 92],
    ['America/New_York', '2026-11-01', 100],
    ['Asia/Kolkata', '2026-03-29', 96],
    ['Pacific/Chatham', '2026-04-05', 100],
    ['Pacific/Chatham', '2026-09-27', 92],
    ['Australia/Lord_Howe', '2026-04-05', 98],
    ['Australia/Lord_Howe', '2026-10-04', 94],
  ])('of %s has the day %s %i quarters', (name, day, quarters) => {
    const days = shopDaysOf(calendarOf(name));
    const index = Date.parse(day) / (24 * 60 * 60 * 1000);
    expect(days.dayOf(new Date(days.startOf(index).getTime()))).toBe(index);
    expect(days.quartersIn(index)).toBe(quarters);
  });
});

describe('the split of an interval', () => {
  it('has each of its quarters once, and no other', () => {
    fc.assert(
      fc.property(zone, moment, fc.integer({ min: 0, max: 96 * 200 }), (days, at, quarters) => {
        const start = Math.floor(at.getTime() / quarterMs) * quarterMs;
        const end = start + quarters * quarterMs;
        const { spans, quarters: ranges } = splitInterval({ start: new Date(start), end: new Date(end) }, days);
        const parts = [
          ...spans.map(({ days: length, index }) => ({
            from: days.startOf(index * length).getTime(),
            to: days.startOf((index + 1) * length).getTime(),
          })),
          ...ranges.map(({ day, from, to }) => ({
            from: days.startOf(day).getTime() + from * quarterMs,
            to: days.startOf(day).getTime() + to * quarterMs,
          })),
        ].sort((a, b) => a.from - b.from);
        let covered = start;
        for (const { from, to } of parts) {
          expect(from).toBe(covered);
          covered = to;
        }
        expect(covered).toBe(end);
      }),
    );
  });

  it('takes the longest spans for whole days', () => {
    const days = shopDaysOf(calendarOf('Europe/Berlin'));
    const split = splitInterval({ start: days.startOf(63), end: days.startOf(64 * 3 + 21) }, days);
    expect(split).toEqual({
      spans: [
        { days: 1, index: 63 },
        { days: 64, index: 1 },
        { days: 64, index: 2 },
        { days: 16, index: 12 },
        { days: 4, index: 52 },
        { days: 1, index: 212 },
      ],
      quarters: [],
    });
  });
});
