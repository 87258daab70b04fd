import { accountEvents, engagementEvents, identityEvents, newId, userDataEvents } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

const { exported } = userDataEvents.engagement;
let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ bus: 'rabbitmq', contracts: [exported] });
});
afterAll(() => service.close());

const wishBy = (userId: string, productId = newId('prod')) =>
  service.event(accountEvents.wishlistItemAdded, userId, { itemId: newId('wli'), productId, tier: 'retail' });
const facts = () => service.collection('facts');
const storedOf = (id: string) => eventually(() => facts().findOne({ _id: id }), 'the fact');

describe('a fact', () => {
  it('is stored once under the id of its event, however often it is told', async () => {
    const [user, product] = [newId('user'), newId('prod')];
    const wish = wishBy(user, product);
    await service.publish(wish, wish);
    await service.publish(wish);
    await service.idle();
    expect(await facts().find({ _id: wish.id }).toArray()).toMatchObject([
      {
        kind: 'wishlist-item-added',
        at: new Date(wish.time),
        publishedAt: new Date(wish.time),
        segment: 'retail',
        data: { productId: product },
      },
    ]);
  });

  it('has the number of its person, and nothing else of them', async () => {
    const user = newId('user');
    const [first, second, other] = [wishBy(user), wishBy(user), wishBy(newId('user'))];
    await service.publish(first, second, other);
    const [one, two, another] = [await storedOf(first.id), await storedOf(second.id), await storedOf(other.id)];
    expect(one['person']).toBe(two['person']);
    expect(another['person']).not.toBe(one['person']);
    expect(JSON.stringify(one)).not.toContain(user);
    expect(JSON.stringify(await service.collection('people').find().toArray())).not.toContain(user);
  });

  it('is stored without a person where its event names none, and with others of many events at once', async () => {
    const redemption = {
      orderRef: 'order-1',
      userId: null,
      segment: 'retail' as const,
      status: 'confirmed' as const,
      heldUntil: null,
      currency: 'EUR',
      subtotal: 2000,
      discount: 300,
      shippingDiscount: 0,
      total: 1700,
      campaigns: [{ campaignId: newId('camp'), code: null, amount: 300 }],
    };
    const redeemed = Array.from({ length: 300 }, () =>
      service.event(engagementEvents.discountRedeemed, 'red', redemption),
    );
    await service.publish(...redeemed);
    const ids = redeemed.map(({ id }) => id);
    await eventually(async () => (await facts().countDocuments({ _id: { $in: ids } })) === 300, 'all 300 facts');
    expect(await facts().findOne({ _id: ids[7] })).toMatchObject({
      person: null,
      segment: 'retail',
      kind: 'discount-redeemed',
    });
  });

  it('that says only that a user was active is stored once for each quarter of an hour', async () => {
    const [user, other] = [newId('user'), newId('user')];
    const changeBy = (userId: string, time: string) => ({
      ...service.event(accountEvents.addressChanged, userId, {
        addressId: newId('addr'),
        change: 'changed',
        country: 'NL',
        isDefault: true,
      }),
      time: `2026-11-20T${time}.000Z`,
    });
    const [first, later] = [changeBy(user, '08:00:00'), changeBy(user, '08:15:00')];
    await service.publish(first);
    await storedOf(first.id);
    await service.publish(changeBy(user, '08:00:01'), changeBy(user, '08:14:59'), later, changeBy(other, '08:00:00'));
    await service.publish(first);
    await service.idle();
    const stored = await facts().find({ kind: 'address-changed' }).sort({ at: 1 }).toArray();
    const times = stored.map(({ at }) => at.toISOString().slice(11, 19));
    expect(times).toEqual(['08:00:00', '08:00:00', '08:15:00']);
    expect(new Set(stored.map(({ person }) => person)).size).toBe(2);
  });

  it('is kept for 25 months', async () => {
    const wish = wishBy(newId('user'));
    await service.publish(wish);
    const { at, keptUntil } = await storedOf(wish.id);
    const months = (keptUntil.getUTCFullYear() - at.getUTCFullYear()) * 12 + keptUntil.getUTCMonth() - at.getUTCMonth();
    expect(months).toBe(25);
  });

  it('is no fact where an event does not count', async () => {
    const named = { email: 'resent@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const sent = service.event(identityEvents.userRegistered, 'reg 1', {
      ...named,
      ...(await service.sealed('123456')),
    });
    await service.publish({ ...sent, sequence: 1 }, { ...sent, id: newId('evt'), sequence: 2 });
    await service.idle();
    expect(await facts().countDocuments({ kind: 'registration-begun' })).toBe(1);
  });
});

describe('an erased user', () => {
  const ask = (user: string) =>
    service.event(identityEvents.userErasureRequested, user, { email: 'gone@example.com', role: 'retail' });
  const people = () => service.collection('people');
  // The last number that was given is kept beside the people.
  const known = (number: unknown) => people().findOne({ number, _id: { $ne: 'last' } });

  it('is nobody’s person any more; the facts stay', async () => {
    const user = newId('user');
    const wish = wishBy(user);
    await service.publish(wish);
    const { person } = await storedOf(wish.id);
    expect(await known(person)).not.toBeNull();
    await service.publish(ask(user));
    await eventually(async () => (await known(person)) === null, 'the person to be forgotten');
    expect(await storedOf(wish.id)).toMatchObject({ person, kind: 'wishlist-item-added' });
  });

  it('is the person of no fact that is told later', async () => {
    const user = newId('user');
    await service.publish(ask(user));
    await service.idle();
    const before = await people().countDocuments();
    const late = wishBy(user);
    await service.publish(late);
    expect(await storedOf(late.id)).toMatchObject({ person: null });
    expect(await people().countDocuments()).toBe(before);
  });

  it('gets all facts in an export before', async () => {
    const user = newId('user');
    const wishes = Array.from({ length: 450 }, () => wishBy(user));
    await service.publish(...wishes);
    const ids = wishes.map(({ id }) => id);
    await eventually(async () => (await facts().countDocuments({ _id: { $in: ids } })) === 450, 'the facts');
    const requested = { exportId: newId('exp'), email: 'ada@example.com' };
    await service.publish(service.event(identityEvents.userExportRequested, user, requested));
    const answer = await eventually(
      () => service.eventsOf(user).find(({ type }) => type === exported.type),
      'the export',
    );
    expect(answer.data.data.analytics).toHaveLength(450);
    expect(answer.data.data.analytics[0]).toEqual({
      kind: 'wishlist-item-added',
      at: expect.any(String),
      data: { productId: expect.any(String) },
    });
  });
});

it('takes facts and heartbeats in their order', async () => {
  const state = () => service.collection('roll_up_state').findOne({});
  const wish = wishBy(newId('user'));
  const beat = {
    ...service.event(engagementEvents.factsHeartbeat, 'facts', {}),
    time: new Date(Date.now() + 60_000).toISOString(),
  };
  await service.publish(wish, beat);
  await eventually(
    async () => (await state())?.['heartbeatAt']?.toISOString() === beat.time,
    'the heartbeat to be heard',
  );
  expect(await facts().findOne({ _id: wish.id })).not.toBeNull();
});
