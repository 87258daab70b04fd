import { engagementEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually, principal, statuses } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement } from './engagement.ts';
import type { Engagement } from './engagement.ts';
import { addCampaign, addProduct, assertSums, costing, endAllCampaigns, percentOff } from './offers.ts';

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
const usage = (id: string) => service.collection('campaign_usage').findOne({ _id: id });

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
    const told = await eventually(() => service.eventsOf(body.id)[0], 'the event of the redemption');
    expect(told.data).toEqual({
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

  it('is the same one also once its product is no longer for sale', async () => {
    await addCampaign(service);
    const productId = await addProduct(service, { price: 1000 });
    const cart = { orderRef: newOrder(), lines: [{ productId, quantity: 1 }] };
    const first = await redeem(cart);
    expect(first.status).toBe(201);
    await service.collection('products').updateOne({ _id: productId }, { $set: { 'facts.listed': false } });
    const evaluate = () => service.request(null, 'POST', '/v1/discounts/evaluate', { lines: cart.lines });
    await eventually(async () => (await evaluate()).status === 400, 'the product to be no longer for sale');
    const again = await redeem(cart);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await redeem({ ...cart, lines: [{ productId, quantity: 2 }] });
    expect([other.status, other.body.code]).toEqual([409, 'order_already_redeemed']);
    expect((await redeem({ ...cart, orderRef: newOrder() })).status).toBe(400);
  });

  it('is one redemption however often it is asked for at once', async () => {
    const campaign = await addCampaign(service);
    const cart = { orderRef: newOrder(), lines: costing(1000) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(cart)));
    expect(statuses(answers)).toEqual({ 200: 19, 201: 1 });
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

  it('is told under the id of its own request, also where several are worked off together', async () => {
    await addCampaign(service);
    const requests = Array.from({ length: 20 }, (_, index) => `request-${index}-of-redemptions`);
    const made = await Promise.all(
      requests.map((id) => redeem({ orderRef: newOrder(), lines: costing(1000) }, { 'x-request-id': id })),
    );
    await service.idle();
    expect(made.map(({ body }) => service.eventsOf(body.id)[0]?.correlationid)).toEqual(requests);
  });

  it('gets the first answer again under the same Idempotency-Key, also where it is long', async () => {
    await addCampaign(service);
    const lines = Array.from({ length: 20 }, (_, index) => ({
      productId: newId('prod'),
      quantity: 1,
      unitPrice: 100 + index,
    }));
    const cart = { orderRef: newOrder(), lines };
    const first = await redeem(cart, { 'idempotency-key': 'redeem-1' });
    const again = await redeem(cart, { 'idempotency-key': 'redeem-1' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.body).toEqual(first.body);
  });
});

const heldFor = (seconds: number) => ({ hold: { seconds } });
const at = (id: string) => `/v1/discounts/redemptions/${id}`;
const read = async (id: string) => (await service.request(service.people.admin, 'GET', at(id))).body;
const order = (orderId: string, userId: string, redemptionIds: string[] = []) =>
  service.event(ordersEvents.orderPlaced, orderId, {
    orderId,
    userId,
    recipient: { firstName: 'Ada', lastName: 'Lovelace' },
    placedAt: new Date().toISOString(),
    total: { amount: 900, currency: 'EUR' },
    lines: [{ productId: newId('prod'), quantity: 1, unitPrice: { amount: 900, currency: 'EUR' } }],
    redemptionIds,
  });

describe('what is held', () => {
  it('counts, and is taken for good by a confirmation, also by one that comes again', async () => {
    const campaign = await addCampaign(service, { limits: { total: 1 } });
    const held = await redeem({ orderRef: newOrder(), lines: costing(1000), ...heldFor(600) });
    expect([held.status, held.body.status, held.body.confirmedAt]).toEqual([201, 'held', null]);
    const until = new Date(held.body.heldUntil).getTime() - new Date(held.body.createdAt).getTime();
    expect(until).toBe(600_000);
    expect((await redeem({ orderRef: newOrder(), lines: costing(1000) })).status).toBe(422);

    for (const _again of [1, 2]) {
      const { status, body } = await service.request(service.people.admin, 'POST', `${at(held.body.id)}/confirm`);
      expect([status, body.status, body.heldUntil]).toEqual([200, 'confirmed', null]);
    }
    expect(await usage(campaign)).toMatchObject({ redemptions: 1, amount: 100 });
    await service.idle();
    expect(service.eventsOf(held.body.id).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['engagement.discount-redeemed', 1],
      ['engagement.discount-confirmed', 2],
    ]);
  });

  it('returns by itself when its time is over, once, and can not be confirmed any more', async () => {
    const campaign = await addCampaign(service, { limits: { total: 1 } });
    const cart = { orderRef: newOrder(), lines: costing(1000) };
    const held = await redeem({ ...cart, ...heldFor(1) });
    await eventually(async () => (await read(held.body.id)).status === 'released', 'the hold to end');
    expect(await usage(campaign)).toMatchObject({ redemptions: 0, amount: 0, ever: true });
    const confirmation = await service.request(service.people.admin, 'POST', `${at(held.body.id)}/confirm`);
    expect([confirmation.status, confirmation.body.code]).toEqual([409, 'redemption_released']);
    await service.idle();
    expect(service.eventsOf(held.body.id).map(({ data }) => data.reason)).toEqual([undefined, 'hold-ended']);
    // Its order is free again.
    const again = await redeem(cart);
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(held.body.id);
  });

  it('is confirmed by the order that is placed, of its owner only, by its reference or by its id', async () => {
    await addCampaign(service);
    const [ada, bob] = [newId('user'), newId('user')];
    const [first, second, guests] = [newOrder(), newOrder(), newOrder()];
    const hold = async (body: object) => (await redeem({ lines: costing(1000), ...heldFor(600), ...body })).body.id;
    const adas = await hold({ userId: ada, orderRef: first });
    const named = await hold({ userId: ada, orderRef: second });
    const bobs = await hold({ userId: bob, orderRef: first });
    const nobodys = await hold({ orderRef: guests });
    const placed = order(first, ada, [named, bobs]);
    await service.publish(placed, placed, order(guests, ada));
    await service.idle();
    const statuses = await Promise.all([adas, named, nobodys, bobs].map(async (id) => (await read(id)).status));
    expect(statuses).toEqual(['confirmed', 'confirmed', 'confirmed', 'held']);
    expect(service.eventsOf(adas).map(({ data }) => data.by)).toEqual([undefined, 'order-placed']);
    const stored = await service.collection('shoppers').findOne({ _id: ada });
    expect(stored).toMatchObject({ firstOrder: first });
  });
});

describe('a release', () => {
  it('gives everything back, also of a code, and changes nothing when it comes again', async () => {
    const campaign = await addCampaign(service, { codes: { ONCE: 1 }, limits: { perUser: 1 } });
    const user = service.people.ada;
    const cart = () => ({ orderRef: newOrder(), userId: user.sub, lines: costing(1000), codes: ['ONCE'] });
    const { body } = await redeem(cart());
    for (const _again of [1, 2]) {
      const released = await service.request(user, 'DELETE', at(body.id));
      expect([released.status, released.body.status]).toEqual([200, 'released']);
    }
    expect(await usage(campaign)).toMatchObject({ redemptions: 0, amount: 0, ever: true });
    expect((await redeem(cart())).status).toBe(201);
    await service.idle();
    expect(service.eventsOf(body.id).map(({ data }) => [data.was, data.reason])).toEqual([
      [undefined, undefined],
      ['confirmed', 'requested'],
    ]);
  });

  it('is for administrators only once the order is placed', async () => {
    await addCampaign(service);
    const user = service.people.bob;
    const orderRef = newOrder();
    const { body } = await redeem({ orderRef, userId: user.sub, lines: costing(1000) });
    await service.publish(order(orderRef, user.sub));
    await service.idle();
    const refused = await service.request(user, 'DELETE', at(body.id));
    expect([refused.status, refused.body.code]).toEqual([409, 'order_placed']);
    const released = await service.request(service.people.admin, 'DELETE', at(body.id));
    expect([released.status, released.body.status]).toEqual([200, 'released']);
  });

  it('of somebody else is 404, like one that is not there', async () => {
    await addCampaign(service);
    const { body } = await redeem({ orderRef: newOrder(), userId: service.people.ada.sub, lines: costing(1000) });
    for (const id of [body.id, newId('red')])
      for (const [method, path] of [
        ['GET', at(id)],
        ['DELETE', at(id)],
        ['POST', `${at(id)}/confirm`],
      ] as const) {
        const answer = await service.request(service.people.bob, method, path);
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      }
    expect((await read(body.id)).status).toBe('confirmed');
  });
});

describe('a user', () => {
  it('gets a first order once, counting what is held, and what was placed', async () => {
    await addCampaign(service, { conditions: { firstOrderOnly: true } });
    const userId = newId('user');
    const cart = (orderRef: string) => ({ orderRef, userId, lines: costing(1000) });
    const first = await redeem({ ...cart(newOrder()), ...heldFor(600) });
    expect(first.status).toBe(201);
    const second = await redeem(cart(newOrder()));
    expect(second.body.evaluation.campaigns[0]).toMatchObject({ reason: 'not_first_order' });
    await service.request(service.people.admin, 'DELETE', at(first.body.id));
    const placed = newOrder();
    await service.publish(order(placed, userId));
    await service.idle();
    expect((await redeem(cart(newOrder()))).status).toBe(422);
    expect((await redeem(cart(placed))).status).toBe(201);
  });

  it('redeems 200 times a day at most', async () => {
    await addCampaign(service);
    const user = principal('retail');
    await service.collection('shoppers').insertOne({
      _id: user.sub,
      firstOrder: null,
      uses: {},
      day: new Date().toISOString().slice(0, 10),
      redemptions: 200,
    });
    const mine = await service.request(user, 'POST', '/v1/discounts/redemptions', {
      orderRef: newOrder(),
      lines: [{ productId: await addProduct(service, { price: 1000 }), quantity: 1 }],
    });
    expect([mine.status, mine.body.code]).toEqual([429, 'too_many_redemptions']);
    expect(mine.headers.get('retry-after')).toBe('3600');
    // What an order system does is not theirs.
    expect((await redeem({ orderRef: newOrder(), userId: user.sub, lines: costing(1000) })).status).toBe(201);
  });

  it('sees their own redemptions, newest first, and an administrator all, by campaign and user', async () => {
    const [one, other] = [await addCampaign(service), await addCampaign(service, { codes: { LISTED: null } })];
    const [ada, bob] = [principal('retail'), principal('retail')];
    const ids: string[] = [];
    for (const [userId, codes] of [
      [ada.sub, []],
      [ada.sub, ['LISTED']],
      [bob.sub, []],
    ] as const)
      ids.unshift((await redeem({ orderRef: newOrder(), userId, codes, lines: costing(1000) })).body.id);
    const [bobs, adasLast, adasFirst] = ids;
    const listed = async (who: typeof ada, query = '') => {
      const { body } = await service.request(who, 'GET', `/v1/discounts/redemptions${query}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    const admin = service.people.admin;
    expect(await listed(ada)).toEqual([adasLast, adasFirst]);
    expect(await listed(bob)).toEqual([bobs]);
    expect((await listed(admin)).slice(0, 3)).toEqual(ids);
    expect(await listed(admin, `?campaign=${other}`)).toEqual([adasLast]);
    expect(await listed(admin, `?campaign=${one}&user=${ada.sub}`)).toEqual([adasLast, adasFirst]);
    const page = await service.request(ada, 'GET', '/v1/discounts/redemptions?limit=1');
    expect(await listed(ada, `?limit=1&cursor=${page.body.nextCursor}`)).toEqual([adasFirst]);
    const refused = await service.request(ada, 'GET', `/v1/discounts/redemptions?campaign=${one}&user=${ada.sub}`);
    expect([refused.status, refused.body.code]).toEqual([403, 'admin_required']);
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/campaign', '/user']);
  });
});
