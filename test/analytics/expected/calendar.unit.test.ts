import { describe, expect, test } from 'vitest';
import { dateBefore, daysBetween, intervalsOf } from './calendar.ts';

const hourMs = 60 * 60_000;
const hoursOf = (from: string, to: string, zone: string) =>
  intervalsOf(from, to, 'day', zone).map(({ start, end }) => (end - start) / hourMs);

describe('intervals found by walking over quarters of an hour', () => {
  test('days have 23 and 25 hours where the clocks are changed', () => {
    expect(hoursOf('2026-03-28', '2026-03-31', 'Europe/Berlin')).toEqual([24, 23, 24]);
    expect(hoursOf('2026-10-31', '2026-11-03', 'America/New_York')).toEqual([24, 25, 24]);
    expect(hoursOf('2026-03-28', '2026-03-31', 'Asia/Kolkata')).toEqual([24, 24, 24]);
  });

  test('the hour that comes twice is two intervals', () => {
    const labels = intervalsOf('2026-10-25', '2026-10-26', 'hour', 'Europe/Berlin').map(({ label }) => label);
    expect(labels).toHaveLength(25);
    expect(labels.slice(1, 5)).toEqual([
      '2026-10-25T01:00:00+02:00',
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T03:00:00+01:00',
    ]);
  });

  test('weeks begin on Mondays, also at New Year, and are cut where the range begins', () => {
    const weeks = intervalsOf('2025-12-27', '2026-01-07', 'week', 'Asia/Kolkata');
    expect(weeks.map(({ label }) => label)).toEqual(['2025-12-27', '2025-12-29', '2026-01-05']);
    expect(weeks[0]?.start).toBe(Date.parse('2025-12-26T18:30:00Z'));
  });

  test('dates before others', () => {
    expect(dateBefore('2026-03-01', 1)).toBe('2026-02-28');
    expect(daysBetween('2026-03-01', '2026-02-27')).toBe(-2);
  });
});
