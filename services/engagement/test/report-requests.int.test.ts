import { engagementHttp, engagementOperations } from '@storefront/contracts';
import { defineService, serviceConfig } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { principal, startService, wrongFields, type Harness } from '@storefront/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { zoneOf } from '../src/analytics/domain/reports/report-request.ts';
import { reportHandlers } from '../src/analytics/routes/reports.ts';
import { naiveRollUps, type Counted } from './naive-roll-ups.ts';

const { getAnalyticsReport } = engagementOperations;
const product = 'prod_01h455vb4pex5vsknk084sn02q';
const counted: Counted[] = [
  {
    at: new Date('2026-11-22T23:00:00Z'),
    segment: 'trade',
    person: 1,
    counts: [
      {
        family: 'sales',
        of: 'EUR',
        measures: { orders: 2, units: 60, gross: 1200, discount: 200, net: 1000, known: 2 },
      },
      { family: 'productSales', of: `${product} EUR`, measures: { units: 60, revenue: 1000 } },
      { family: 'searches', of: '=cmd()', measures: { times: 1 } },
    ],
    sets: [{ set: 'active', of: '' }],
  },
];
let asOf = new Date('2026-11-23T11:59:58.250Z');

/** The reports of engagement over roll-ups that are made up here. */
const reporting = defineService({
  name: 'engagement',
  config: z.object(serviceConfig),
  async start(config, overrides) {
    await using resources = await openResources('engagement', config, overrides);
    const handlers = reportHandlers({
      rollUps: { ...naiveRollUps(counted), asOf: async () => asOf },
      thingNames: {
        products: async () => new Map([[product, '=HYPERLINK("x")']]),
        variants: async () => new Map(),
        campaigns: async () => new Map(),
      },
      reportDefaults: { zone: zoneOf('Europe/Berlin'), currency: 'EUR' },
      databaseNow: () => new Date('2026-11-23T12:00:00Z'),
      auditNotes: { add: async () => undefined },
    });
    return await serve(resources, { operations: { getAnalyticsReport }, areas: [{ handlers }] });
  },
});

let service: Harness;
beforeAll(async () => {
  service = await startService(reporting, { bus: 'in-process' });
});
afterAll(() => service.close());

const admin = principal('admin');
const get = (path: string, headers: Record<string, string> = {}, who = admin) =>
  service.call(who, 'GET', `/v1/analytics/reports/${path}`, undefined, headers);
const oneDay = 'from=2026-11-23&to=2026-11-24';

describe('the reports over HTTP', () => {
  it('are read by administrators alone', async () => {
    expect((await get('sales', {}, principal('trade'))).status).toBe(403);
    const { status, body } = await get(`sales?${oneDay}&segment=trade&compare=previous`);
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    const none = {
      orders: 0,
      units: 0,
      gross: euros(0),
      discount: euros(0),
      net: euros(0),
      averageOrder: null,
      returningShare: null,
    };
    const sums = {
      orders: 2,
      units: 60,
      gross: euros(1200),
      discount: euros(200),
      net: euros(1000),
      averageOrder: euros(500),
      returningShare: 0,
    };
    expect([status, body]).toEqual([
      200,
      {
        report: 'sales',
        from: '2026-11-23',
        to: '2026-11-24',
        interval: 'day',
        timezone: 'Europe/Berlin',
        currency: 'EUR',
        asOf: '2026-11-23T11:59:58.250Z',
        rows: [{ start: '2026-11-23', segment: 'trade', ...sums }],
        totals: sums,
        previous: { from: '2026-11-22', to: '2026-11-23', totals: none },
      },
    ]);
  });

  it('send every measure that the contract names', async () => {
    for (const name of getAnalyticsReport.params.shape.report.options) {
      const of = engagementHttp.reports[name].takes.includes('productId') ? `&productId=${product}` : '';
      const { status, body } = await get(`${name}?${oneDay}${of}`);
      expect([name, status]).toEqual([name, 200]);

      expect(new Set(Object.keys(body.totals))).toEqual(new Set(Object.keys(engagementHttp.reports[name].measures)));
    }
  });

  it('are not sent again while nothing but their time changes', async () => {
    const first = await get(`sales?${oneDay}`);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    asOf = new Date('2026-11-23T11:59:59Z');
    const again = await get(`sales?${oneDay}`, { 'if-none-match': tag });
    expect([again.status, again.headers.get('etag'), again.body]).toEqual([304, tag, null]);
    const csv = await get(`sales?${oneDay}&format=csv`, { 'if-none-match': tag });
    expect([csv.status, csv.headers.get('etag') === tag]).toEqual([200, false]);
    counted.push({ ...counted[0]!, at: new Date('2026-11-23T10:00:00Z') });
    expect((await get(`sales?${oneDay}`, { 'if-none-match': tag })).body.totals.orders).toBe(4);
    counted.pop();
  });

  it('are files of CSV with the same columns, whose cells run nothing', async () => {
    const { status, headers, body } = await get(`products?${oneDay}&format=csv&segment=trade`);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="products-2026-11-23-2026-11-24.csv"',
    ]);
    const { body: json } = await get(`products?${oneDay}&segment=trade`);
    const [row = {}]: Record<string, string>[] = parse(body as string, { columns: true });
    expect(Object.keys(row).toSorted()).toEqual([...Object.keys(json.rows[0]), 'currency'].toSorted());
    expect(row).toMatchObject({
      productId: product,
      name: `'=HYPERLINK("x")`,
      units: '60',
      revenue: '10.00',
      viewsOrderedShare: '',
    });
    expect(json.rows[0].name).toBe('=HYPERLINK("x")');
  });

  it('are 404 where there is no such report', async () => {
    for (const name of ['takings', 'Sales', '__proto__', 'constructor'])
      expect([name, (await get(`${name}?${oneDay}`)).status]).toEqual([name, 404]);
  });

  it('name every wrong parameter', async () => {
    const wrong = async (path: string) => {
      const answer = await get(path);
      return [answer.status, wrongFields(answer)];
    };
    expect(await wrong('sales?from=2026-02-29&to=yesterday')).toEqual([
      400,
      { '/from': 'invalid_format', '/to': 'invalid_format' },
    ]);
    expect(await wrong('sales?from=2026-11-24&to=2026-11-24&interval=year&timezone=Europe/Atlantis')).toEqual([
      400,
      { '/from': 'invalid_value', '/to': 'invalid_value', '/interval': 'invalid_value', '/timezone': 'invalid_value' },
    ]);
    expect(await wrong('sales?timezone=%2B00:07')).toEqual([400, { '/timezone': 'invalid_value' }]);
    expect(await wrong('sales?from=1999-12-31&to=2000-01-02')).toEqual([400, { '/from': 'invalid_value' }]);
    expect(await wrong('sales?interval=hour&from=2026-01-01&to=2026-02-01')).toEqual([
      400,
      { '/from': 'too_big', '/to': 'too_big' },
    ]);
    expect(await wrong('funnel?window=2d&segment=all&currency=eur&format=xml&compare=next&page=2')).toEqual([
      400,
      {
        '/window': 'invalid_value',
        '/segment': 'invalid_value',
        '/currency': 'invalid_format',
        '/format': 'invalid_value',
        '/compare': 'invalid_value',
        '/page': 'unknown_field',
      },
    ]);
    expect(await wrong(`funnel?currency=EUR&by=views&limit=5&productId=${product}`)).toEqual([
      400,
      {
        '/currency': 'unknown_field',
        '/by': 'unknown_field',
        '/limit': 'unknown_field',
        '/productId': 'unknown_field',
      },
    ]);
    expect(await wrong('variants')).toEqual([400, { '/productId': 'required' }]);
    expect(await wrong('variants?productId=mug')).toEqual([400, { '/productId': 'invalid_value' }]);
  });
});
