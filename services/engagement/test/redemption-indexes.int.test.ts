import { identityEvents, newId, ordersEvents } from '@storefront/contracts';
import { eventually, fill, findSlow, principal, recordQueries } from '@storefront/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addCampaign, addProduct, costing } from './offers.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const stored = inject('isProof') ? 100_000 : 5000;
const ada = principal('retail');

it('every query about redemptions uses an index, and reads no more than it shows', async () => {
  const [campaign, mug] = [
    await addCampaign(service, { codes: { INDEX: null } }),
    await addProduct(service, { price: 1000 }),
  ];
  const cart = { lines: [{ productId: mug, quantity: 1 }], codes: ['INDEX', 'UNKNOWN'] };
  const made = await redeem('order-made');
  await fillRedemptions(made, campaign);

  const stopRecording = await recordQueries(service.connection);
  await service.request(ada, 'POST', '/v1/discounts/evaluate', cart);
  const hold = { orderRef: 'order-new', ...cart, hold: { seconds: 3600 } };
  const { body: own } = await service.request(ada, 'POST', '/v1/discounts/redemptions', hold);
  await service.request(ada, 'POST', '/v1/discounts/redemptions', hold);
  await service.request(ada, 'DELETE', `/v1/discounts/redemptions/${own.id}`);
  const held = await redeem('order-held');
  for (const [method, path] of [
    ['GET', `/${held}`],
    ['POST', `/${held}/confirm`],
    ['DELETE', `/${held}`],
  ] as const)
    await service.request(service.people.admin, method, `/v1/discounts/redemptions${path}`);
  for (const query of ['', `?campaign=${campaign}`, `?user=${ada.sub}`, `?campaign=${campaign}&user=${ada.sub}`]) {
    const first = await service.request(service.people.admin, 'GET', `/v1/discounts/redemptions${query}`);
    const next = `${query === '' ? '?' : `${query}&`}cursor=${first.body.nextCursor}`;
    expect((await service.request(service.people.admin, 'GET', `/v1/discounts/redemptions${next}`)).status).toBe(200);
  }
  expect((await service.request(ada, 'GET', '/v1/discounts/redemptions')).body.data).toHaveLength(20);
  const sent = newId('ord');
  await service.publish(
    service.event(ordersEvents.discountRequested, sent, {
      userId: ada.sub,
      tier: 'retail',
      currency: 'EUR',
      codes: ['INDEX'],
      lines: [{ lineId: 'line_1', productId: mug, variantId: newId('var'), quantity: 1, unitPrice: 1000 }],
      shipping: 0,
    }),
    service.event(ordersEvents.orderCancelled, sent, {
      userId: ada.sub,
      from: 'pending',
      reason: 'cancelled',
      segment: 'guest',
      currency: 'EUR',
      sold: null,
    }),
    service.event(ordersEvents.orderPlaced, 'order-new', {
      orderId: 'order-new',
      userId: ada.sub,
      recipient: { firstName: 'Ada', lastName: 'Lovelace' },
      placedAt: new Date().toISOString(),
      redemptionId: own.id,
    }),
    service.event(ordersEvents.orderPlaced, 'order-another', {
      orderId: 'order-another',
      userId: ada.sub,
      recipient: { firstName: 'Ada', lastName: 'Lovelace' },
      placedAt: new Date().toISOString(),
      redemptionId: own.id,
    }),
    service.event(identityEvents.userErasureRequested, newId('user'), { email: 'a@example.com', role: 'retail' }),
  );
  await service.idle();
  const released = await service.request(
    service.people.admin,
    'DELETE',
    `/v1/discounts/redemptions?user=${principal('retail').sub}`,
  );
  expect(released.status).toBe(200);
  await eventually(
    () => service.collection('system.profile').findOne({ 'command.hint': 'holds' }),
    'a look for holds that are over',
  );
  const queries = await stopRecording();

  const found = findSlow(queries, 60);
  expect(found.byNoIndex).toEqual([]);
  expect(found.sorted).toEqual([]);
  expect(found.readMuch).toEqual([]);
  expect(queries.map(({ collection }) => collection)).toEqual(
    expect.arrayContaining([
      'redemptions',
      'order_discounts',
      'shoppers',
      'customer_days',
      'campaign_days',
      'code_guesses',
      'campaign_codes',
      'campaign_usage',
    ]),
  );
});

async function redeem(orderRef: string): Promise<string> {
  const body = { orderRef, userId: ada.sub, lines: costing(1000), codes: ['INDEX'], hold: { seconds: 3600 } };
  const { body: made } = await service.request(service.people.admin, 'POST', '/v1/discounts/redemptions', body);
  return made.id;
}

/** A redemption a second, each tenth of the same user, and a few that are held. */
async function fillRedemptions(like: string, campaign: string): Promise<void> {
  const {
    _id,
    outbox: _outbox,
    openFor: _openFor,
    ...template
  } = await service.collection('redemptions').findOne({ _id: like });
  const others = Array.from({ length: 200 }, () => newId('user'));
  const now = Date.now();
  await fill(service.collection('redemptions'), stored, (index) => {
    const owner = index % 10 === 0 ? ada.sub : others[index % others.length];
    const status = index % 500 === 0 ? 'held' : index % 3 === 0 ? 'released' : 'confirmed';
    const id = newId('red');
    return {
      ...template,
      _id: id,
      owner,
      orderRef: id,
      ...(status === 'released' ? {} : { openFor: `${owner} ${id}` }),
      status,
      heldUntil: status === 'held' ? new Date(now + 7_200_000) : null,
      campaignIds: [campaign],
      createdAt: new Date(now - index * 1000),
      outbox: [],
    };
  });
  expect(_id).toBe(like);
}
