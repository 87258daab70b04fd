import { engagementEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually, principal } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement } from './engagement.ts';
import type { Engagement } from './engagement.ts';
import { addCampaign, amountOff, assertSums, changeCampaign, costing, endAllCampaigns, percentOff } from './offers.ts';

let service: Engagement;
beforeAll(async () => {
  const { discountRedeemed, discountConfirmed, discountReleased } = engagementEvents;
  service = await startEngagement({ contracts: [discountRedeemed, discountConfirmed, discountReleased] });
});
afterAll(() => service.close());
afterEach(async () => {
  await assertSums(service);
  await endAllCampaigns(service);
});

let orders = 0;
const newOrder = () => `order-${(orders += 1)}`;
const usage = (id: string) => service.collection('campaign_usage').findOne({ _id: id as any });

/** An administrator redeems for a user, or for nobody. */
function redeem(body: object, headers?: Record<string, string>) {
  return service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', body, headers);
}

describe('a redemption', () => {
  it('takes what applies, and says so field by field', async () => {
    const campaign = await addCampaign(service, { discount: percentOff(10), codes: { SPRING26: 5 } });
    const { sub: userId } = service.people.ada;
    const orderRef = newOrder();
    const cart = { orderRef, userId, lines: costing(1999), shipping: 495, codes: ['spring26'] };
    const { status, headers, body } = await redeem(cart);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/discounts/redemptions/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^red_/),
      orderRef,
      userId,
      segment: 'retail',
      status: 'confirmed',
      heldUntil: null,
      confirmedAt: body.createdAt,
      releasedAt: null,
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
      evaluation: {
        currency: 'EUR',
        subtotal: 1999,
        discount: 200,
        shipping: 495,
        shippingDiscount: 0,
        total: 2294,
        lines: [
          {
            lineId: '1',
            productId: expect.any(String),
            quantity: 1,
            unitPrice: 1999,
            subtotal: 1999,
            discount: 200,
            total: 1799,
            discounts: [{ campaignId: campaign, amount: 200 }],
          },
        ],
        campaigns: [
          {
            campaignId: campaign,
            name: expect.any(String),
            code: 'SPRING26',
            applied: true,
            amount: 200,
            reason: null,
            missing: null,
          },
        ],
        codes: [{ code: 'SPRING26', status: 'applied', campaignId: campaign }],
      },
    });
    expect(await usage(campaign)).toMatchObject({ redemptions: 1, amount: 200, ever: true });
    const [told] = await eventually(
      () => service.eventsOf(body.id).length > 0 && service.eventsOf(body.id),
      'the event of the redemption',
    );
    expect(told?.data).toEqual({
      orderRef,
      userId,
      segment: 'retail',
      currency: 'EUR',
      subtotal: 1999,
      discount: 200,
      shippingDiscount: 0,
      total: 2294,
      campaigns: [{ campaignId: campaign, code: 'SPRING26', amount: 200 }],
      status: 'confirmed',
      heldUntil: null,
    });
  });

  it('is the same one for the same order and cart, and refuses another cart', async () => {
    const campaign = await addCampaign(service);
    const cart = { orderRef: newOrder(), lines: costing(1000) };
    const first = await redeem(cart);
    const again = await redeem({ ...cart, hold: { seconds: 60 }, expectedDiscount: 5 });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    const other = await redeem({ ...cart, lines: costing(1001) });
    expect([other.status, other.body.code]).toEqual([409, 'order_already_redeemed']);
    expect(await usage(campaign)).toMatchObject({ redemptions: 1, amount: 100 });
    // Another owner's order of the same name is another order.
    expect((await redeem({ ...cart, userId: newId('user') })).status).toBe(201);
  });

  it('is one redemption however often it is asked for at once', async () => {
    const campaign = await addCampaign(service);
    const cart = { orderRef: newOrder(), lines: costing(1000) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(cart)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await usage(campaign)).toMatchObject({ redemptions: 1 });
  });

  it('is refused with the evaluation where the discount is another one than expected, or nothing applies', async () => {
    const none = await redeem({ orderRef: newOrder(), lines: costing(1000), expectedDiscount: 0 });
    expect([none.status, none.body.code]).toEqual([422, 'no_discount_applies']);
    expect(none.body.evaluation).toMatchObject({ subtotal: 1000, discount: 0, campaigns: [] });
    await addCampaign(service);
    const changed = await redeem({ orderRef: newOrder(), lines: costing(1000), expectedDiscount: 99 });
    expect([changed.status, changed.body.code]).toEqual([409, 'discount_changed']);
    expect(changed.body.evaluation).toMatchObject({ subtotal: 1000, discount: 100 });
    expect((await redeem({ orderRef: newOrder(), lines: costing(1000), expectedDiscount: 100 })).status).toBe(201);
  });

  it('gets the first answer again under the same Idempotency-Key, also where it is long', async () => {
    await addCampaign(service);
    const lines = Array.from({ length: 20 }, (_, index) => ({ productId: newId('prod'), quantity: 1, unitPrice: 100 + index }));
    const cart = { orderRef: newOrder(), lines };
    const first = await redeem(cart, { 'idempotency-key': 'redeem-1' });
    const again = await redeem(cart, { 'idempotency-key': 'redeem-1' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.body).toEqual(first.body);
  });
});
