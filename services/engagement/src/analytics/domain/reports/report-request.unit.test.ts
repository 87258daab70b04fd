import { Refusal, type engagementHttp } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { requestedReport, assertNotTooManyRows, zoneOf } from './report-request.ts';

const defaults = { zone: zoneOf('Europe/Berlin'), currency: 'EUR' };
// The day after has begun in Berlin, but not in UTC.
const now = new Date('2026-11-22T23:30:00Z');

function ask(name: engagementHttp.ReportName, query: Partial<engagementHttp.ReportQuery> = {}) {
  return requestedReport(name, { format: 'json', dialect: 'standard', ...query }, defaults, now);
}
/** The parameters that are refused, with their codes. */
function refused(work: () => unknown): Record<string, string> {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal && error.fields)
      return Object.fromEntries(error.fields.map(({ pointer, code }) => [pointer, code]));
    throw error;
  }
  return {};
}

describe('what is left out', () => {
  it('is the 30 days until the end of today in the zone, by day', () => {
    expect(ask('sales')).toMatchObject({
      days: { from: '2026-10-25', to: '2026-11-24' },
      unit: 'day',
      segments: ['trade', 'retail', 'guest'],
      currency: 'EUR',
      window: 7,
      comparesPrevious: false,
    });
    expect(ask('sales', { timezone: 'UTC' }).days).toEqual({ from: '2026-10-24', to: '2026-11-23' });
    expect(ask('sales', { to: '2026-03-31' }).days.from).toBe('2026-03-01');
  });

  it('is the whole time at once for what is about things, and the first 20 of them', () => {
    expect(ask('products')).toMatchObject({ unit: null, limit: 20, by: 'revenue' });
    expect(ask('notifications').limit).toBe(Number.POSITIVE_INFINITY);
  });
});

it('takes what it is given', () => {
  const query = { interval: 'week', limit: 3, by: 'views', segment: 'guest', currency: 'JPY' } as const;
  expect(ask('products', query)).toMatchObject({
    unit: 'week',
    limit: 3,
    by: 'views',
    segments: ['guest'],
    currency: 'JPY',
  });
  expect(ask('funnel', { window: '30d' }).window).toBe(30);
});

describe('a report refuses', () => {
  it('days that are none, and names both', () => {
    const both = { '/from': 'invalid_value', '/to': 'invalid_value' };
    expect(refused(() => ask('sales', { from: '2026-11-24' }))).toEqual(both);
    expect(refused(() => ask('sales', { from: '2026-11-24', to: '2026-11-24' }))).toEqual(both);
    expect(refused(() => ask('sales', { from: '2026-11-23' }))).toEqual({});
  });

  it.each([
    ['hour', '2026-11-01', '2026-11-17', '2026-11-18'],
    // With the 25 hours of October 25 the last day has the 385th to 409th hour.
    ['hour', '2026-10-10', '2026-10-26', '2026-10-27'],
    ['day', '2026-01-01', '2027-02-05', '2027-02-06'],
    ['week', '2026-01-05', '2033-09-05', '2033-09-06'],
    ['month', '2026-01-31', '2059-05-01', '2059-05-02'],
  ] as const)('more than 400 intervals: %s', (interval, from, to, tooLate) => {
    expect(refused(() => ask('sales', { interval, from, to }))).toEqual({});
    expect(refused(() => ask('sales', { interval, from, to: tooLate }))).toEqual({
      '/from': 'too_big',
      '/to': 'too_big',
    });
  });

  it('a time that is too long without intervals', () => {
    expect(refused(() => ask('products', { from: '2000-01-01', to: '2999-01-01' }))).toEqual({
      '/from': 'too_big',
      '/to': 'too_big',
    });
  });

  it('each parameter that is of another report, with the days that are wrong', () => {
    const query = { by: 'views', limit: 3, window: '1d', currency: 'EUR', segment: 'guest' } as const;
    expect(refused(() => ask('registrations', { ...query, from: '2027-01-01' }))).toEqual({
      '/from': 'invalid_value',
      '/to': 'invalid_value',
      '/by': 'unknown_field',
      '/limit': 'unknown_field',
      '/window': 'unknown_field',
      '/currency': 'unknown_field',
      '/segment': 'invalid_value',
    });
    expect(refused(() => ask('receivables', { segment: 'retail' }))).toEqual({ '/segment': 'invalid_value' });
    expect(refused(() => ask('campaigns', { by: 'units' }))).toEqual({ '/by': 'unknown_field' });
  });

  it('so many things and intervals that there are more than 20,000 rows', () => {
    const [one, all] = [ask('products', { segment: 'guest' }), ask('products')];
    expect(refused(() => assertNotTooManyRows(one, 50, 400))).toEqual({});
    expect(refused(() => assertNotTooManyRows(all, 50, 400))).toEqual({ '/interval': 'too_big', '/limit': 'too_big' });
    expect(refused(() => assertNotTooManyRows(ask('notifications'), 50, 400))).toEqual({ '/interval': 'too_big' });
  });
});
