import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, calendarOf, isTimeZone } from '../src/index.ts';

const hour = 60 * 60 * 1000;

function hoursOf(timeZone: string, day: string): number {
  const { startOf } = calendarOf(timeZone);
  return (startOf(addDays(day, 1)).getTime() - startOf(day).getTime()) / hour;
}

const starts = (timeZone: string, day: string) => calendarOf(timeZone).startOf(day).toISOString();

describe('the days of a time zone', () => {
  it('begin at midnight there', () => {
    expect(starts('UTC', '2026-11-21')).toBe('2026-11-21T00:00:00.000Z');
    expect(starts('Europe/Berlin', '2026-11-21')).toBe('2026-11-20T23:00:00.000Z');
    expect(starts('Europe/Berlin', '2026-07-01')).toBe('2026-06-30T22:00:00.000Z');
    expect(starts('Pacific/Kiritimati', '2026-11-21')).toBe('2026-11-20T10:00:00.000Z');
    expect(starts('Etc/GMT+12', '2026-11-21')).toBe('2026-11-21T12:00:00.000Z');
  });

  it('have 23 or 25 hours where the clocks change', () => {
    expect(hoursOf('Europe/Berlin', '2026-03-28')).toBe(24);
    expect(hoursOf('Europe/Berlin', '2026-03-29')).toBe(23);
    expect(hoursOf('Europe/Berlin', '2026-10-25')).toBe(25);
    expect(hoursOf('America/New_York', '2026-03-08')).toBe(23);
    expect(hoursOf('America/New_York', '2026-11-01')).toBe(25);
    expect(hoursOf('Australia/Lord_Howe', '2026-10-04')).toBe(23.5);
  });

  it('begin later where the clocks skip midnight', () => {
    expect(starts('America/Sao_Paulo', '2018-11-04')).toBe('2018-11-04T03:00:00.000Z');
    expect(hoursOf('America/Sao_Paulo', '2018-11-04')).toBe(23);
    expect(starts('Africa/Cairo', '2026-04-24')).toBe('2026-04-23T22:00:00.000Z');
    expect(hoursOf('Africa/Cairo', '2026-04-24')).toBe(23);
    expect(starts('Asia/Beirut', '2026-03-29')).toBe('2026-03-28T22:00:00.000Z');
    expect(hoursOf('Asia/Beirut', '2026-03-29')).toBe(23);
  });

  it('begin once where the clocks go back at midnight, or over it', () => {
    expect(hoursOf('America/Sao_Paulo', '2018-02-17')).toBe(25);
    expect(starts('America/Sao_Paulo', '2018-02-18')).toBe('2018-02-18T03:00:00.000Z');
    expect(starts('America/Havana', '2026-11-01')).toBe('2026-11-01T04:00:00.000Z');
    expect(hoursOf('America/Havana', '2026-11-01')).toBe(25);
  });

  it('begin on the half or quarter of an hour in some zones', () => {
    expect(starts('Asia/Kolkata', '2026-11-21')).toBe('2026-11-20T18:30:00.000Z');
    expect(starts('Asia/Kathmandu', '2026-11-21')).toBe('2026-11-20T18:15:00.000Z');
    expect(starts('Pacific/Chatham', '2026-01-01')).toBe('2025-12-31T10:15:00.000Z');
  });

  it('change the year with the zone', () => {
    const newYear = new Date('2026-12-31T23:30:00Z');
    expect(calendarOf('UTC').dayOf(newYear)).toBe('2026-12-31');
    expect(calendarOf('Europe/Berlin').dayOf(newYear)).toBe('2027-01-01');
    expect(calendarOf('America/Los_Angeles').dayOf(newYear)).toBe('2026-12-31');
    expect(starts('Europe/Berlin', '2027-01-01')).toBe('2026-12-31T23:00:00.000Z');
  });

  it('begin with the next day where there is none such', () => {
    expect(starts('Pacific/Apia', '2011-12-30')).toBe(starts('Pacific/Apia', '2011-12-31'));
  });

  it('begin at their first moment, in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 5000 }), (timeZone, days) => {
        const { dayOf, startOf } = calendarOf(timeZone);
        const day = addDays('2024-01-01', days);
        const start = startOf(day).getTime();
        expect(dayOf(new Date(start))).toBe(day);
        // No quarter of an hour before it is of this day, and none after it of a former one.
        expect(dayOf(new Date(start - 1))).toBe(addDays(day, -1));
        for (let after = 0; after < 20; after += 1) {
          expect(dayOf(new Date(start - 1 - (after * hour) / 4)) < day).toBe(true);
          expect(dayOf(new Date(start + (after * hour) / 4))).toBe(day);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('days', () => {
  it('are counted over months, years and changes of the clocks', () => {
    expect(addDays('2026-11-21', 30)).toBe('2026-12-21');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-03-29', 1)).toBe('2026-03-30');
    expect(addDays('2026-01-02', -3)).toBe('2025-12-30');
  });
});

describe('the name of a time zone', () => {
  it('is one that there is', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Europe/Atlantis')).toBe(false);
    expect(isTimeZone('')).toBe(false);
  });
});
