import type { engagementHttp } from '@storefront/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportCsv } from '../src/analytics/domain/reports/report-csv.ts';
import { openInSpreadsheet } from './spreadsheet.ts';

const searched = (words: string, more: Partial<engagementHttp.ReportRow> = {}): engagementHttp.ReportRow => ({
  start: '2026-11-23',
  segment: 'guest',
  words,
  times: 2,
  withoutResultShare: 0.5,
  ...more,
});

describe('a report as CSV', () => {
  it('has the columns of its rows, whatever the order of their fields', () => {
    const row: engagementHttp.ReportRow = {
      wishlists: 0,
      views: 0,
      revenue: { amount: -19_900, currency: 'EUR' },
      units: 2,
      viewsOrderedShare: null,
      name: 'Tea, "green"',
      productId: 'prod_tea',
      segment: 'trade',
      start: '2026-11-23T09:00:00+01:00',
    };
    expect(reportCsv('products', { rows: [row], currency: 'EUR' })).toBe(
      '\ufeffstart,segment,productId,name,currency,views,wishlists,units,revenue,viewsOrderedShare\r\n' +
        '2026-11-23T09:00:00+01:00,trade,prod_tea,"Tea, ""green""",EUR,0,0,2,-199.00,\r\n',
    );
    const columns = (name: engagementHttp.ReportName, currency: string | null = null) =>
      reportCsv(name, { rows: [], currency }).replace('\ufeff', '').trim().split(',').slice(0, 5);
    expect(columns('sales', 'EUR')).toEqual(['start', 'segment', 'currency', 'orders', 'units']);
    expect(columns('campaigns', 'EUR')).toEqual(['start', 'segment', 'campaignId', 'name', 'currency']);
    expect(columns('notifications')).toEqual(['start', 'segment', 'channel', 'type', 'requested']);
    expect(columns('searches')).toEqual(['start', 'segment', 'words', 'times', 'withoutResultShare']);
  });

  it('has semicolons and decimal commas for a German Excel', () => {
    const row = searched('tea', { withoutResultShare: 0.25 });
    expect(reportCsv('searches', { rows: [row], currency: null }, 'excel-de').split('\r\n')[1]).toBe(
      '2026-11-23;guest;tea;2;0,25',
    );
  });

  it('shows every cell in a spreadsheet, and runs none as a formula', () => {
    const names = [
      '=HYPERLINK("http://example.com","x")',
      '+1+2',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      'a,"b"\nc',
      '=1',
    ];
    const rows = names.map((name) => searched(name));
    const { cells, formulas } = openInSpreadsheet(reportCsv('searches', { rows, currency: null }));
    expect(formulas).toEqual([]);
    expect(cells.slice(1)).toEqual(names.map((name) => ['2026-11-23', 'guest', name, '2', '0.5']));
  });

  it('leaves numbers below 0 as they are', () => {
    const { cells } = openInSpreadsheet(
      reportCsv('searches', { rows: [searched('tea', { times: -3 })], currency: null }),
    );
    expect(cells[1]).toEqual(['2026-11-23', 'guest', 'tea', '-3', '0.5']);
  });

  it('runs nothing of whatever was searched for', () => {
    const word = fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", ' ', '1', 'A'),
    });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const { cells, formulas } = openInSpreadsheet(
          reportCsv('searches', { rows: words.map((one) => searched(one)), currency: null }),
        );
        expect(formulas).toEqual([]);
        expect(cells).toHaveLength(words.length + 1);
      }),
      { numRuns: 50 },
    );
  });
});
