import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfQuietHours } from './quiet-hours.ts';

describe('quiet hours', () => {
  const night = { start: '22:00', end: '07:00', timeZone: 'Europe/Amsterdam' };

  it.each([
    ['before them', '2026-11-21T20:59:59Z', null],
    ['as they begin', '2026-11-21T21:00:00Z', '2026-11-22T06:00:00.000Z'],
    ['after midnight', '2026-11-22T02:17:31Z', '2026-11-22T06:00:00.000Z'],
    ['as they end', '2026-11-22T06:00:00Z', null],
    ['in the night in which clocks are put forward', '2026-03-28T23:30:00Z', '2026-03-29T05:00:00.000Z'],
    ['in the night in which clocks are put back', '2026-10-24T23:30:00Z', '2026-10-25T06:00:00.000Z'],
  ])('%s', (_when, at, until) => {
    expect(endOfQuietHours(night, new Date(at))?.toISOString() ?? null).toBe(until);
  });

  it('end by the clock also right after it was put forward', () => {
    const until = endOfQuietHours({ ...night, end: '03:30' }, new Date('2026-03-28T23:30:00Z'));
    expect(until?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  it('may lie within a day, or be none at all', () => {
    const noon = { start: '12:00', end: '13:30', timeZone: 'UTC' };
    expect(endOfQuietHours(noon, new Date('2026-11-21T12:00:59Z'))?.toISOString()).toBe('2026-11-21T13:30:00.000Z');
    expect(endOfQuietHours(noon, new Date('2026-11-21T13:30:00Z'))).toBeNull();
    expect(endOfQuietHours({ ...noon, end: '12:00' }, new Date('2026-11-21T12:00:00Z'))).toBeNull();
    expect(endOfQuietHours(null, new Date())).toBeNull();
  });

  it('end within a day; all of the time before that is quiet, and that moment is not', () => {
    const minute = fc.integer({ min: 0, max: 1439 }).map((at) => {
      const pad = (part: number) => String(part).padStart(2, '0');
      return `${pad(Math.floor(at / 60))}:${pad(at % 60)}`;
    });
    const timeZone = fc.constantFrom(
      'UTC',
      'Europe/Amsterdam',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    );
    const at = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(
        minute,
        minute,
        timeZone,
        at,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (start, end, timeZone, at, part) => {
          const hours = { start, end, timeZone };
          const until = endOfQuietHours(hours, at);
          if (until === null) return;
          const length = until.getTime() - at.getTime();
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(25 * 60 * 60 * 1000);
          expect(endOfQuietHours(hours, until)).toBeNull();
          expect(endOfQuietHours(hours, new Date(at.getTime() + length * part))?.getTime()).toBe(until.getTime());
        },
      ),
      { numRuns: 200 },
    );
  });
});
