import { ordersEvents } from '@storefront/contracts';
import { eventually, principal } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addCampaign, addProduct, amountOff, assertPerformance, assertSums, costing, percentOff } from './offers.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ instances: 2 });
});
afterAll(() => service.close());

/** A small generator of numbers that looks random and is the same for the same seed. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const seed = Number(process.env['SEQUENCE_SEED'] ?? Date.now() % 1_000_000);

it(`counts the sum of the redemptions after any mix of steps over two instances (SEQUENCE_SEED=${seed})`, async () => {
  const random = randomOf(seed);
  const limited = await addCampaign(service, { discount: amountOff(150), limits: { total: 15, perUser: 4 } });
  const budget = await addCampaign(service, { discount: percentOff(10), limits: { budget: 4000 } });
  const alone = await addCampaign(service, {
    discount: amountOff(400),
    combination: 'exclusive',
    codes: { ALONE: 3, OTHER: null },
    limits: { perUser: 2 },
  });
  const shoppers = [principal('retail'), principal('retail'), principal('trade')];
  const users = [...shoppers.map(({ sub }) => sub), null];
  const productId = await addProduct(service, { price: 1000, stock: 1000 });
  const known: { readonly id: string; readonly orderRef: string; readonly userId: string | null }[] = [];
  let orders = 0;
  const admin = service.people.admin;
  /** Only what orders have taken again may be beyond a limit. */
  const limits = async () => {
    await service.idle();
    const open = { status: { $ne: 'released' }, retakenAt: null };
    const parts = (await service.collection('redemptions').find(open).toArray()).flatMap((one) => one['parts']);
    const of = (id: string) => parts.filter(({ campaignId }) => campaignId === id);
    expect(of(limited).length).toBeLessThanOrEqual(15);
    expect(of(budget).reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(4000);
    expect(parts.filter(({ code }) => code === 'ALONE').length).toBeLessThanOrEqual(3);
  };

  const unexpected: string[] = [];
  const note = (what: string, status: number, expected: readonly number[]) => {
    if (!expected.includes(status)) unexpected.push(`${what}: ${status}`);
  };

  async function step(): Promise<void> {
    const instance = random(2);
    const path = '/v1/discounts/redemptions';
    const chosen = known[random(Math.max(1, known.length))];
    const kind = random(16);
    if (kind >= 14) {
      const shopper = shoppers[random(shoppers.length)] ?? null;
      const body = {
        orderRef: `order-${(orders += 1)}`,
        lines: [{ productId, quantity: 1 + random(3) }],
        hold: { seconds: 1 + random(2) },
      };
      const answer = await service.request(shopper, 'POST', path, body, {}, instance);
      note('held', answer.status, [201, 409, 422]);
      if (answer.status === 201)
        known.push({ id: answer.body.id, orderRef: body.orderRef, userId: shopper?.sub ?? null });
    } else if (kind === 13) {
      const shopper = shoppers[random(shoppers.length)];
      const [who, below] =
        random(4) === 0 ? [admin, `?user=${shopper?.sub}`] : ([shopper ?? null, `/${chosen?.id}`] as const);
      const answer = await service.request(who, 'DELETE', `${path}${below}`, undefined, {}, instance);
      note('released by its owner, or all', answer.status, [200, 400, 404, 409]);
    } else if (kind < 5 || !chosen) {
      const userId = users[random(users.length)] ?? null;
      const again = kind === 4 ? chosen : undefined;
      const orderRef = again?.orderRef ?? `order-${(orders += 1)}`;
      const owner = again ? again.userId : userId;
      const body = {
        orderRef,
        ...(owner === null ? {} : { userId: owner }),
        segment: random(3) === 0 ? 'trade' : 'retail',
        lines: costing(1000 + 500 * random(3)),
        codes: [[], ['ALONE'], ['OTHER'], ['ALONE', 'OTHER']][random(4)],
        ...(random(3) === 0 ? { hold: { seconds: 1 + random(2) } } : {}),
      };
      const answer = await service.request(admin, 'POST', path, body, {}, instance);
      note('redeemed', answer.status, [200, 201, 409, 422]);
      if (answer.status === 201) known.push({ id: answer.body.id, orderRef, userId: owner });
    } else if (kind < 7) {
      const answer = await service.request(admin, 'DELETE', `${path}/${chosen.id}`, undefined, {}, instance);
      note('released', answer.status, [200]);
    } else if (kind < 9) {
      const answer = await service.request(admin, 'POST', `${path}/${chosen.id}/confirm`, undefined, {}, instance);
      note('confirmed', answer.status, [200, 409]);
    } else if (chosen.userId !== null) {
      const orderId = random(5) === 0 ? `another-${random(3)}` : chosen.orderRef;
      const euros = (amount: number) => ({ amount, currency: 'EUR' });
      await service.publish(
        service.event(ordersEvents.orderPlaced, orderId, {
          orderId,
          userId: chosen.userId,
          redemptionId: random(4) === 0 ? undefined : chosen.id,
          ...(random(3) === 0 ? { totals: { discount: euros(random(300)), total: euros(900) } } : {}),
          recipient: { firstName: 'Ada', lastName: 'Lovelace' },
          placedAt: new Date().toISOString(),
          lines: [{ productId: 'prod_x', quantity: 1, unitPrice: { amount: 900, currency: 'EUR' } }],
        }),
      );
    }
  }

  for (let round = 0; round < 15; round += 1) {
    await Promise.all(Array.from({ length: 20 }, step));
    await limits();
  }
  await service.idle();
  await eventually(
    async () => (await service.collection('redemptions').countDocuments({ status: 'held' })) === 0,
    'all holds to end',
  );
  await assertSums(service);
  for (const campaign of [limited, budget, alone]) await assertPerformance(service, campaign);
  const ids = (documents: any[], of: (document: any) => string) => documents.map(of).toSorted();
  const retaken = await service
    .collection('redemptions')
    .find({ retakenAt: { $ne: null } })
    .toArray();
  await eventually(
    async () => (await service.notifications.countDocuments({ type: 'discount-retaken' })) >= retaken.length,
    'the notices to administrators',
  );
  const notices = await service.notifications.find({ type: 'discount-retaken' }).toArray();
  expect(ids(notices, ({ data }) => data.redemptionId)).toEqual(ids(retaken, ({ _id }) => _id));
  expect(retaken.length).toBeGreaterThan(0);
  for (const { holds } of await service.collection('shoppers').find().toArray()) expect(holds).toEqual([]);
  expect(unexpected).toEqual([]);
  expect(known.length).toBeGreaterThan(30);
});
