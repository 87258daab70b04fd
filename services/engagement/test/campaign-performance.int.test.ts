import { newId } from '@storefront/contracts';
import { wrongFields } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement } from './engagement.ts';
import type { Engagement } from './engagement.ts';
import { addCampaign, amountOff, costing } from './offers.ts';

let service: Engagement;
let campaign: string;
const [ada, bob] = [newId('user'), newId('user')];
beforeAll(async () => {
  service = await startEngagement();
  campaign = await addCampaign(service, { discount: amountOff(100) });
  let orders = 0;
  const redeem = async (createdAt: string, more: object = {}) => {
    const body = { orderRef: `order-${(orders += 1)}`, lines: costing(1000), ...more };
    const { status, body: made } = await service.request(
      service.people.admin,
      'POST',
      '/v1/discounts/redemptions',
      body,
    );
    expect(status).toBe(201);
    await service.collection('redemptions').updateOne({ _id: made.id }, { $set: { createdAt: new Date(createdAt) } });
    return made.id as string;
  };
  // Friday, Saturday, and the Monday after.
  await redeem('2026-05-01T23:59:59.999Z', { userId: ada });
  await redeem('2026-05-02T00:00:00.000Z', { userId: ada });
  await redeem('2026-05-02T10:00:00.000Z', { userId: bob, segment: 'trade', lines: costing(5000) });
  await redeem('2026-05-02T11:00:00.000Z');
  const released = await redeem('2026-05-04T00:00:00.000Z', { userId: bob });
  await service.request(service.people.admin, 'DELETE', `/v1/discounts/redemptions/${released}`);
  await redeem('2026-06-01T00:00:00.000Z', { userId: ada });
});
afterAll(() => service.close());

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
  it('counts redemptions, users and money by segment and by day, from its first moment to before its last', async () => {
    const { status, body } = await performance('from=2026-05-01T00:00:00Z&to=2026-06-01T00:00:00Z');
    expect(status).toBe(200);
    expect(body).toEqual({
      campaignId: campaign,
      from: '2026-05-01T00:00:00.000Z',
      to: '2026-06-01T00:00:00.000Z',
      interval: 'day',
      all: figures(4, 1, 2, 900 + 900 + 4900 + 900),
      retail: figures(3, 1, 1, 2700),
      trade: figures(1, 0, 1, 4900),
      intervals: [
        { start: '2026-05-01T00:00:00.000Z', all: figures(1, 0, 1, 900), retail: figures(1, 0, 1, 900), trade: none },
        {
          start: '2026-05-02T00:00:00.000Z',
          all: figures(3, 0, 2, 6700),
          retail: figures(2, 0, 1, 1800),
          trade: figures(1, 0, 1, 4900),
        },
        { start: '2026-05-04T00:00:00.000Z', all: figures(0, 1, 0, 0), retail: figures(0, 1, 0, 0), trade: none },
      ],
    });
  });

  it('has weeks from Monday on, and months', async () => {
    const starts = async (interval: string) => {
      const { body } = await performance(`from=2026-05-01T00:00:00Z&to=2026-07-01T00:00:00Z&interval=${interval}`);
      return body.intervals.map((one: any) => [one.start.slice(0, 10), one.all.redemptions, one.all.customers]);
    };
    expect(await starts('week')).toEqual([
      ['2026-04-27', 4, 2],
      ['2026-05-04', 0, 0],
      ['2026-06-01', 1, 1],
    ]);
    expect(await starts('month')).toEqual([
      ['2026-05-01', 4, 2],
      ['2026-06-01', 1, 1],
    ]);
  });

  it('is 404 for no campaign, and refuses a time that is too long or empty', async () => {
    expect((await performance('', newId('camp'))).status).toBe(404);
    const long = await performance('from=2025-01-01T00:00:00Z&to=2026-06-01T00:00:00Z');
    expect([long.status, wrongFields(long)]).toEqual([400, { '/from': 'too_big' }]);
    const empty = await performance('from=2099-01-01T00:00:00Z');
    expect([empty.status, wrongFields(empty)]).toEqual([400, { '/from': 'invalid_value' }]);
  });
});
