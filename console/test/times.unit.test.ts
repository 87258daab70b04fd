import { expect, it, vi } from 'vitest';

// The language is chosen when the module is loaded, by what a browser has and Node has not.
vi.stubGlobal('localStorage', { getItem: () => null });
const { dayOf, instantOf, setTimeZone, startOfDay } = await import('../src/format.ts');
vi.unstubAllGlobals();

it.each<[timeZone: string, local: string, instant: string]>([
  ['Europe/Amsterdam', '2026-11-21T09:30', '2026-11-21T08:30:00.000Z'],
  ['Europe/Amsterdam', '2026-07-01T09:30', '2026-07-01T07:30:00.000Z'],
  ['America/New_York', '2026-01-15T20:00', '2026-01-16T01:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-15T00:15', '2026-01-14T18:45:00.000Z'],
  // The clock goes from 02:00 to 03:00, and skips 02:30.
  ['Europe/Amsterdam', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Amsterdam', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['Europe/Amsterdam', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59:00.000Z'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
  ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
  // It goes back by an hour, and shows the half past twice.
  ['Europe/Amsterdam', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/Amsterdam', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00:00.000Z'],
])('finds when a clock in %s shows %s', (timeZone, local, instant) => {
  setTimeZone(timeZone);
  expect(instantOf(local)).toBe(instant);
});

it.each<[timeZone: string, day: string, first: string]>([
  ['Europe/Amsterdam', '2026-11-21', '2026-11-20T23:00:00.000Z'],
  // Midnight is skipped, and comes twice.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
])('finds when a day begins in %s: %s', (timeZone, day, first) => {
  setTimeZone(timeZone);
  expect(startOfDay(day)).toBe(first);
  expect(dayOf(new Date(first))).toBe(day);
  expect(dayOf(new Date(Date.parse(first) - 1000))).not.toBe(day);
});
