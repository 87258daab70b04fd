import { addDays } from '@storefront/calendar';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { zoneOf } from './report-request.ts';
import { countIntervals, daysBefore, intervalsOf, type Unit } from './intervals.ts';

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'UTC',
].map(zoneOf);
const hourMs = 60 * 60_000;
const runs = { numRuns: inject('isProof') ? 10_000 : 100 };

function named(unit: Unit, from: string, to: string, zone = 'Europe/Berlin') {
  return intervalsOf(unit, { from, to }, zoneOf(zone)).map(({ name }) => name);
}
function hours(unit: Unit, from: string, to: string, zone = 'Europe/Berlin') {
  return intervalsOf(unit, { from, to }, zoneOf(zone)).map(
    ({ start, end }) => (end.getTime() - start.getTime()) / hourMs,
  );
}

describe('days', () => {
  it('have 23 and 25 hours where the clocks change', () => {
    expect(hours('day', '2026-03-28', '2026-03-31')).toEqual([24, 23, 24]);
    expect(hours('day', '2026-10-24', '2026-10-27')).toEqual([24, 25, 24]);
    expect(hours('day', '2026-11-01', '2026-11-02', 'America/New_York')).toEqual([25]);
  });

  it('begin at midnight there', () => {
    expect(intervalsOf('day', { from: '2026-11-23', to: '2026-11-24' }, zoneOf('Asia/Kolkata'))).toEqual([
      { name: '2026-11-23', start: new Date('2026-11-22T18:30:00Z'), end: new Date('2026-11-23T18:30:00Z') },
    ]);
  });

  it('leave out one that a zone has left out', () => {
    expect(named('day', '2011-12-29', '2012-01-01', 'Pacific/Apia')).toEqual(['2011-12-29', '2011-12-31']);
  });
});

describe('weeks and months', () => {
  it('begin on Monday, over the New Year too, and are cut by the requested days', () => {
    expect(named('week', '2026-12-23', '2027-01-06')).toEqual(['2026-12-23', '2026-12-28', '2027-01-04']);
    expect(hours('week', '2026-12-23', '2027-01-06')).toEqual([5 * 24, 7 * 24, 2 * 24]);
    expect(hours('week', '2026-03-23', '2026-03-30')).toEqual([7 * 24 - 1]);
  });

  it('are months of the calendar, cut by the requested days', () => {
    expect(named('month', '2027-12-31', '2028-03-02')).toEqual([
      '2027-12-31',
      '2028-01-01',
      '2028-02-01',
      '2028-03-01',
    ]);
    expect(hours('month', '2028-02-01', '2028-04-01')).toEqual([29 * 24, 31 * 24 - 1]);
  });
});

describe('hours', () => {
  const on = (day: string, zone?: string) => named('hour', day, addDays(day, 1), zone);

  it('are named with the offset, so that the hour that comes twice has two names', () => {
    const autumn = on('2026-10-25');
    expect(autumn).toHaveLength(25);
    expect(autumn.slice(1, 5)).toEqual([
      '2026-10-25T01:00:00+02:00',
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T03:00:00+01:00',
    ]);
    const spring = on('2026-03-29');
    expect(spring).toHaveLength(23);
    expect(spring.slice(1, 3)).toEqual(['2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00']);
  });

  it('are those of the clock there', () => {
    expect(on('2026-11-23', 'Asia/Kolkata')[9]).toBe('2026-11-23T09:00:00+05:30');
    expect(on('2026-11-23', 'America/New_York')[0]).toBe('2026-11-23T00:00:00-05:00');
    expect(on('2026-11-23', 'UTC')[23]).toBe('2026-11-23T23:00:00+00:00');
    // The clock goes back by half an hour at 02:00.
    expect(on('2026-04-05', 'Australia/Lord_Howe').slice(1, 4)).toEqual([
      '2026-04-05T01:00:00+11:00',
      '2026-04-05T01:30:00+10:30',
      '2026-04-05T02:00:00+10:30',
    ]);
  });
});

/** The first day of the interval that a day is in, by another way than that of the code. */
function firstDayOf(unit: 'day' | 'week' | 'month', day: string): string {
  if (unit === 'day') return day;
  if (unit === 'month') return `${day.slice(0, 8)}01`;
  let monday = day;
  while (new Date(`${monday}T12:00:00Z`).toUTCString().slice(0, 3) !== 'Mon') monday = addDays(monday, -1);
  return monday;
}

describe('intervals of any unit and zone', () => {
  const anyDays = fc
    .record({ first: fc.integer({ min: 0, max: 1500 }), count: fc.integer({ min: 1, max: 60 }) })
    .map(({ first, count }) => {
      const from = addDays('2026-01-01', first);
      return { from, to: addDays(from, count) };
    });

  it('hold each moment of the requested days once, in the interval of its local day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom('day', 'week', 'month'),
        anyDays,
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (zone, unit, days, place) => {
          const intervals = intervalsOf(unit, days, zone);
          const [start, end] = [zone.calendar.startOf(days.from), zone.calendar.startOf(days.to)];
          const moment = new Date(start.getTime() + Math.floor(place * (end.getTime() - start.getTime())));
          const holding = intervals.filter((interval) => interval.start <= moment && moment < interval.end);
          const first = firstDayOf(unit, zone.calendar.dayOf(moment));
          expect(holding.map((interval) => interval.name)).toEqual([first < days.from ? days.from : first]);
          expect([intervals[0]?.start, intervals.at(-1)?.end]).toEqual([start, end]);
          expect(countIntervals(unit, days, zone)).toBe(intervals.length);
        },
      ),
      runs,
    );
  });

  it('are hours without a gap, each named by what the clock shows when it begins', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 1500 }), (zone, first) => {
        const day = addDays('2026-01-01', first);
        const days = { from: day, to: addDays(day, 1) };
        const intervals = intervalsOf('hour', days, zone);
        for (const [index, { name: shown, start, end }] of intervals.entries()) {
          expect(new Date(shown)).toEqual(start);
          expect(end).toEqual(intervals[index + 1]?.start ?? zone.calendar.startOf(days.to));
          expect(start.getTime() % (15 * 60_000)).toBe(0);
          expect((end.getTime() - start.getTime()) / hourMs).toBeLessThanOrEqual(1);
          expect(shown.slice(0, 10)).toBe(day);
        }
        const more = intervals.length - countIntervals('hour', days, zone);
        expect(zone.name === 'Pacific/Chatham' ? [0, 1] : [0]).toContain(more);
      }),
      runs,
    );
  });
});

it('compares with as many days before', () => {
  expect(daysBefore({ from: '2026-03-01', to: '2026-03-31' })).toEqual({ from: '2026-01-30', to: '2026-03-01' });
});
