import { engagementEvents, identityEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { only } from './carts.ts';
import { startEngagement, type Engagement } from './engagement.ts';
import {
  addCampaign,
  addProduct,
  amountOff,
  assertPerformance,
  assertSums,
  endAllCampaigns,
  percentOff,
} from './offers.ts';

const { discountHeld, discountRefused, discountRedeemed, discountConfirmed, discountReleased } = engagementEvents;
let service: Engagement;
let productId: string;
beforeAll(async () => {
  service = await startEngagement({
    bus: 'rabbitmq',
    instances: 2,
    contracts: [discountHeld, discountRefused, discountRedeemed, discountConfirmed, discountReleased],
  });
  productId = await addProduct(service, { price: 1000, categoryIds: [] });
});
afterAll(() => service.close());
afterEach(async () => {
  await assertSums(service);
  await endAllCampaigns(service);
});

const variantId = newId('var');
const requestOf = (orderId: string, more: object = {}) =>
  service.event(ordersEvents.discountRequested, orderId, {
    userId: null,
    tier: 'retail',
    currency: 'EUR',
    codes: [],
    lines: [{ lineId: 'line_1', productId, variantId, quantity: 2, unitPrice: 700 }],
    shipping: 495,
    ...more,
  });
const cancellationOf = (orderId: string, userId: string | null = null) =>
  service.event(ordersEvents.orderCancelled, orderId, {
    userId,
    from: 'placed',
    reason: 'cancelled',
    segment: 'guest',
    currency: 'EUR',
    sold: null,
  });
const placed = (orderId: string, redemptionId: string | undefined) => ({
  orderId,
  recipient: { firstName: 'Ada', lastName: 'Lovelace' },
  placedAt: new Date().toISOString(),
  redemptionId,
});
const orderOf = (orderId: string, userId: string, redemptionId?: string) =>
  service.event(ordersEvents.orderPlaced, orderId, { ...placed(orderId, redemptionId), userId });
const guestOrderOf = (orderId: string, redemptionId?: string) =>
  service.event(ordersEvents.guestOrderPlaced, orderId, placed(orderId, redemptionId));

const answersTo = (orderId: string) => service.eventsOf(orderId).map(({ type, data }) => ({ type, data }));
/** Waits until the order has had so many answers, and returns the last one. */
const answered = (orderId: string, times = 1): Promise<{ type: string; data: any }> =>
  eventually(() => answersTo(orderId)[times - 1], `answer ${times} to ${orderId}`);
async function holdFor(orderId: string, more: object = {}): Promise<any> {
  const before = answersTo(orderId).length;
  await service.publish(requestOf(orderId, more));
  return (await answered(orderId, before + 1)).data;
}
const read = async (id: string) =>
  (await service.request(service.people.admin, 'GET', `/v1/discounts/redemptions/${id}`)).body;
const became = (id: string, status: string) =>
  eventually(async () => {
    const found = await read(id);
    return found.status === status ? found : null;
  }, `the redemption to be ${status}`);
const areCancelled = (orderIds: readonly string[]) =>
  eventually(async () => {
    const records = service.collection('order_discounts');
    return (await records.countDocuments({ _id: { $in: orderIds }, status: 'cancelled' })) === orderIds.length;
  }, 'the orders to be cancelled');
const usage = (campaign: string) => service.collection('campaign_usage').findOne({ _id: campaign });

describe('the discounts of an order', () => {
  it('are held at the prices that it states, until it is placed, and given back by a cancellation once', async () => {
    const userId = newId('user');
    const campaign = await addCampaign(service, {
      discount: percentOff(10, only({ variants: [variantId] })),
      conditions: { segment: 'trade' },
      limits: { perUser: 1 },
    });
    const orderId = newId('ord');
    const asked = requestOf(orderId, { userId, tier: 'trade', codes: [' unknown '] });
    await service.publish(asked, asked);
    const again = await answered(orderId, 2);
    const answer = await answered(orderId);
    expect(answer.type).toBe(discountHeld.type);
    expect(again).toEqual(answer);
    expect(answer.data).toEqual({
      redemptionId: expect.stringMatching(/^red_/),
      currency: 'EUR',
      lines: [{ lineId: 'line_1', discount: 140 }],
      discount: 140,
      shippingDiscount: 0,
      campaigns: [{ campaignId: campaign, name: expect.any(String), code: null, amount: 140 }],
      codes: [{ code: 'UNKNOWN', status: 'unknown' }],
    });
    const redemptionId: string = answer.data.redemptionId;
    expect(await read(redemptionId)).toMatchObject({
      status: 'held',
      heldUntil: null,
      userId,
      segment: 'trade',
      orderRef: orderId,
      placedFor: null,
    });
    const admin = service.people.admin;
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/confirm'],
    ] as const) {
      const refused = await service.request(admin, method, `/v1/discounts/redemptions/${redemptionId}${path}`);
      expect([refused.status, refused.body.code]).toEqual([409, 'redemption_held_for_order']);
    }
    const all = await service.request(admin, 'DELETE', `/v1/discounts/redemptions?user=${userId}`);
    expect(all.body).toEqual({ released: 0, hasMore: false });

    await service.publish(orderOf(orderId, userId, redemptionId), orderOf(orderId, userId, redemptionId));
    expect(await became(redemptionId, 'confirmed')).toMatchObject({ placedFor: orderId });
    await service.publish(cancellationOf(orderId, userId), cancellationOf(orderId, userId));
    await became(redemptionId, 'released');
    expect(await usage(campaign)).toMatchObject({ redemptions: 0, amount: 0 });
    await service.publish(orderOf(orderId, userId, redemptionId), asked);
    await service.idle();
    expect(await read(redemptionId)).toMatchObject({ status: 'released', retakenAt: null });
    expect(answersTo(orderId)).toHaveLength(2);
    await eventually(() => service.eventsOf(redemptionId)[2], 'the event of the release');
    expect(service.eventsOf(redemptionId).map(({ type, data }) => [type, data.reason])).toEqual([
      [discountRedeemed.type, undefined],
      [discountConfirmed.type, undefined],
      [discountReleased.type, 'order-cancelled'],
    ]);
    await assertPerformance(service, campaign);
  });

  it('are none where nothing applies, also when it asks again, and none after a cancellation that came first', async () => {
    const [nothing, cancelled] = [newId('ord'), newId('ord')];
    const first = await holdFor(nothing);
    expect(first).toMatchObject({ redemptionId: null, discount: 0, campaigns: [], codes: [] });
    const campaign = await addCampaign(service);
    expect(await holdFor(nothing)).toEqual(first);
    await service.publish(cancellationOf(cancelled));
    await areCancelled([cancelled]);
    await service.publish(requestOf(cancelled));
    await service.idle();
    expect(await usage(campaign)).toMatchObject({ redemptions: 0 });
    expect(await service.collection('order_discounts').findOne({ _id: cancelled })).toMatchObject({
      status: 'cancelled',
      answer: null,
    });
    const too = await holdFor(newId('ord'), {
      lines: [{ lineId: 'line_1', productId, variantId, quantity: 2 ** 30, unitPrice: 2 ** 40 }],
    });
    expect(too).toEqual({ reason: 'amount_too_large' });
  });

  it('may be of somebody without an account, whose order confirms them', async () => {
    await addCampaign(service);
    const orderId = newId('ord');
    const { redemptionId } = await holdFor(orderId);
    const elsewhere = await service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', {
      orderRef: 'of a system outside',
      lines: [{ productId, quantity: 1 }],
      hold: { seconds: 600 },
    });
    await service.publish(guestOrderOf(orderId, redemptionId), guestOrderOf('of a system outside'));
    for (const id of [redemptionId, elsewhere.body.id])
      expect(await became(id, 'confirmed')).toMatchObject({ userId: null });
    await eventually(
      () => service.collection('facts').findOne({ kind: 'discount-confirmed', person: null }),
      'the fact of a confirmation without a person',
    );
  });

  it('stay held where their user is erased, without the user, until the order ends', async () => {
    const campaign = await addCampaign(service);
    const userId = newId('user');
    const orderId = newId('ord');
    const { redemptionId } = await holdFor(orderId, { userId });
    await service.publish(
      service.event(identityEvents.userErasureRequested, userId, { email: 'ada@example.com', role: 'retail' }),
    );
    await eventually(async () => (await read(redemptionId)).userId === null, 'the owner to be taken off');
    expect(await read(redemptionId)).toMatchObject({ status: 'held' });
    expect(await holdFor(newId('ord'), { userId })).toEqual({ reason: 'user_erased' });
    await service.publish(cancellationOf(orderId));
    await became(redemptionId, 'released');
    expect(await usage(campaign)).toMatchObject({ redemptions: 0 });
  });
});

it('200 orders at once use a code and a budget exactly as far as they go', async () => {
  const coded = await addCampaign(service, { discount: amountOff(100), codes: { FIFTY: 50 } });
  const budget = await addCampaign(service, { discount: percentOff(10), limits: { budget: 9999 }, priority: 1 });
  const orderIds = Array.from({ length: 200 }, () => newId('ord'));
  await service.publish(...orderIds.map((orderId) => requestOf(orderId, { codes: ['FIFTY'] })));
  const answers = await Promise.all(orderIds.map(async (orderId) => (await answered(orderId)).data));
  const takenBy = (id: string) =>
    answers.flatMap(({ campaigns }) => campaigns.filter((one: any) => one.campaignId === id));
  expect(takenBy(coded)).toHaveLength(50);
  const amount = takenBy(budget).reduce((sum, one) => sum + one.amount, 0);
  expect(await usage(budget)).toMatchObject({ redemptions: takenBy(budget).length, amount });
  // What is left is less than one more order would take.
  expect(amount).toBe(9940);
  await assertSums(service);

  // Of what is cancelled, others have as much.
  const isApplied = async (orderId: string) => (await answered(orderId)).data.codes[0].status === 'applied';
  const freed = orderIds.filter((_orderId, index) => answers[index].codes[0].status === 'applied').slice(0, 20);
  await service.publish(...freed.map((orderId) => cancellationOf(orderId)));
  await areCancelled(freed);
  const later = Array.from({ length: 30 }, () => newId('ord'));
  await service.publish(...later.map((orderId) => requestOf(orderId, { codes: ['FIFTY'] })));
  const applied = await Promise.all(later.map(isApplied));
  expect(applied.filter(Boolean)).toHaveLength(20);

  // Requests and cancellations that arrive together leave nothing held.
  const racing = Array.from({ length: 30 }, () => newId('ord'));
  const before = await usage(budget);
  await service.publish(
    ...racing.flatMap((orderId) => [requestOf(orderId), cancellationOf(orderId), requestOf(orderId)]),
  );
  await areCancelled(racing);
  const left = await service.collection('redemptions').countDocuments({ orderRef: { $in: racing }, status: 'held' });
  expect([left, await usage(budget)]).toEqual([0, before]);
});
