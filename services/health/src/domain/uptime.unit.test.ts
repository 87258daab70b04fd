import { describe, expect, it } from 'vitest';
import { uptimePercent } from './uptime.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 2) + minutes * 60_000);
const hour = 60 * 60_000;

describe('uptime', () => {
  it('is all of the time without an outage, and only what was watched counts', () => {
    expect(uptimePercent({ since: at(-600), outages: [], gaps: [] }, at(0), hour)).toBe(100);
    expect(uptimePercent({ since: at(0), outages: [], gaps: [] }, at(0), hour)).toBeNull();
    expect(
      uptimePercent({ since: at(-600), outages: [], gaps: [{ from: at(-90), to: at(0) }] }, at(0), hour),
    ).toBeNull();
  });

  it('takes outages off, cut to the period', () => {
    const outages = [
      { from: at(-90), to: at(-57) },
      { from: at(-10), to: at(-7) },
    ];
    expect(uptimePercent({ since: at(-600), outages, gaps: [] }, at(0), hour)).toBe(90);
  });

  it('counts an outage that lasts up to now', () => {
    expect(uptimePercent({ since: at(-600), outages: [{ from: at(-15), to: null }], gaps: [] }, at(0), hour)).toBe(75);
  });

  it('measures a service that is new by its own time', () => {
    expect(uptimePercent({ since: at(-20), outages: [{ from: at(-5), to: at(0) }], gaps: [] }, at(0), hour)).toBe(75);
  });

  it('leaves time that nobody watched out of the account', () => {
    const gaps = [{ from: at(-40), to: at(-20) }];
    expect(uptimePercent({ since: at(-600), outages: [{ from: at(-4), to: at(0) }], gaps }, at(0), hour)).toBe(90);
  });

  it('never says 100 for a service that was down', () => {
    const outages = [{ from: new Date(at(0).getTime() - 10), to: at(0) }];
    expect(uptimePercent({ since: at(-600_000), outages, gaps: [] }, at(0), 24 * hour)).toBe(99.999);
  });
});
