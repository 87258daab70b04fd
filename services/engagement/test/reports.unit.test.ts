import { addDays, calendarOf } from '@storefront/calendar';
import type { engagementHttp } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { makeReport } from '../src/analytics/commands/make-report.ts';
import { requestedReport, zoneOf } from '../src/analytics/domain/reports/report-request.ts';
import { naiveRollUps, type Counted } from './naive-roll-ups.ts';

const now = new Date('2026-11-23T12:00:00Z');
const asOf = new Date('2026-11-23T11:59:59Z');
const reportDefaults = { zone: zoneOf('Europe/Berlin'), currency: 'EUR' };
const thingNames = {
  products: async () => new Map([['prod_tea', 'Green tea']]),
  variants: async () => new Map([['prod_tea var_big', 'Green tea, 1 kg']]),
  campaigns: async () => new Map([['camp_spring', 'Spring']]),
};

function read(
  counted: readonly Counted[],
  name: engagementHttp.ReportName,
  query: Partial<engagementHttp.ReportQuery>,
) {
  const requested = requestedReport(name, { format: 'json', dialect: 'standard', ...query }, reportDefaults, now);
  return makeReport({ rollUps: naiveRollUps(counted, asOf), thingNames }, requested);
}

const at = (time: string) => new Date(time);
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const sale = (time: string, segment: Counted['segment'], measures: Record<string, number>, of = 'EUR'): Counted => ({
  at: at(time),
  segment,
  counts: [{ family: 'sales', of, measures }],
});
const order = (net: number, more: Record<string, number> = {}) => ({
  orders: 1,
  units: 2,
  gross: net + 10,
  discount: 10,
  net,
  ...more,
});
const november = { from: '2026-11-01', to: '2026-12-01' } as const;
const row = (body: engagementHttp.ReportBody, start: string, segment: Counted['segment']) => {
  const {
    start: _start,
    segment: _segment,
    ...rest
  } = body.rows.find((one) => one.start === start && one.segment === segment) ?? {};
  return rest;
};

describe('sales', () => {
  const noSales = {
    orders: 0,
    units: 0,
    gross: euros(0),
    discount: euros(0),
    net: euros(0),
    averageOrder: null,
    returningShare: null,
  };
  const sales = [
    // The day before, the day on which the clocks go back, and the day after.
    sale('2026-10-24T21:59:59.999Z', 'retail', order(900)),
    sale('2026-10-24T22:00:00.000Z', 'retail', order(100, { known: 1 })),
    sale('2026-10-25T22:59:59.999Z', 'trade', order(301, { known: 1, returning: 1 })),
    sale('2026-10-25T22:59:59.999Z', 'trade', order(500)),
    sale('2026-10-25T12:00:00.000Z', 'guest', order(77), 'USD'),
    sale('2026-10-25T23:00:00.000Z', 'retail', order(900)),
  ];

  it('has the orders of a day of 25 hours, by segment and together, and zeros where there are none', async () => {
    expect(await read(sales, 'sales', { from: '2026-10-25', to: '2026-10-26', compare: 'previous' })).toEqual({
      report: 'sales',
      from: '2026-10-25',
      to: '2026-10-26',
      interval: 'day',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      asOf: '2026-11-23T11:59:59.000Z',
      rows: [
        {
          start: '2026-10-25',
          segment: 'trade',
          orders: 2,
          units: 4,
          gross: euros(821),
          discount: euros(20),
          net: euros(801),
          averageOrder: euros(401),
          returningShare: 1,
        },
        {
          start: '2026-10-25',
          segment: 'retail',
          orders: 1,
          units: 2,
          gross: euros(110),
          discount: euros(10),
          net: euros(100),
          averageOrder: euros(100),
          returningShare: 0,
        },
        { start: '2026-10-25', segment: 'guest', ...noSales },
      ],
      totals: {
        orders: 3,
        units: 6,
        gross: euros(931),
        discount: euros(30),
        net: euros(901),
        averageOrder: euros(300),
        returningShare: 0.5,
      },
      previous: {
        from: '2026-10-24',
        to: '2026-10-25',
        totals: {
          orders: 1,
          units: 2,
          gross: euros(910),
          discount: euros(10),
          net: euros(900),
          averageOrder: euros(900),
          returningShare: null,
        },
      },
    });
  });

  it('has the days of another zone, the hours of that day, and another currency', async () => {
    const inNewYork = await read(sales, 'sales', {
      from: '2026-10-24',
      to: '2026-10-27',
      timezone: 'America/New_York',
    });
    expect(inNewYork.rows.filter(({ segment }) => segment === 'retail').map(({ start, net }) => [start, net])).toEqual([
      ['2026-10-24', euros(1000)],
      ['2026-10-25', euros(900)],
      ['2026-10-26', euros(0)],
    ]);
    const hours = await read(sales, 'sales', {
      from: '2026-10-25',
      to: '2026-10-26',
      interval: 'hour',
      segment: 'trade',
    });
    expect(hours.rows).toHaveLength(25);
    expect(hours.rows.at(-1)).toMatchObject({ start: '2026-10-25T23:00:00+01:00', net: euros(801) });
    expect(hours.totals).toMatchObject({ orders: 2, net: euros(801) });
    const dollars = await read(sales, 'sales', { from: '2026-10-25', to: '2026-10-26', currency: 'USD' });
    expect([dollars.currency, dollars.totals.net]).toEqual(['USD', { amount: 77, currency: 'USD' }]);
  });

  it('adds parts of a unit up to what they are', async () => {
    const parts = [0.1, 0.2].map((units) => sale('2026-11-02T10:00:00Z', 'trade', { ...order(100), units }));
    const { totals } = await read(parts, 'sales', { from: '2026-11-02', to: '2026-11-03' });
    expect(totals.units).toBe(0.3);
  });

  it('looks at 30 days until the end of today where nothing else is said', async () => {
    const { from, to, rows } = await read([], 'sales', {});
    expect([from, to, rows.length]).toEqual(['2026-10-25', '2026-11-24', 30 * 3]);
  });
});

it('has registrations of trade and retail, and the median hours to a verdict', async () => {
  const count = (
    time: string,
    segment: Counted['segment'],
    measures: Record<string, number>,
    value?: number,
  ): Counted => ({
    at: at(time),
    segment,
    counts: [{ family: 'registrations', of: '', measures, ...(value !== undefined && { value }) }],
  });
  const body = await read(
    [
      count('2026-11-02T10:00:00Z', 'retail', { begun: 3 }),
      count('2026-11-02T10:00:00Z', 'retail', { verified: 1 }),
      count('2026-11-02T10:00:00Z', 'trade', { begun: 1, verified: 1, applied: 1 }),
      count('2026-11-02T12:00:00Z', 'trade', { approved: 1 }, 2),
      count('2026-11-02T12:00:00Z', 'trade', { approved: 1 }, 30),
      count('2026-11-09T12:00:00Z', 'trade', { rejected: 1 }, 3),
    ],
    'registrations',
    { ...november, interval: 'week' },
  );
  expect(body.rows.map(({ start, segment }) => `${start} ${segment}`).slice(0, 4)).toEqual([
    '2026-11-01 trade',
    '2026-11-01 retail',
    '2026-11-02 trade',
    '2026-11-02 retail',
  ]);
  expect(row(body, '2026-11-02', 'retail')).toEqual({
    begun: 3,
    verified: 1,
    shareVerified: 0.3333,
    applied: 0,
    approved: 0,
    rejected: 0,
    medianHours: null,
  });
  expect(row(body, '2026-11-02', 'trade')).toMatchObject({ applied: 1, approved: 2, medianHours: 16 });
  expect(body.totals).toMatchObject({ begun: 4, verified: 2, shareVerified: 0.5, rejected: 1, medianHours: 3 });
  expect(body.currency).toBeNull();
});

it('has everything in one row, each user once over the whole time', async () => {
  const did = (time: string, person: number, counts: Counted['counts'] = []): Counted => ({
    at: at(time),
    segment: 'retail',
    person,
    counts,
    sets: [{ set: 'active', of: '' }],
  });
  const body = await read(
    [
      did('2026-11-02T10:00:00Z', 1, [{ family: 'registrations', of: '', measures: { begun: 1, verified: 1 } }]),
      did('2026-11-02T11:00:00Z', 1, [{ family: 'sales', of: 'EUR', measures: order(500) }]),
      did('2026-11-02T11:00:00Z', 2, [{ family: 'wishlists', of: '', measures: { additions: 2, removals: 1 } }]),
      did('2026-11-03T11:00:00Z', 1, [
        { family: 'campaigns', of: 'camp_spring EUR', measures: { redemptions: 1 } },
        { family: 'campaigns', of: 'camp_tea EUR', measures: { redemptions: 1 } },
        { family: 'campaigns', of: 'EUR', measures: { redemptions: 1 } },
        { family: 'notifications', of: 'EMAIL offers', measures: { delivered: 1 } },
        { family: 'notifications', of: '', measures: { delivered: 1 } },
      ]),
      {
        at: at('2026-11-03T11:00:00Z'),
        segment: 'trade',
        counts: [
          { family: 'registrations', of: '', measures: { applied: 3, approved: 1 } },
          { family: 'receivables', of: 'EUR', measures: { invoiced: 700, paid: 300, overdue: 400 } },
        ],
      },
    ],
    'summary',
    { from: '2026-11-02', to: '2026-11-04' },
  );
  expect(row(body, '2026-11-02', 'retail')).toMatchObject({
    registrations: 1,
    activeUsers: 2,
    orders: 1,
    net: euros(500),
  });
  expect(row(body, '2026-11-03', 'retail')).toMatchObject({ activeUsers: 1, redemptions: 1, orders: 0 });
  expect(body.totals).toEqual({
    registrations: 1,
    verified: 1,
    tradeApplications: 3,
    approved: 1,
    activeUsers: 2,
    orders: 1,
    gross: euros(510),
    discount: euros(10),
    net: euros(500),
    averageOrder: euros(500),
    redemptions: 1,
    notificationsDelivered: 1,
    wishlistAdditions: 2,
    invoiced: euros(700),
    paid: euros(300),
    overdue: euros(400),
  });
});

describe('orders', () => {
  const of = (time: string, segment: Counted['segment'], measures: Record<string, number>, currency = 'EUR') => ({
    at: at(time),
    segment,
    counts: [{ family: 'orders' as const, of: currency, measures }],
  });
  const counted = [
    of('2026-11-03T10:00:00Z', 'retail', { placed: 1, unitsPlaced: 2, placedValue: 1001 }),
    of('2026-11-03T11:00:00Z', 'retail', { placed: 1, unitsPlaced: 1, placedValue: 500 }),
    of('2026-11-03T12:00:00Z', 'retail', { placed: 1, unitsPlaced: 1, placedValue: 500 }, 'USD'),
    of('2026-11-03T13:00:00Z', 'guest', { givenUp: 1 }),
    of('2026-11-04T10:00:00Z', 'retail', { cancelled: 1, cancelledValue: 1001 }),
    of('2026-11-04T11:00:00Z', 'retail', { refunded: 900 }),
    of('2026-11-04T12:00:00Z', 'retail', { refunded: -200 }),
    of('2026-11-04T13:00:00Z', 'retail', { unitsReturned: 2 }),
  ];
  const nothing = {
    placed: 0,
    unitsPlaced: 0,
    placedValue: euros(0),
    averageValue: null,
    cancelled: 0,
    cancelledValue: euros(0),
    refunded: euros(0),
    unitsReturned: 0,
    givenUp: 0,
  };

  it('are what was placed, cancelled, given up, refunded and returned on each day, in one currency', async () => {
    const body = await read(counted, 'orders', november);
    const placed = { placed: 2, unitsPlaced: 3, placedValue: euros(1501), averageValue: euros(751) };
    const ended = { cancelled: 1, cancelledValue: euros(1001), refunded: euros(700), unitsReturned: 2 };
    expect(row(body, '2026-11-03', 'retail')).toEqual({ ...nothing, ...placed });
    expect(row(body, '2026-11-03', 'guest')).toEqual({ ...nothing, givenUp: 1 });
    expect(row(body, '2026-11-04', 'retail')).toEqual({ ...nothing, ...ended });
    expect(body.totals).toEqual({ ...nothing, ...placed, ...ended, givenUp: 1 });
  });
});

it('sales have no average on a day on which more orders were cancelled than placed', async () => {
  const cancelled = { orders: -1, units: -2, gross: -110, discount: -10, net: -100 };
  const body = await read([sale('2026-11-05T10:00:00Z', 'retail', cancelled)], 'sales', november);
  expect(row(body, '2026-11-05', 'retail')).toMatchObject({ orders: -1, net: euros(-100), averageOrder: null });
});

describe('products', () => {
  const sold = (productId: string, units: number, revenue: number, time = '2026-11-02T10:00:00Z'): Counted => ({
    at: at(time),
    segment: 'retail',
    counts: [{ family: 'productSales', of: `${productId} EUR`, measures: { units, revenue } }],
  });
  const counted: Counted[] = [
    sold('prod_tea', 3, 900),
    sold('prod_tea', 1, 300, '2026-11-09T10:00:00Z'),
    sold('prod_cup', 5, 1000),
    { ...sold('prod_pot', 1, 5000), counts: [{ family: 'productSales', of: 'prod_pot USD', measures: { units: 9 } }] },
    {
      at: at('2026-11-03T10:00:00Z'),
      segment: 'guest',
      counts: [{ family: 'productInterest', of: 'prod_tea', measures: { views: 8, viewsOrdered: 2 } }],
    },
    {
      at: at('2026-11-03T10:00:00Z'),
      segment: 'trade',
      counts: [{ family: 'productInterest', of: 'prod_jar', measures: { views: 1, wishlists: 4 } }],
    },
  ];

  it('come in the order that is asked for, as many as are asked for; the totals are of all of them', async () => {
    const ids = async (query: Partial<engagementHttp.ReportQuery>) => {
      const body = await read(counted, 'products', { ...november, ...query });
      expect(body.totals).toEqual({
        views: 9,
        wishlists: 4,
        units: 9,
        revenue: euros(2200),
        viewsOrderedShare: 0.2222,
      });
      return body.rows.filter(({ segment }) => segment === 'trade').map(({ productId }) => productId);
    };
    expect(await ids({})).toEqual(['prod_tea', 'prod_cup', 'prod_jar']);
    expect(await ids({ by: 'units' })).toEqual(['prod_cup', 'prod_tea', 'prod_jar']);
    expect(await ids({ by: 'views' })).toEqual(['prod_tea', 'prod_jar', 'prod_cup']);
    expect(await ids({ by: 'wishlists', limit: 1 })).toEqual(['prod_jar']);
  });

  it('have their names, and one row for each segment of the whole time', async () => {
    const body = await read(counted, 'products', { ...november, limit: 2 });
    expect([body.interval, body.rows.length]).toEqual([null, 6]);
    const of = (name: string | null, figures: object) => ({
      productId: name ? 'prod_tea' : 'prod_cup',
      name,
      views: 0,
      wishlists: 0,
      units: 0,
      revenue: euros(0),
      viewsOrderedShare: null,
      start: '2026-11-01',
      ...figures,
    });
    expect(body.rows.slice(1, 3)).toEqual([
      of('Green tea', { segment: 'retail', units: 4, revenue: euros(1200) }),
      of('Green tea', { segment: 'guest', views: 8, viewsOrderedShare: 0.25 }),
    ]);
    expect(body.rows[4]).toEqual(of(null, { segment: 'retail', units: 5, revenue: euros(1000) }));
  });

  it('have rows for each interval where that is asked for', async () => {
    const { rows } = await read(counted, 'products', { ...november, interval: 'week', segment: 'retail', limit: 1 });
    expect(rows.map(({ start, productId, units }) => [start, productId, units])).toEqual([
      ['2026-11-01', 'prod_tea', 0],
      ['2026-11-02', 'prod_tea', 3],
      ['2026-11-09', 'prod_tea', 1],
      ['2026-11-16', 'prod_tea', 0],
      ['2026-11-23', 'prod_tea', 0],
      ['2026-11-30', 'prod_tea', 0],
    ]);
  });
});

it('variants are those of the product that is asked for, with what names no variant, those with most revenue first', async () => {
  const sold = (of: string, units: number, revenue: number): Counted => ({
    at: at('2026-11-02T10:00:00Z'),
    segment: 'retail',
    counts: [{ family: 'variantSales', of, measures: { units, revenue } }],
  });
  const counted: Counted[] = [
    sold('prod_tea none EUR', 1, 100),
    sold('prod_tea var_big EUR', 2, 900),
    sold('prod_tea var_big USD', 5, 500),
    sold('prod_teapot var_x EUR', 9, 9000),
    {
      at: at('2026-11-03T10:00:00Z'),
      segment: 'retail',
      counts: [{ family: 'variantInterest', of: 'prod_tea var_small', measures: { wishlists: 3 } }],
    },
  ];
  const body = await read(counted, 'variants', { ...november, productId: 'prod_tea', segment: 'retail' });
  const of = (variantId: string | null, name: string | null, wishlists: number, units: number, revenue: number) => ({
    start: '2026-11-01',
    segment: 'retail',
    productId: 'prod_tea',
    variantId,
    name,
    wishlists,
    units,
    revenue: euros(revenue),
  });
  expect(body.rows).toEqual([
    of('var_big', 'Green tea, 1 kg', 0, 2, 900),
    of(null, null, 0, 1, 100),
    of('var_small', null, 3, 0, 0),
  ]);
  expect(body.totals).toEqual({ wishlists: 3, units: 3, revenue: euros(1000) });
});

describe('campaigns', () => {
  const redeemed = (time: string, person: number, campaigns: string[], times = 1): Counted => ({
    at: at(time),
    segment: 'retail',
    person,
    counts: [
      ...campaigns.map((id) => ({
        family: 'campaigns' as const,
        of: `${id} EUR`,
        measures: { redemptions: times, discount: 100 * times, orderValue: 940 * times },
      })),
      {
        family: 'campaigns',
        of: 'EUR',
        measures: { redemptions: times, discount: 100 * campaigns.length * times, orderValue: 940 * times },
      },
    ],
    sets: times < 0 ? [] : ['', ...campaigns].map((of) => ({ set: 'campaignCustomers' as const, of })),
  });
  const counted = [
    redeemed('2026-11-02T10:00:00Z', 1, ['camp_spring', 'camp_tea']),
    redeemed('2026-11-03T10:00:00Z', 1, ['camp_spring']),
    redeemed('2026-11-03T11:00:00Z', 2, ['camp_spring']),
    redeemed('2026-11-04T10:00:00Z', 2, ['camp_spring'], -1),
  ];

  it('count what is left of redemptions, customers once, and an order once in the totals', async () => {
    const body = await read(counted, 'campaigns', { ...november, segment: 'retail' });
    expect(body.rows).toEqual([
      {
        start: '2026-11-01',
        segment: 'retail',
        campaignId: 'camp_spring',
        name: 'Spring',
        redemptions: 2,
        customers: 2,
        discount: euros(200),
        orderValue: euros(1880),
        valuePerDiscount: 9.4,
      },
      expect.objectContaining({ campaignId: 'camp_tea', name: null, redemptions: 1, customers: 1 }),
    ]);
    expect(body.totals).toEqual({
      redemptions: 2,
      customers: 2,
      discount: euros(300),
      orderValue: euros(1880),
      valuePerDiscount: 6.27,
    });
  });

  it('have customers of each interval', async () => {
    const { rows } = await read(counted, 'campaigns', {
      from: '2026-11-02',
      to: '2026-11-05',
      interval: 'day',
      segment: 'retail',
      limit: 1,
    });
    expect(
      rows.map(({ redemptions, customers, valuePerDiscount }) => [redemptions, customers, valuePerDiscount]),
    ).toEqual([
      [1, 1, 9.4],
      [2, 2, 9.4],
      [-1, 0, null],
    ]);
  });
});

it('has notifications by channel and type, and how long it took to read them', async () => {
  const body = await read(
    [
      {
        at: at('2026-11-02T10:00:00Z'),
        segment: 'trade',
        counts: [
          { family: 'notifications', of: '', measures: { requested: 8, delivered: 6, failed: 1, suppressed: 1 } },
          { family: 'notifications', of: 'EMAIL security', measures: { requested: 3, delivered: 2, failed: 1 } },
          { family: 'notifications', of: 'IN_APP offers', measures: { requested: 5, delivered: 4, suppressed: 1 } },
          ...[1, 5, 90].flatMap((value) =>
            ['', 'IN_APP offers'].map((of) => ({
              family: 'notifications' as const,
              of,
              measures: { read: 1 },
              value,
            })),
          ),
        ],
      },
    ],
    'notifications',
    { ...november, segment: 'trade' },
  );
  const nothing = { requested: 0, delivered: 0, failed: 0, suppressed: 0, read: 0, readShare: null };
  expect(body.rows).toEqual([
    {
      ...nothing,
      start: '2026-11-01',
      segment: 'trade',
      channel: 'IN_APP',
      type: 'offers',
      requested: 5,
      delivered: 4,
      suppressed: 1,
      read: 3,
      readShare: 0.75,
      medianMinutesToRead: 5,
    },
    {
      ...nothing,
      start: '2026-11-01',
      segment: 'trade',
      channel: 'EMAIL',
      type: 'security',
      requested: 3,
      delivered: 2,
      failed: 1,
      readShare: 0,
      medianMinutesToRead: null,
    },
  ]);
  expect(body.totals).toMatchObject({ requested: 8, delivered: 6, readShare: 0.5, medianMinutesToRead: 5 });
});

it('has what is wished for, and what came of it', async () => {
  const body = await read(
    [
      {
        at: at('2026-11-02T10:00:00Z'),
        segment: 'retail',
        counts: [
          {
            family: 'wishlists',
            of: '',
            measures: { additions: 5, removals: 2, ordered: 1, alerts: 3, alertsOrdered: 2 },
          },
        ],
      },
    ],
    'wishlists',
    { ...november, interval: 'month' },
  );
  expect(row(body, '2026-11-01', 'retail')).toEqual({
    additions: 5,
    removals: 2,
    wishedAndOrdered: 1,
    alertsRaised: 3,
    alertsOrdered: 2,
  });
});

it('has how many people came how far within the window, each once', async () => {
  const came = (day: number, person: number, segment: Counted['segment'], sets: Counted['sets'] = []): Counted => ({
    at: new Date(Date.UTC(2026, 10, day, 12)),
    segment,
    person,
    sets: [{ set: 'viewers', of: '' }, ...sets],
  });
  const counted: Counted[] = [
    came(2, 1, 'retail', [
      { set: 'reached:wishlisted:1', of: '' },
      { set: 'reached:wishlisted:7', of: '' },
      { set: 'reached:checkout:7', of: '' },
      { set: 'reached:ordered:7', of: '' },
    ]),
    came(3, 1, 'retail', [{ set: 'reached:wishlisted:7', of: '' }]),
    came(3, 2, 'retail', [{ set: 'reached:wishlisted:7', of: '' }]),
    came(3, 3, 'guest'),
    came(4, 3, 'retail'),
    {
      ...came(4, 2, 'retail'),
      sets: [
        'carted' as const,
        ...(['checkedOut', 'bought', 'shipped'] as const).map((step) => `reached:${step}:7` as const),
        'reached:arrived:30' as const,
      ].map((set) => ({ set, of: '' })),
    },
    { ...came(5, 4, 'guest'), sets: [{ set: 'carted', of: '' }] },
  ];
  const body = await read(counted, 'funnel', november);
  expect(row(body, '2026-11-03', 'retail')).toMatchObject({
    viewed: 2,
    wishlisted: 2,
    checkout: 0,
    orderedShare: null,
  });
  expect(body.totals).toEqual({
    viewed: 3,
    wishlisted: 2,
    checkout: 1,
    ordered: 1,
    wishlistedShare: 0.6667,
    checkoutShare: 0.5,
    orderedShare: 1,
    carted: 2,
    checkedOut: 1,
    bought: 1,
    shipped: 1,
    arrived: 0,
    checkedOutShare: 0.5,
    boughtShare: 1,
    shippedShare: 1,
    arrivedShare: 0,
  });
  const month = await read(counted, 'funnel', { ...november, window: '30d' });
  expect(month.totals).toMatchObject({ carted: 2, shipped: 0, arrived: 1 });
  const day = await read(counted, 'funnel', { ...november, window: '1d' });
  expect(day.totals).toMatchObject({ viewed: 3, wishlisted: 1, checkout: 0 });
});

it('has what was searched for, most often first', async () => {
  const searched = (words: string, segment: Counted['segment'], times: number, withoutResult: number): Counted => ({
    at: at('2026-11-02T10:00:00Z'),
    segment,
    counts: [{ family: 'searches', of: words, measures: { times, withoutResult } }],
  });
  const counted = [
    searched('tea EUR', 'guest', 1, 1),
    searched('oolong', 'guest', 2, 1),
    searched('oolong', 'trade', 1, 0),
    searched('cups', 'retail', 3, 0),
  ];
  const body = await read(counted, 'searches', november);
  expect(body.rows.filter(({ times }) => times !== 0)).toEqual([
    { start: '2026-11-01', segment: 'retail', words: 'cups', times: 3, withoutResultShare: 0 },
    { start: '2026-11-01', segment: 'trade', words: 'oolong', times: 1, withoutResultShare: 0 },
    { start: '2026-11-01', segment: 'guest', words: 'oolong', times: 2, withoutResultShare: 0.5 },
    { start: '2026-11-01', segment: 'guest', words: 'tea EUR', times: 1, withoutResultShare: 1 },
  ]);
  expect(body.totals).toEqual({ times: 7, withoutResultShare: 0.2857 });
});

describe('receivables', () => {
  const { startOf } = calendarOf('Europe/Berlin');
  const owed = (time: string, measures: Record<string, number>, of = 'EUR', value?: number): Counted => ({
    at: at(time),
    segment: 'trade',
    counts: [{ family: 'receivables', of, measures, ...(value !== undefined && { value }) }],
  });
  /** A change of what is owed counts at once, and again when it is overdue for 1, 31, 61 and 91 days. */
  const changed = (time: string, dueOn: string, delta: number, of = 'EUR'): Counted[] => [
    owed(time, { open: delta }, of),
    ...[1, 31, 61, 91].map((days) => {
      const from = startOf(addDays(dueOn, days));
      return owed(from > at(time) ? from.toISOString() : time, { [`open${days}`]: delta }, of);
    }),
  ];
  const counted = [
    ...changed('2026-07-01T10:00:00Z', '2026-07-31', 1000),
    ...changed('2026-08-01T10:00:00Z', '2026-09-20', 200),
    ...changed('2026-09-01T10:00:00Z', '2026-10-22', 30),
    ...changed('2026-10-20T10:00:00Z', '2026-11-20', 500),
    ...changed('2026-10-25T10:00:00Z', '2026-12-20', 60),
    owed('2026-10-25T10:00:00Z', { invoiced: 60 }),
    ...changed('2026-10-25T10:00:00Z', '2026-12-20', 7, 'USD'),
    ...changed('2026-11-21T23:00:00Z', '2026-11-20', -500),
    owed('2026-11-21T23:00:00Z', { paid: 500 }, 'EUR', 32),
  ];
  const open = (body: engagementHttp.ReportBody, day: string) => {
    const found = body.rows.find(({ start }) => start === day);
    return [found?.openCurrent, found?.open1To30, found?.open31To60, found?.open61To90, found?.openOver90];
  };

  it('are owed at the end of each interval, by age on its last day of the shop', async () => {
    const body = await read(counted, 'receivables', { from: '2026-11-20', to: '2026-11-23' });
    expect(open(body, '2026-11-20')).toEqual([560, 30, 0, 200, 1000].map(euros));
    expect(open(body, '2026-11-21')).toEqual([60, 530, 0, 200, 1000].map(euros));
    expect(open(body, '2026-11-22')).toEqual([60, 0, 30, 200, 1000].map(euros));
    expect(body.totals).toEqual({
      invoiced: euros(0),
      paid: euros(500),
      openCurrent: euros(60),
      open1To30: euros(0),
      open31To60: euros(30),
      open61To90: euros(200),
      openOver90: euros(1000),
      medianDaysToPay: 32,
    });
    expect(body.rows).toHaveLength(3);
  });

  it('are as old as they are today where the interval is not over', async () => {
    const { rows } = await read(counted, 'receivables', { from: '2026-11-01', to: '2027-01-01', interval: 'month' });
    expect(rows.map(({ openCurrent, open1To30 }) => [openCurrent, open1To30])).toEqual([
      [euros(60), euros(0)],
      [euros(60), euros(0)],
    ]);
  });

  it('grow older with the days of the shop, whatever the zone of the report', async () => {
    // In New York November 20 ends at six in the morning of the shop, where what was due on November 20 is overdue by then.
    const query = { from: '2026-11-19', to: '2026-11-21', timezone: 'America/New_York' } as const;
    const body = await read(counted, 'receivables', query);
    expect(open(body, '2026-11-19')).toEqual([560, 30, 0, 200, 1000].map(euros));
    expect(open(body, '2026-11-20')).toEqual([60, 530, 0, 200, 1000].map(euros));
  });

  it('compares with what was owed at the end of the days before', async () => {
    const query = { from: '2026-10-24', to: '2026-10-27', compare: 'previous' } as const;
    const { totals, previous } = await read(counted, 'receivables', query);
    expect([totals.invoiced, totals.openCurrent, totals.open1To30]).toEqual([euros(60), euros(560), euros(30)]);
    expect(previous).toMatchObject({
      from: '2026-10-21',
      to: '2026-10-24',
      totals: { invoiced: euros(0), openCurrent: euros(500) },
    });
  });
});
