import { catalogEvents, engagementEvents, newId, ordersEvents, ownVariantId } from '@storefront/contracts';
import { eventually, principal, statuses } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import {
  addCampaign,
  addProduct,
  assertPerformance,
  assertSums,
  costing,
  endAllCampaigns,
  euros,
  percentOff,
} from './offers.ts';

let service: Engagement;
beforeAll(async () => {
  const { discountRedeemed, discountConfirmed, discountReleased, discountRetaken } = engagementEvents;
  service = await startEngagement({
    contracts: [discountRedeemed, discountConfirmed, discountReleased, discountRetaken],
  });
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
    const cart = { orderRef, userId, lines: costing(1999), shipping: euros(495), codes: ['spring26'] };
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
      placedFor: null,
      placedAt: null,
      retakenAt: null,
      beyondLimits: [],
      campaigns: [{ campaignId: campaign, code: 'SPRING26', amount: euros(200) }],
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
      evaluation: {
        currency: 'EUR',
        subtotal: euros(1999),
        discount: euros(200),
        shipping: euros(495),
        shippingDiscount: euros(0),
        total: euros(2294),
        lines: [
          {
            lineId: '1',
            productId: expect.any(String),
            variantId: null,
            sku: null,
            quantity: 1,
            unitPrice: euros(1999),
            subtotal: euros(1999),
            discount: euros(200),
            total: euros(1799),
            discounts: [{ campaignId: campaign, amount: euros(200) }],
          },
        ],
        campaigns: [
          {
            campaignId: campaign,
            name: expect.any(String),
            code: 'SPRING26',
            applied: true,
            amount: euros(200),
            reason: null,
            missing: null,
            missingQuantity: null,
          },
        ],
        codes: [{ code: 'SPRING26', status: 'applied', campaignId: campaign }],
      },
    });
    expect(await usage(campaign)).toMatchObject({ redemptions: 1, amount: 200, ever: true });
    const event = await eventually(() => service.eventsOf(body.id)[0], 'the event of the redemption');
    expect(event.data).toEqual({
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
    const again = await redeem({ ...cart, hold: { seconds: 60 }, expectedDiscount: euros(5) });
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
    const variant = { variantId: ownVariantId(productId), sku: productId };
    expect(first.body.evaluation.lines).toMatchObject([{ productId, ...variant }]);
    await service.collection('products').updateOne({ _id: productId }, { $set: { 'facts.listed': false } });
    const evaluate = () => service.request(null, 'POST', '/v1/discounts/evaluate', { lines: cart.lines });
    await eventually(async () => (await evaluate()).status === 400, 'the product to be no longer for sale');
    const again = await redeem(cart);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await redeem({ ...cart, lines: [{ productId, quantity: 2 }] });
    expect([other.status, other.body.code]).toEqual([409, 'order_already_redeemed']);
    expect((await redeem({ ...cart, orderRef: newOrder() })).status).toBe(400);
  });

  it('is one redemption however often it is requested at once', async () => {
    const campaign = await addCampaign(service);
    const cart = { orderRef: newOrder(), lines: costing(1000) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(cart)));
    expect(statuses(answers)).toEqual({ 200: 19, 201: 1 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await usage(campaign)).toMatchObject({ redemptions: 1 });
  });

  it('is refused with the evaluation where the discount is another one than expected, or nothing applies', async () => {
    const none = await redeem({ orderRef: newOrder(), lines: costing(1000), expectedDiscount: euros(0) });
    expect([none.status, none.body.code]).toEqual([422, 'no_discount_applies']);
    expect(none.body.evaluation).toMatchObject({ subtotal: euros(1000), discount: euros(0), campaigns: [] });
    await addCampaign(service);
    const changed = await redeem({ orderRef: newOrder(), lines: costing(1000), expectedDiscount: euros(99) });
    expect([changed.status, changed.body.code]).toEqual([409, 'discount_changed']);
    expect(changed.body.evaluation).toMatchObject({ subtotal: euros(1000), discount: euros(100) });
    expect((await redeem({ orderRef: newOrder(), lines: costing(1000), expectedDiscount: euros(100) })).status).toBe(
      201,
    );
  });

  it('is published under the id of its own request, also where several are worked off together', async () => {
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
      unitPrice: euros(100 + index),
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
const order = (orderId: string, userId: string, redemptionId?: string, more: object = {}) =>
  service.event(ordersEvents.orderPlaced, orderId, {
    orderId,
    userId,
    recipient: { firstName: 'Ada', lastName: 'Lovelace' },
    placedAt: new Date().toISOString(),
    lines: [{ productId: newId('prod'), quantity: 1, unitPrice: { amount: 900, currency: 'EUR' } }],
    redemptionId,
    ...more,
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
    const placed = order(first, ada, named);
    await service.publish(placed, placed, order(guests, ada), order(newOrder(), ada, bobs));
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
    const { body } = await redeem({ ...cart(), ...heldFor(600) });
    for (const _again of [1, 2]) {
      const released = await service.request(user, 'DELETE', at(body.id));
      expect([released.status, released.body.status]).toEqual([200, 'released']);
    }
    expect(await usage(campaign)).toMatchObject({ redemptions: 0, amount: 0, ever: true });
    expect((await redeem(cart())).status).toBe(201);
    await service.idle();
    expect(service.eventsOf(body.id).map(({ data }) => [data.was, data.reason])).toEqual([
      [undefined, undefined],
      ['held', 'requested'],
    ]);
  });

  it('of what is confirmed is for administrators only, also once the order is placed', async () => {
    await addCampaign(service);
    const user = service.people.bob;
    const orderRef = newOrder();
    const { body } = await redeem({ orderRef, userId: user.sub, lines: costing(1000) });
    for (const _before of ['the order', 'nothing']) {
      const refused = await service.request(user, 'DELETE', at(body.id));
      expect([refused.status, refused.body.code]).toEqual([409, 'redemption_not_held']);
      await service.publish(order(orderRef, user.sub));
      await service.idle();
    }
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
      heldSeconds: 0,
      holds: [],
    });
    const mine = await service.request(user, 'POST', '/v1/discounts/redemptions', {
      ...heldFor(60),
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
    expect([refused.status, refused.body.code]).toEqual([403, 'role_required']);
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/campaign', '/user']);
  });
});

describe('a shopper', () => {
  /** With a product of which there are five; 10.00 each. */
  async function shopper() {
    const user = principal('retail');
    const productId = await addProduct(service, { price: 1000, stock: 5 });
    const hold = (body: object = {}) =>
      service.request(user, 'POST', '/v1/discounts/redemptions', {
        orderRef: newOrder(),
        lines: [{ productId, quantity: 1 }],
        ...heldFor(3600),
        ...body,
      });
    return { user, productId, hold };
  }

  it('only holds, and no more than there is, nor shipping beyond what it can cost', async () => {
    const campaign = await addCampaign(service, {
      discount: { type: 'free-shipping', maximumAmount: null },
      limits: { budget: 10_000_000 },
    });
    const { user, productId, hold } = await shopper();
    const lines = [{ productId, quantity: 6 }];
    const refused = await hold({ hold: undefined, lines, shipping: euros(10_000_000) });
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.errors).toMatchObject([
      { pointer: '/hold', code: 'hold_required' },
      { pointer: '/shipping/amount', code: 'too_big' },
      { pointer: '/lines/0/quantity', code: 'not_enough_stock' },
    ]);
    expect(await usage(campaign)).toMatchObject({ redemptions: 0, amount: 0, ever: false });
    const held = await hold({ shipping: euros(495) });
    expect([held.status, held.body.status]).toEqual([201, 'held']);
    const confirmation = await service.request(user, 'POST', `${at(held.body.id)}/confirm`);
    expect([confirmation.status, confirmation.body.code]).toEqual([403, 'role_required']);
    // More came in, and an administrator states anything.
    await service.publish(
      service.event(
        catalogEvents.stockChanged,
        productId,
        {
          id: productId,
          sku: productId,
          name: 'A mug',
          slug: productId,
          image: null,
          categoryIds: [],
          price: { amount: 1000, currency: 'EUR' },
          tradePrice: null,
          status: 'active' as const,
          stock: 6,
          available: true,
          change: 1,
          reason: null,
        },
        2,
      ),
    );
    await eventually(
      async () => (await hold({ lines, shipping: euros(495) })).status === 201,
      'the new stock to be known',
    );
    expect((await redeem({ orderRef: newOrder(), lines: costing(1000), shipping: euros(100_000) })).status).toBe(201);
  });

  it('holds for three orders at once, and gets another one for each that ends', async () => {
    const campaign = await addCampaign(service, { limits: { total: 20 } });
    const { user, hold } = await shopper();
    const answers = await Promise.all(Array.from({ length: 20 }, () => hold()));
    expect(statuses(answers)).toEqual({ 201: 3, 409: 17 });
    const ids = answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
    const refused = await hold();
    expect(refused.body.code).toBe('too_many_open_holds');
    expect(new Set(refused.body.redemptionIds)).toEqual(new Set(ids));
    expect(await usage(campaign)).toMatchObject({ redemptions: 3 });
    // What an order system holds for the user counts for the order alone.
    expect(
      (await redeem({ orderRef: newOrder(), userId: user.sub, lines: costing(1000), ...heldFor(60) })).status,
    ).toBe(201);
    await service.request(user, 'DELETE', at(ids[0]));
    expect((await hold()).status).toBe(201);
    expect((await hold()).status).toBe(409);
    await service.publish(order('order-of-a-shopper', user.sub, ids[1]));
    await service.idle();
    expect((await hold()).status).toBe(201);
    expect((await hold()).status).toBe(409);
  });

  it('holds for six hours a day without an order', async () => {
    await addCampaign(service);
    const { user, hold } = await shopper();
    const ids: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const held = await hold();
      expect(held.status).toBe(201);
      ids.push(held.body.id);
      // The time runs out.
      await service.collection('redemptions').updateOne({ _id: held.body.id }, { $set: { heldUntil: new Date() } });
      await eventually(async () => (await read(held.body.id)).status === 'released', 'the hold to end');
    }
    const refused = await hold();
    expect([refused.status, refused.body.code]).toEqual([429, 'held_too_long']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await service.collection('shoppers').updateOne({ _id: user.sub }, { $set: { day: '2026-01-01' } });
    expect((await hold()).status).toBe(201);
  });

  it('has what they hold lowered to what the order that is placed states', async () => {
    const campaign = await addCampaign(service, { discount: { type: 'free-shipping', maximumAmount: null } });
    const { user, hold } = await shopper();
    const { body } = await hold({ shipping: euros(10_000) });
    const totals = { subtotal: euros(1000), shipping: euros(495), discount: euros(495), total: euros(1000) };
    const placed = order(body.orderRef, user.sub, body.id, { totals });
    await service.publish(placed, placed);
    await service.idle();
    expect(await usage(campaign)).toMatchObject({ redemptions: 1, amount: 495 });
    expect(await read(body.id)).toMatchObject({
      status: 'confirmed',
      placedFor: body.orderRef,
      campaigns: [{ campaignId: campaign, amount: euros(495) }],
      evaluation: { shippingDiscount: euros(10_000) },
    });
    await assertPerformance(service, campaign);
    const events = service.eventsOf(body.id, engagementEvents.discountConfirmed.type);
    expect(events.map(({ data }) => [data.shippingDiscount, data.total, data.withdrawn])).toEqual([
      [495, 1000, { total: 0, campaigns: [{ campaignId: campaign, amount: 9505 }] }],
    ]);
    // What is left is what an administrator gives back.
    await service.request(service.people.admin, 'DELETE', at(body.id));
    expect(await usage(campaign)).toMatchObject({ redemptions: 0, amount: 0 });
    await assertPerformance(service, campaign);
  });
});

describe('an order that is placed with discounts that were given back', () => {
  const noticesAbout = (redemptionId: string) =>
    service.notifications.find({ audience: 'role:admin', 'data.redemptionId': redemptionId }).toArray();

  it('takes them again beyond the limit, once, and notifies administrators', async () => {
    const campaign = await addCampaign(service, { codes: { ONLYONCE: 1 }, limits: { total: 1, budget: 150 } });
    const [ada, bob] = [principal('retail'), principal('retail')];
    const cart = () => ({ orderRef: newOrder(), lines: costing(1000), codes: ['ONLYONCE'], ...heldFor(600) });
    const { body: first } = await redeem({ ...cart(), userId: ada.sub });
    expect((await service.request(ada, 'DELETE', at(first.id))).status).toBe(200);
    const { body: second } = await redeem({ ...cart(), userId: bob.sub });
    const [adas, bobs] = [order('retaken-1', ada.sub, first.id), order('retaken-2', bob.sub, second.id)];
    await service.publish(adas, bobs, adas);
    await service.idle();
    expect(await usage(campaign)).toMatchObject({ redemptions: 2, amount: 200 });
    const taken = await read(first.id);
    expect(taken).toMatchObject({ status: 'confirmed', releasedAt: null, placedFor: 'retaken-1' });
    expect([taken.beyondLimits, taken.retakenAt]).toEqual([[campaign], taken.placedAt]);
    expect(await read(second.id)).toMatchObject({ status: 'confirmed', retakenAt: null, beyondLimits: [] });
    await assertPerformance(service, campaign);
    await eventually(async () => (await noticesAbout(first.id)).length > 0, 'the notice to administrators');
    const notices = await noticesAbout(first.id);
    expect(notices).toMatchObject([{ type: 'discount-retaken', category: 'orders' }]);
    expect(notices[0]?.['body']).toContain(`A limit was passed of “Campaign ${campaign}”.`);
    expect(await noticesAbout(second.id)).toEqual([]);
    // The campaign can still be changed, but its limits not to what is below its usage.
    const patch = (body: object) => service.request(service.people.admin, 'PATCH', `/v1/campaigns/${campaign}`, body);
    expect((await patch({ name: 'Used beyond' })).status).toBe(200);
    expect(
      (await patch({ limits: { total: 1, perUser: null, budget: { amount: 160, currency: 'EUR' } } })).status,
    ).toBe(400);
    // What an administrator gives back afterwards stays so, also where the event of the order comes again.
    await service.request(service.people.admin, 'DELETE', at(first.id));
    await service.publish(adas);
    await service.idle();
    expect(await read(first.id)).toMatchObject({ status: 'released', placedFor: 'retaken-1' });
    expect(await usage(campaign)).toMatchObject({ redemptions: 1, amount: 100 });
    expect(await noticesAbout(first.id)).toHaveLength(1);
  });

  it('takes them again where the hold ran out, also within the limits', async () => {
    const campaign = await addCampaign(service);
    const userId = newId('user');
    const { body } = await redeem({ orderRef: newOrder(), userId, lines: costing(1000), ...heldFor(1) });
    await eventually(async () => (await read(body.id)).status === 'released', 'the hold to end');
    await service.publish(order('late-order', userId, body.id));
    await service.idle();
    expect(await read(body.id)).toMatchObject({ status: 'confirmed', beyondLimits: [], placedFor: 'late-order' });
    expect(await usage(campaign)).toMatchObject({ redemptions: 1, amount: 100 });
    await eventually(async () => (await noticesAbout(body.id)).length === 1, 'the notice to administrators');
    await assertPerformance(service, campaign);
  });

  it('gets a redemption of its own where another order was placed with the same one', async () => {
    const campaign = await addCampaign(service, { codes: { SHARED: 1 } });
    const userId = newId('user');
    const { body } = await redeem({ orderRef: 'shared-1', userId, lines: costing(1000), codes: ['SHARED'] });
    const [first, second] = [order('shared-1', userId), order('shared-2', userId, body.id)];
    await service.publish(first, second, second, first);
    await service.idle();
    const { body: mine } = await service.request(
      service.people.admin,
      'GET',
      `/v1/discounts/redemptions?user=${userId}`,
    );
    // Both may be of the same millisecond, and then the list has them in any order.
    const [ofFirst, ofSecond] = mine.data.toSorted((a: any, b: any) => a.placedFor.localeCompare(b.placedFor));
    expect(mine.data).toHaveLength(2);
    expect(ofFirst).toMatchObject({ id: body.id, placedFor: 'shared-1', status: 'confirmed', retakenAt: null });
    expect(ofSecond).toMatchObject({
      orderRef: 'shared-2',
      placedFor: 'shared-2',
      status: 'confirmed',
      beyondLimits: [campaign],
    });
    expect(await usage(campaign)).toMatchObject({ redemptions: 2, amount: 200 });
    await eventually(async () => (await noticesAbout(ofSecond.id)).length === 1, 'the notice to administrators');
    await assertPerformance(service, campaign);
  });
});

it('an administrator gives back all of a user at once, but what was ordered', async () => {
  const campaign = await addCampaign(service);
  const [user, other] = [principal('retail'), principal('retail')];
  const redeemFor = (userId: string, more: object = {}) =>
    redeem({ orderRef: newOrder(), userId, lines: costing(1000), ...more });
  const placed = (await redeemFor(user.sub)).body;
  await service.publish(order(placed.orderRef, user.sub));
  await service.idle();
  for (let round = 0; round < 20; round += 1) await redeemFor(user.sub, round % 2 === 0 ? heldFor(600) : {});
  await redeemFor(other.sub);
  const releaseAll = (who: typeof user) => service.request(who, 'DELETE', `/v1/discounts/redemptions?user=${user.sub}`);
  expect((await releaseAll(user)).status).toBe(403);
  const released = await releaseAll(service.people.admin);
  expect([released.status, released.body]).toEqual([200, { released: 20, hasMore: false }]);
  expect((await releaseAll(service.people.admin)).body).toEqual({ released: 0, hasMore: false });
  expect(await usage(campaign)).toMatchObject({ redemptions: 2, amount: 200 });
  expect((await read(placed.id)).status).toBe('confirmed');
});
