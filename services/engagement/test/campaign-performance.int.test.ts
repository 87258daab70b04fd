import { identityEvents, newId, userDataEvents } from '@storefront/contracts';
import { eventually, fill, findSlow, recordQueries, wrongFields } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addCampaign, amountOff, assertSums, costing } from './offers.ts';

let service: Engagement;
let campaign: string;
/** The day of the redemptions; far from today, so that nothing else is on it. */
let databaseTime = new Date('2100-04-30T12:00:00.000Z');
const [ada, bob] = [newId('user'), newId('user')];
beforeAll(async () => {
  service = await startEngagement({
    instances: 2,
    databaseNow: () => databaseTime,
    contracts: [userDataEvents.engagement.erased],
  });
  campaign = await addCampaign(service, { discount: amountOff(100) });
  // Friday, Saturday, and the Monday after.
  await redeem('2100-04-30T23:59:59.999Z', { userId: ada });
  await redeem('2100-05-01T00:00:00.000Z', { userId: ada });
  await redeem('2100-05-01T10:00:00.000Z', { userId: bob, segment: 'trade', lines: costing(5000) });
  await redeem('2100-05-01T11:00:00.000Z');
  const given = await redeem('2100-05-03T00:00:00.000Z', { userId: bob });
  await redeem('2100-06-01T00:00:00.000Z', { userId: ada });
  await giveBack(given);
});
afterAll(() => service.close());

let orders = 0;
async function redeem(at: string, more: object = {}): Promise<string> {
  databaseTime = new Date(at);
  const body = { orderRef: `order-${(orders += 1)}`, lines: costing(1000), ...more };
  const path = '/v1/discounts/redemptions';
  const { status, body: made } = await service.request(service.people.admin, 'POST', path, body, {}, orders % 2);
  expect(status).toBe(201);
  return made.id;
}
async function giveBack(id: string): Promise<void> {
  const path = `/v1/discounts/redemptions/${id}`;
  expect((await service.request(service.people.admin, 'DELETE', path)).status).toBe(200);
}

const performance = (query: string, id = campaign) =>
  service.request(service.people.admin, 'GET', `/v1/campaigns/${id}/performance?${query}`);
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const figures = (redemptions: number, released: number, customers: number, orderValue: number) => ({
  redemptions,
  released,
  customers,
  discount: eur(100 * redemptions),
  orderValue: eur(orderValue),
  valuePerDiscount: redemptions === 0 ? null : Math.round(orderValue / redemptions) / 100,
});
const none = figures(0, 0, 0, 0);

describe('the performance of a campaign', () => {
  it('counts redemptions, users and money by segment and by day, from its first day to before its last', async () => {
    const { status, body } = await performance('from=2100-04-30&to=2100-06-01');
    expect(status).toBe(200);
    expect(body).toEqual({
      campaignId: campaign,
      from: '2100-04-30',
      to: '2100-06-01',
      interval: 'day',
      all: figures(4, 1, 2, 900 + 900 + 4900 + 900),
      retail: figures(3, 1, 1, 2700),
      trade: figures(1, 0, 1, 4900),
      intervals: [
        { start: '2100-04-30', all: figures(1, 0, 1, 900), retail: figures(1, 0, 1, 900), trade: none },
        {
          start: '2100-05-01',
          all: figures(3, 0, 2, 6700),
          retail: figures(2, 0, 1, 1800),
          trade: figures(1, 0, 1, 4900),
        },
        { start: '2100-05-03', all: figures(0, 1, 0, 0), retail: figures(0, 1, 0, 0), trade: none },
      ],
    });
    await assertSums(service);
  });

  it('has weeks from Monday on, and months', async () => {
    const starts = async (interval: string) => {
      const { body } = await performance(`from=2100-05-01&to=2100-07-01&interval=${interval}`);
      return body.intervals.map((one: any) => [one.start, one.all.redemptions, one.all.customers]);
    };
    expect(await starts('week')).toEqual([
      ['2100-04-26', 3, 2],
      ['2100-05-03', 0, 0],
      ['2100-05-31', 1, 1],
    ]);
    expect(await starts('month')).toEqual([
      ['2100-05-01', 3, 2],
      ['2100-06-01', 1, 1],
    ]);
  });

  it('ends with today where nothing else is said', async () => {
    databaseTime = new Date('2100-06-01T23:59:59.999Z');
    const { body } = await performance('');
    expect([body.from, body.to, body.all.redemptions]).toEqual(['2100-05-03', '2100-06-02', 1]);
  });

  it('is 404 for no campaign, and refuses a time that is too long or empty, or no days', async () => {
    expect((await performance('', newId('camp'))).status).toBe(404);
    const wrong = async (query: string) => {
      const answer = await performance(query);
      return [answer.status, wrongFields(answer)];
    };
    expect(await wrong('from=2025-01-01&to=2026-06-01')).toEqual([400, { '/from': 'too_big' }]);
    expect(await wrong('from=2199-01-01')).toEqual([400, { '/from': 'invalid_value' }]);
    expect(await wrong('from=2100-02-29&to=2100-03-01T00:00:00Z')).toEqual([
      400,
      { '/from': 'invalid_format', '/to': 'invalid_format' },
    ]);
  });

  it('keeps the sums and the customers of who is erased, without a trace of them', async () => {
    const [shown, eve] = [await addCampaign(service, { discount: amountOff(100) }), newId('user')];
    await redeem('2100-07-01T00:00:00.000Z', { userId: eve });
    const kept = await redeem('2100-07-02T00:00:00.000Z', { userId: eve });
    expect(await service.collection('customer_days').countDocuments({ userId: eve })).toBe(2);
    const erasure = { email: 'eve@example.com', role: 'retail' as const };
    await service.publish(service.event(identityEvents.userErasureRequested, eve, erasure));
    await eventually(() => service.eventsOf(eve)[0], 'the answer about the erasure');
    expect(JSON.stringify(await service.collection('customer_days').find().toArray())).not.toContain(eve);
    expect(JSON.stringify(await service.collection('campaign_days').find().toArray())).not.toContain(eve);
    await giveBack(kept);
    const { body } = await performance('from=2100-07-01&to=2100-08-01', shown);
    expect(body.all).toMatchObject({ redemptions: 1, released: 1, customers: 1, discount: eur(100) });
  });

  it('reads the days of its time and no redemption, by an index', async () => {
    const shown = await addCampaign(service, {});
    const sums = { redemptions: 2500, released: 0, discount: 250_000, orderValue: 2_500_000 };
    const noSums = { redemptions: 0, released: 0, discount: 0, orderValue: 0 };
    const days = 800;
    const dayAt = (index: number) => new Date(Date.UTC(2090, 0, 1 + index)).toISOString().slice(0, 10);
    await fill(service.collection('campaign_days'), days, (index) => {
      const earlier = Array.from({ length: Math.min(index, 300) }, (_, back) => [dayAt(index - 1 - back), 5]);
      const customers = Object.fromEntries([['never', 1000], ...earlier]);
      return {
        _id: `${shown} ${dayAt(index)}`,
        campaignId: shown,
        day: dayAt(index),
        sums: { retail: sums, trade: noSums },
        customers: { all: customers, retail: customers, trade: {} },
      };
    });
    const stopRecording = await recordQueries(service.connection);
    const { body } = await performance(`from=${dayAt(400)}&to=${dayAt(800)}&interval=month`, shown);
    const queries = await stopRecording();
    const found = findSlow(queries, 400);
    expect(body.all.redemptions).toBe(400 * 2500);
    expect([found.byNoIndex, found.sorted, found.readMuch]).toEqual([[], [], []]);
    // The relay and the end of holds read redemptions too, but never by their campaigns.
    const ofRedemptions = queries.filter(
      ({ collection, command }) => collection === 'redemptions' && command.includes('campaignIds'),
    );
    expect(ofRedemptions).toEqual([]);
  });
});
