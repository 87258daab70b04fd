import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allows, forbiddenChannels, preferencesOf, quietUntil } from './preferences.ts';

describe('preferences', () => {
  it('are all on where nothing was chosen', () => {
    const preferences = preferencesOf('user_1');
    expect(allows(preferences, 'marketing', 'EMAIL')).toBe(true);
    expect(allows(preferences, 'security', 'IN_APP')).toBe(true);
  });

  it('switch off one channel of one kind', () => {
    const preferences = preferencesOf('user_1', { types: { marketing: { EMAIL: false } }, quietHours: null });
    expect(allows(preferences, 'marketing', 'EMAIL')).toBe(false);
    expect(allows(preferences, 'marketing', 'IN_APP')).toBe(true);
    expect(allows(preferences, 'orders', 'EMAIL')).toBe(true);
  });

  it('never switch off security mail', () => {
    const change = { types: { security: { EMAIL: false, IN_APP: false, SMS: false } }, quietHours: null };
    expect(forbiddenChannels(change)).toEqual(['IN_APP', 'EMAIL']);
    // Even where such preferences got stored somehow.
    expect(allows(preferencesOf('user_1', change), 'security', 'EMAIL')).toBe(true);
    expect(allows(preferencesOf('user_1', change), 'security', 'SMS')).toBe(false);
  });
});

describe('quiet hours', () => {
  const night = { start: '22:00', end: '07:00', timeZone: 'Europe/Amsterdam' };

  it.each([
    ['before them', '2026-11-21T20:59:59Z', null],
    ['as they begin', '2026-11-21T21:00:00Z', '2026-11-22T06:00:00.000Z'],
    ['after midnight', '2026-11-22T02:17:31Z', '2026-11-22T06:00:00.000Z'],
    ['as they end', '2026-11-22T06:00:00Z', null],
    ['in the night that loses an hour', '2026-03-28T23:30:00Z', '2026-03-29T05:00:00.000Z'],
    ['in the night that gains an hour', '2026-10-24T23:30:00Z', '2026-10-25T06:00:00.000Z'],
  ])('%s', (_when, at, until) => {
    expect(quietUntil(night, new Date(at))?.toISOString() ?? null).toBe(until);
  });

  it('end by the clock also right after an hour was lost', () => {
    const until = quietUntil({ ...night, end: '03:30' }, new Date('2026-03-28T23:30:00Z'));
    expect(until?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  it('may lie within a day, or be none at all', () => {
    const noon = { start: '12:00', end: '13:30', timeZone: 'UTC' };
    expect(quietUntil(noon, new Date('2026-11-21T12:00:59Z'))?.toISOString()).toBe('2026-11-21T13:30:00.000Z');
    expect(quietUntil(noon, new Date('2026-11-21T13:30:00Z'))).toBeNull();
    expect(quietUntil({ ...noon, end: '12:00' }, new Date('2026-11-21T12:00:00Z'))).toBeNull();
    expect(quietUntil(null, new Date())).toBeNull();
  });

  it('end within a day, at a moment that is not quiet, and all of the time before it is', () => {
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
          const until = quietUntil(hours, at);
          if (until === null) return;
          const length = until.getTime() - at.getTime();
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(25 * 60 * 60 * 1000);
          expect(quietUntil(hours, until)).toBeNull();
          expect(quietUntil(hours, new Date(at.getTime() + length * part))?.getTime()).toBe(until.getTime());
        },
      ),
      { numRuns: 200 },
    );
  });
});
