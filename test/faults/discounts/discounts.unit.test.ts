import { engagementEvents } from '@storefront/contracts';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../client.ts';
import { accountsOf, type StoredDiscounts, type StoredRedemption } from './accounts.ts';
import type { TestCampaign } from './campaigns.ts';
import { eventsFact } from './events.ts';
import {
  countingAtEnd,
  newOrder,
  noteConfirmation,
  noteRedemption,
  noteRelease,
  type RedeemedPart,
  type TestOrder,
} from './orders.ts';
import { excessesOf, watchUsage } from './watch.ts';

const campaignId = 'camp_few';
const campaign: TestCampaign = {
  id: campaignId,
  name: 'A few',
  codes: [{ code: 'FEW', maximumUses: 3 }],
  limits: { total: 2, perUser: null, budget: 1000 },
  mostOff: (subtotal) => subtotal / 10,
};
const part: RedeemedPart = { campaignId, code: 'FEW', amount: 200 };
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const evaluation = {
  subtotal: euros(2000),
  discount: euros(200),
  shipping: euros(495),
  shippingDiscount: euros(0),
  total: euros(2295),
  lines: [{ subtotal: euros(2000), discount: euros(200) }],
  campaigns: [
    { ...part, amount: euros(part.amount), applied: true },
    { campaignId: 'camp_other', code: null, amount: euros(0), applied: false },
  ],
};
const noon = new Date('2026-06-01T12:00:00Z');
const later = new Date(noon.getTime() + 10_000);

function reply(status: number, body: object = {}, uncertainTries = 0): Reply {
  return {
    status,
    body,
    uncertainTries,
    code: (body as { code?: string }).code,
    gateway: 'a',
    retryAfterMs: 0,
    isTokenIgnored: false,
  };
}
const noAnswer = reply(0, {}, 8);
const confirmed = reply(201, { id: 'red_1', status: 'confirmed', heldUntil: null, evaluation });
const held = reply(201, { id: 'red_1', status: 'held', heldUntil: later.toISOString(), evaluation });
const released = reply(200, { id: 'red_1', status: 'released', heldUntil: null, evaluation });
const isReleased = reply(409, { code: 'redemption_released' });

function order(...notes: ((order: TestOrder) => unknown)[]): TestOrder {
  const made = newOrder({ orderRef: 'order-1', key: 'key-1', body: { codes: ['FEW'] }, subtotal: 4000 });
  for (const note of notes) note(made);
  return made;
}
const redeem = (answer: Reply) => (made: TestOrder) => noteRedemption(made, answer);
const confirm =
  (answer: Reply, now = noon) =>
  (made: TestOrder) =>
    noteConfirmation(made, answer, now);
const release = (answer: Reply) => (made: TestOrder) => noteRelease(made, answer);

const none = { atLeast: 0, atMost: 0 };
const one = { atLeast: 1, atMost: 1 };
const either = { atLeast: 0, atMost: 1 };

describe('whether the redemption of an order counts in the end', () => {
  test.each([
    ['refused', order(redeem(reply(422))), none],
    ['confirmed', order(redeem(confirmed)), one],
    ['without an answer', order(redeem(noAnswer)), either],
    ['refused after a try without an answer', order(redeem(reply(422, {}, 1))), either],
    ['without an answer, then repeated', order(redeem(noAnswer), redeem(confirmed)), one],
    ['held', order(redeem(held)), none],
    ['held and confirmed', order(redeem(held), confirm(reply(200, { status: 'confirmed' }))), one],
    ['held, and its confirmation had no answer', order(redeem(held), confirm(noAnswer)), either],
    ['held until its time was over', order(redeem(held), confirm(isReleased, later)), none],
    ['released', order(redeem(confirmed), release(released)), none],
    ['confirmed, and its release had no answer', order(redeem(confirmed), release(noAnswer)), either],
    [
      'released after a release without an answer',
      order(redeem(confirmed), release(noAnswer), release(released)),
      none,
    ],
  ])('%s', (_what, made, expected) => {
    expect(countingAtEnd(made)).toEqual(expected);
  });

  test('a hold without an answer ends by itself, unless its order was placed', () => {
    const hold = { ...order(), body: { codes: [], hold: { seconds: 5 } } };
    noteRedemption(hold, noAnswer);
    expect(countingAtEnd(hold)).toEqual(none);
    const placed = { ...order(redeem(held)), isPlaced: true, mayBeConfirmed: true };
    expect(countingAtEnd(placed)).toEqual(either);
    noteRelease(placed, reply(409, { code: 'redemption_not_held' }));
    expect(countingAtEnd(placed)).toEqual(one);
  });
});

describe('an answer is wrong', () => {
  test('where another redemption answers for the same order', () => {
    const made = order(redeem(confirmed));
    expect(noteRedemption(made, confirmed)).toBeNull();
    expect(noteRedemption(made, reply(201, { ...confirmed.body, id: 'red_2' }))).toMatchObject({ found: 'red_2' });
    expect(noteRedemption(made, reply(422, { code: 'no_discount_applies' }))).toMatchObject({
      found: '422 no_discount_applies',
    });
  });

  test('where its sums are not those of its parts', () => {
    const wrong = { ...evaluation, discount: euros(300) };
    expect(noteRedemption(order(), reply(201, { ...confirmed.body, evaluation: wrong }))).not.toBeNull();
  });

  test('where a hold is over before its time, and nobody released it', () => {
    expect(noteConfirmation(order(redeem(held)), isReleased, noon)).not.toBeNull();
    const again = reply(200, { ...released.body, status: 'held' });
    // An answer that no longer says until when it was held.
    expect(noteConfirmation(order(redeem(held), redeem(again)), isReleased, later)).toBeNull();
    expect(noteConfirmation(order(redeem(held)), isReleased, later)).toBeNull();
    expect(noteConfirmation(order(redeem(held), release(noAnswer)), isReleased, noon)).toBeNull();
  });

  test('where something is said to be confirmed that nobody confirmed', () => {
    const notHeld = reply(409, { code: 'redemption_not_held' });
    expect(noteRelease(order(redeem(held)), notHeld)).not.toBeNull();
    expect(noteRelease({ ...order(redeem(held)), mayBeConfirmed: true }, notHeld)).toBeNull();
  });
});

const stored: StoredRedemption = {
  _id: 'red_1',
  owner: 'user_1',
  orderRef: 'order-1',
  status: 'confirmed',
  parts: [part],
  heldUntil: null,
  confirmedAt: noon,
};
const right: StoredDiscounts = {
  redemptions: [stored, { ...stored, _id: 'red_0', status: 'released' }],
  usage: [{ _id: campaignId, redemptions: 1, amount: 200 }],
  codes: [{ _id: 'FEW', uses: 1 }],
  shoppers: [{ _id: 'user_1', uses: { [campaignId]: 1 } }],
  shown: new Map([[campaignId, { redemptions: 1, amount: 200 }]]),
  performance: new Map([[campaignId, { redemptions: 1, amount: 200, released: 1, customers: 1 }]]),
};

describe('the accounts of what was given', () => {
  const wrongIn = (other: Partial<StoredDiscounts>, orders = [order(redeem(confirmed))]) =>
    accountsOf([campaign], orders, { ...right, ...other })
      .filter(({ found }) => found > 0)
      .map(({ what }) => what.replace(/ \(.*/, ''));

  const notTheSum = 'campaigns whose usage is not the sum of their redemptions';
  const unexplained = 'campaigns whose usage the answers do not explain';
  const codes = 'codes whose uses are not the number of their redemptions';
  const users = 'users whose uses of a campaign are not the number of their redemptions';

  const performance = 'campaigns whose performance is not that of their redemptions';

  test('agree', () => expect(wrongIn({})).toEqual([]));
  test('differ by a released redemption that still counts', () => {
    expect(wrongIn({ usage: [{ _id: campaignId, redemptions: 2, amount: 400 }] })).toEqual([notTheSum]);
    expect(wrongIn({ codes: [{ _id: 'FEW', uses: 2 }] })).toEqual([codes]);
    expect(wrongIn({ shoppers: [{ _id: 'user_1', uses: { [campaignId]: 2 } }] })).toEqual([users]);
    expect(wrongIn({ shoppers: [] })).toEqual([users]);
  });
  test('differ in what the campaign brought', () => {
    const brought = { redemptions: 1, amount: 200, released: 1, customers: 1 };
    const others = [{ redemptions: 2 }, { amount: 201 }, { released: 0 }, { customers: 0 }, { customers: 2 }];
    for (const other of others)
      expect(wrongIn({ performance: new Map([[campaignId, { ...brought, ...other }]]) })).toEqual([performance]);
    expect(wrongIn({ performance: new Map() })).toEqual([performance]);
  });
  test('differ by one cent', () => {
    expect(wrongIn({ shown: new Map([[campaignId, { redemptions: 1, amount: 199 }]]) })).toEqual([notTheSum]);
  });
  test('differ where the API does not answer', () => expect(wrongIn({ shown: new Map() })).toEqual([notTheSum]));
  test('have a redemption that no answer explains, or lack an acknowledged one', () => {
    expect(wrongIn({}, [])).toEqual([unexplained]);
    expect(wrongIn({}, [order(redeem(confirmed)), order(redeem(confirmed))])).toEqual([unexplained]);
  });
  test('may have an uncertain redemption or not', () => {
    const uncertain = order(redeem(noAnswer));
    expect(wrongIn({}, [uncertain])).toEqual([]);
    expect(wrongIn({}, [order(redeem(confirmed)), uncertain])).toEqual([]);
    const two = { redemptions: 2, amount: 400 };
    const of = {
      redemptions: [stored, { ...stored, _id: 'red_2' }],
      usage: [{ _id: campaignId, ...two }],
      shown: new Map([[campaignId, two]]),
      performance: new Map([[campaignId, { ...two, released: 0, customers: 1 }]]),
      codes: [{ _id: 'FEW', uses: 2 }],
      shoppers: [{ _id: 'user_1', uses: { [campaignId]: 2 } }],
    };
    expect(wrongIn(of, [uncertain])).toEqual([unexplained]);
    expect(wrongIn(of, [uncertain, uncertain])).toEqual([]);
  });
  test('count no user for an order without an account and after an erasure', () => {
    const nobody = (['guest', 'erased'] as const).map((owner) => ({ ...stored, _id: `red_${owner}`, owner }));
    const two = { redemptions: 2, amount: 400 };
    const of = {
      redemptions: nobody,
      usage: [{ _id: campaignId, ...two }],
      shown: new Map([[campaignId, two]]),
      codes: [{ _id: 'FEW', uses: 2 }],
      shoppers: [],
    };
    const both = [order(redeem(confirmed)), order(redeem(confirmed))];
    const customers = (count: number) => ({
      performance: new Map([[campaignId, { ...two, released: 0, customers: count }]]),
    });
    expect(wrongIn({ ...of, ...customers(0) }, both)).toEqual([]);
    // A user who was erased may have been a customer.
    expect(wrongIn({ ...of, ...customers(1) }, both)).toEqual([]);
    expect(wrongIn({ ...of, ...customers(2) }, both)).toEqual([performance]);
  });
  test('name a redemption that is still held', () => {
    const redemptions = [{ ...stored, status: 'held' as const, heldUntil: later }, right.redemptions[1]!];
    expect(wrongIn({ redemptions })).toEqual(['redemptions that are still held']);
  });
});

describe('the events of redemptions', () => {
  const event = (id: string, type: string, status?: string) => ({
    id,
    type,
    subject: 'red_1',
    data: status === undefined ? {} : { status },
  });
  const wasRedeemed = event('evt_1', engagementEvents.discountRedeemed.type, 'confirmed');
  const wasHeld = event('evt_1', engagementEvents.discountRedeemed.type, 'held');
  const wasConfirmed = event('evt_2', engagementEvents.discountConfirmed.type);
  const wasReleased = event('evt_3', engagementEvents.discountReleased.type);
  const wrong = (status: StoredRedemption['status'], confirmedAt: Date | null, events: (typeof wasRedeemed)[]) =>
    eventsFact([{ _id: 'red_1', status, confirmedAt }], events).found;

  test('are one for each step, however often each is delivered', () => {
    expect(wrong('confirmed', noon, [wasRedeemed, wasRedeemed])).toBe(0);
    expect(wrong('confirmed', noon, [wasHeld, wasConfirmed])).toBe(0);
    expect(wrong('released', noon, [wasReleased, wasConfirmed, wasHeld])).toBe(0);
    expect(wrong('released', null, [wasHeld, wasReleased])).toBe(0);
  });

  test('are wrong where one is missing, too many or of nothing', () => {
    expect(wrong('confirmed', noon, [])).toBe(1);
    expect(wrong('confirmed', noon, [wasHeld])).toBe(1);
    expect(wrong('confirmed', noon, [wasRedeemed, wasConfirmed])).toBe(1);
    expect(wrong('released', null, [wasHeld])).toBe(1);
    expect(wrong('confirmed', noon, [wasRedeemed, { ...wasRedeemed, id: 'evt_9' }])).toBe(1);
    expect(wrong('confirmed', noon, [wasRedeemed, { ...wasRedeemed, id: 'evt_9', subject: 'red_9' }])).toBe(1);
  });
});

describe('a look', () => {
  const excesses = (redemptions: number, amount: number, uses: number) =>
    excessesOf([campaign], {
      campaigns: new Map([[campaignId, { redemptions, amount }]]),
      codes: new Map([['FEW', uses]]),
    });

  test('finds what is above a limit, a budget or the uses of a code, or below nothing', () => {
    expect(excesses(2, 1000, 3)).toEqual([]);
    expect(excesses(3, 1000, 3)).toEqual(['3 redemptions of 2 of "A few"']);
    expect(excesses(2, 1001, 3)).toEqual(['1001 cents of 1000 of "A few"']);
    expect(excesses(2, 1000, 4)).toEqual(['4 uses of 3 of FEW']);
    expect(excesses(-1, 0, 0)).toEqual(['-1 redemptions of 2 of "A few"']);
  });

  test('is one of many, and what any of them has seen is not forgotten', async () => {
    let looks = 0;
    const third = Promise.withResolvers<void>();
    const watch = watchUsage([campaign], {
      database: async () => {
        looks += 1;
        if (looks === 1) throw new Error('the database is away');
        if (looks === 4) third.resolve();
        const redemptions = looks === 2 ? 3 : 2;
        return { campaigns: new Map([[campaignId, { redemptions, amount: 0 }]]), codes: new Map() };
      },
    });
    await third.promise;
    await watch.stop();
    const [counted, passed] = watch.facts();
    expect(counted?.found).toBeGreaterThanOrEqual(3);
    expect(passed).toMatchObject({ found: 1, atMost: 0 });
  });
});
