import { identityEvents, newId, ordersEvents, userDataEvents, type Event } from '@storefront/contracts';
import { eventually, principal } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addCampaign, addProduct, assertSums, costing } from './offers.ts';

let service: Engagement;
let campaign: string;
beforeAll(async () => {
  const { erased, exported } = userDataEvents.engagement;
  service = await startEngagement({ instances: 2, contracts: [erased, exported] });
  campaign = await addCampaign(service, { codes: { MINE: null } });
});
afterAll(() => service.close());

let orders = 0;
const redeem = async (userId: string, more: object = {}) => {
  orders += 1;
  const lines = costing(1000).map((line) => ({ ...line, lineId: `a present for ${userId}` }));
  const body = { orderRef: `order-${orders}`, userId, lines, codes: ['MINE'], ...more };
  return service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', body, {}, orders % 2);
};
const erasure = (userId: string) =>
  service.event(identityEvents.userErasureRequested, userId, { email: `${userId}@example.com`, role: 'retail' });
const answered = (userId: string): Promise<Event<any>> =>
  eventually(() => service.eventsOf(userId)[0], 'the answer about the user');
const usage = () => service.collection('campaign_usage').findOne({ _id: campaign });

async function isNowhere(userId: string): Promise<void> {
  for (const name of ['redemptions', 'shoppers']) {
    const stored = JSON.stringify(await service.collection(name).find().toArray());
    expect(stored).not.toContain(userId);
  }
}

describe('an erasure', () => {
  it('gives back what is held, and keeps the sums of what is confirmed without its owner', async () => {
    const [userId, other] = [newId('user'), newId('user')];
    await redeem(other);
    const kept = await redeem(userId);
    const held = await redeem(userId, { hold: { seconds: 600 } });
    const before = await usage();
    await service.publish(erasure(userId));
    await answered(userId);
    await service.idle();
    await isNowhere(userId);
    const stored = await service.collection('redemptions').findOne({ _id: kept.body.id });
    expect(stored).toMatchObject({ owner: 'erased', orderRef: kept.body.id, status: 'confirmed', discount: 100 });
    expect(stored?.['openFor']).toBeUndefined();
    expect(await service.collection('redemptions').findOne({ _id: held.body.id })).toMatchObject({
      status: 'released',
    });
    expect((await usage())?.['redemptions']).toBe((before?.['redemptions'] ?? 0) - 1);
    expect(await service.collection('shoppers').findOne({ _id: other })).toMatchObject({
      uses: { [campaign]: 1 },
    });
    const shown = await service.request(service.people.admin, 'GET', `/v1/discounts/redemptions/${kept.body.id}`);
    expect(shown.body).toMatchObject({ userId: null, evaluation: { lines: [{ lineId: '1' }] } });
    await assertSums(service);
  });

  it('is not undone by requests and orders that come at the same time, or late', async () => {
    const userId = newId('user');
    const shopper = principal('retail', userId);
    await redeem(userId, { orderRef: 'order-late', hold: { seconds: 600 } });
    const placed = service.event(ordersEvents.orderPlaced, 'order-late', {
      orderId: 'order-late',
      userId,
      recipient: { firstName: 'Ada', lastName: 'Lovelace' },
      placedAt: new Date().toISOString(),
    });
    const redeeming = Array.from({ length: 40 }, () => redeem(userId));
    await service.publish(erasure(userId), placed);
    const statuses = new Set((await Promise.all(redeeming)).map(({ status }) => status));
    for (const status of statuses) expect([201, 400]).toContain(status);
    await answered(userId);
    await service.publish(placed);
    await service.idle();
    await isNowhere(userId);
    const mug = await addProduct(service, { price: 1000 });
    const late = await service.request(shopper, 'POST', '/v1/discounts/redemptions', {
      orderRef: 'order-later',
      lines: [{ productId: mug, quantity: 1 }],
      codes: ['MINE'],
      hold: { seconds: 600 },
    });
    expect([late.status, late.body.code]).toEqual([401, 'invalid_token']);
    expect((await redeem(userId)).body.errors[0]).toMatchObject({ pointer: '/userId', code: 'unknown_user' });
    await isNowhere(userId);
    await assertSums(service);
  });
});

it('an export holds all redemptions of the user, and how often each campaign was used', async () => {
  const userId = newId('user');
  const { body } = await redeem(userId);
  const requested = { email: `${userId}@example.com`, role: 'retail' as const, exportId: newId('exp') };
  await service.publish(service.event(identityEvents.userExportRequested, userId, requested));
  const { data } = (await answered(userId)).data;
  expect(data.shopper).toMatchObject({ firstOrder: null, uses: { [campaign]: 1 } });
  expect(data.redemptions).toMatchObject([{ id: body.id, orderRef: body.orderRef, evaluation: { total: 900 } }]);
  expect(JSON.stringify(data.redemptions)).not.toContain('cartHash');
});
