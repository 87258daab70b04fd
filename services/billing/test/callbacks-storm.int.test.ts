import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseAway } from '@storefront/mongo';
import { eventually } from '@storefront/testing';
import { afterEach, expect, inject, it } from 'vitest';
import { accountWith } from './accounts.ts';
import { assertBalancesPublished, assertBooks } from './assert-books.ts';
import { demoBody, send } from './callbacks.ts';
import { randomOf, type Random } from '../../../test/faults/random.ts';
import { startBilling, type Harness } from './harness.ts';
import { startKillableBilling } from './killable.ts';

const [paymentsOfEach, invoicesOfEach, factsOfEach] = [10, 8, 5];
// In the proof 1,000 callbacks of 200 payments.
const accounts = Math.ceil((inject('isProof') ? 1000 : 50) / (paymentsOfEach * factsOfEach));
const callbacks = accounts * paymentsOfEach * factsOfEach;
// Of an instance and of the database in turns.
const kills = 12;
const atOnce = 16;
// Each kill of an instance may lock what its transaction has written for 5 s. A busy machine takes ten times as long as an idle one.
const patience = 180_000 + callbacks * 600;

interface Transfer {
  readonly type: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly reference: string;
}

let billing: Harness;
let close: () => Promise<void>;
afterEach(() => close());

/** What the provider states about a payment, in the order in which it happened: five facts about two transfers. */
function transfersOf(paymentId: string, random: Random): Transfer[] {
  const upTo = (max: number) => random.between(1, max);
  const state = (type: string, transfer: number, amount: number) => ({
    type: `payment.${type}`,
    paymentId,
    amount,
    reference: `tr_${paymentId}_${transfer}`,
  });
  const [first, second] = [upTo(900), upTo(900)];
  return [
    state('failed', 1, first),
    state('succeeded', 1, first),
    state('succeeded', 2, second),
    state('refunded', 1, random.next() < 0.3 ? first : upTo(first)),
    state('disputed', 2, random.next() < 0.3 ? second : upTo(second)),
  ];
}

/** What the payment has in the end, published in whatever order. */
function keptOf(published: readonly Transfer[]): number {
  const transfers = Map.groupBy(published, ({ reference }) => reference);
  const sumOf = (list: readonly Transfer[], types: readonly string[]) =>
    list.reduce((sum, { type, amount }) => (types.includes(type) ? sum + amount : sum), 0);
  return [...transfers.values()].reduce(
    (sum, list) => sum + sumOf(list, ['payment.succeeded']) - sumOf(list, ['payment.refunded', 'payment.disputed']),
    0,
  );
}

/** Payments of many accounts, each of some of the account's invoices. */
async function makePayments(random: Random): Promise<string[]> {
  const ids: string[] = [];
  for (let account = 0; account < accounts; account += 1) {
    const totals = Array.from({ length: invoicesOfEach }, () => ({
      total: random.between(100, 1599),
      due: random.between(1, 60),
    }));
    const { owner, invoices } = await accountWith(billing, totals);
    for (let made = 0; made < paymentsOfEach; made += 1) {
      const invoiceIds = random
        .shuffle(invoices)
        .slice(0, random.between(1, 3))
        .map(({ id }) => id);
      const { status, body } = await billing.call(owner, 'POST', '/v1/payments', { invoiceIds });
      if (status !== 201) throw new Error(`no payment: ${JSON.stringify(body)}`);
      ids.push(body.id);
    }
  }
  return ids;
}

/** How often the provider sent each callback: until it was acknowledged, as often as it repeats it. By the id of the event. */
interface Sendings {
  readonly tries: Map<string, number>;
  readonly acknowledged: Map<string, number>;
  /** How many there are to be acknowledged. */
  all: number;
}

const countOne = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Sends each body one to five times, in any order, each time to any instance until one has acknowledged it. */
async function sendAll(
  bodies: readonly string[],
  random: Random,
  { urls, sendings }: { urls: () => readonly string[]; sendings: Sendings },
): Promise<void> {
  const left = random.shuffle(bodies.flatMap((body) => Array.from({ length: random.between(1, 5) }, () => body)));
  sendings.all = left.length;
  const refusals: number[] = [];
  async function acknowledged(body: string): Promise<boolean> {
    const { id } = JSON.parse(body);
    countOne(sendings.tries, id);
    const { status } = await send(billing, body, {}, { url: random.pick(urls()) });
    if (status === 200) countOne(sendings.acknowledged, id);
    else if (status !== 503) refusals.push(status);
    return status === 200;
  }
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let body = left.pop(); body !== undefined; body = left.pop()) {
        const each = body;
        await eventually(() => acknowledged(each), 'a callback to be acknowledged', patience);
      }
    }),
  );
  expect(refusals).toEqual([]);
}

/** Runs `look` again and again while `work` runs; at least once. */
async function meanwhile(work: Promise<void>, look: () => Promise<void>): Promise<void> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  const looking = async () => {
    do await look();
    while (!isOver);
  };
  await Promise.all([over, looking()]);
}

/** Checks the books in one look; false where the database is away. */
async function look(): Promise<boolean> {
  try {
    await assertBooks(billing);
    return true;
  } catch (error) {
    if (isDatabaseAway(error)) return false;
    throw error;
  }
}

const outcomesOf = async () =>
  (await billing
    .collection('callbacks')
    .aggregate([{ $group: { _id: '$outcome', count: { $sum: 1 } } }])
    .toArray()) as unknown as { readonly _id: string; readonly count: number }[];
const countOf = async (outcome: string) => await billing.collection('callbacks').countDocuments({ outcome });

/** Where the callbacks go, and what goes wrong meanwhile: the next thing whenever so much of the work is done, from 0 to 1. */
interface Storm {
  readonly seed: number;
  readonly urls: () => readonly string[];
  readonly begin?: () => Promise<void>;
  readonly troubles?: readonly (() => void)[];
}

/** How many entries of the ledger have which outcome in the end. */
async function storm({ seed, urls, begin, troubles = [] }: Storm): Promise<Readonly<Record<string, number>>> {
  const random = randomOf(seed, 'storm');
  const payments = await makePayments(random);
  const published = new Map(payments.map((id) => [id, transfersOf(id, random)]));
  const bodies = [...published.values()].flat().map((transfer) => demoBody(transfer));
  expect(bodies).toHaveLength(callbacks);
  await begin?.();
  const sendings: Sendings = { tries: new Map(), acknowledged: new Map(), all: Infinity };

  /** Half of the storm is that callbacks are acknowledged, half that their work is done. */
  const progress = async () => (sumOf(sendings.acknowledged) / sendings.all + (await countOf('done')) / callbacks) / 2;
  async function makeTrouble(): Promise<void> {
    for (const [place, trouble] of troubles.entries()) {
      const share = (place + 1) / (troubles.length + 1);
      await eventually(async () => (await progress()) >= share, `${share} of the storm to be over`, patience);
      trouble();
      await eventually(look, 'a look at the books', patience);
    }
  }

  await meanwhile(
    (async () => {
      await Promise.all([sendAll(bodies, random, { urls, sendings }), makeTrouble()]);
      await eventually(
        async () => (await countOf('received')) === 0 && (await countOf('done')) > 0,
        'every callback to be worked off',
        patience,
      );
    })(),
    async () => {
      await look();
      await wait(250);
    },
  );

  await assertBooks(billing);
  await assertLedger(sendings);
  const ends = await billing.collection('payments').find({}).toArray();
  expect(ends).toHaveLength(payments.length);
  for (const { _id, received, status } of ends) {
    const kept = keptOf(published.get(String(_id)) ?? []);
    const [, , , , disputed] = published.get(String(_id)) ?? [];
    expect([_id, received]).toEqual([_id, kept]);
    expect([_id, status]).toEqual([_id, kept > 0 ? 'succeeded' : disputed ? 'disputed' : 'refunded']);
  }
  const facts = await billing.collection('journal').countDocuments({ kind: { $in: ['payment', 'refund'] } });
  const moved = () => billing.events.filter(({ type }) => /payment-(received|refunded)$/.test(type));
  await eventually(() => moved().length >= facts, 'an event of each move of money', patience);
  expect(moved()).toHaveLength(facts);
  await assertBalancesPublished(billing);
  return Object.fromEntries((await outcomesOf()).map(({ _id, count }) => [_id, count]));
}

/** The ledger has every acknowledged callback, and none that was not sent. */
async function assertLedger({ tries, acknowledged }: Sendings): Promise<void> {
  const kept = new Map<string, number>();
  for (const { eventId } of await billing.collection('callbacks').find({}).toArray()) countOne(kept, String(eventId));
  expect(kept.size).toBe(callbacks);
  for (const [id, count] of kept) {
    expect([id, count]).toEqual([id, Math.max(count, acknowledged.get(id) ?? Infinity)]);
    expect([id, count]).toEqual([id, Math.min(count, tries.get(id) ?? 0)]);
  }
}

it(
  'a storm of callbacks moves each cent once, over two instances',
  async () => {
    billing = await startBilling({ instances: 2 });
    close = billing.close;
    const outcomes = await storm({ seed: 7, urls: () => billing.instances.map(({ url }) => url) });
    expect(outcomes).toEqual({ done: callbacks, duplicate: expect.any(Number) });
  },
  4 * patience,
);

// In `npm run proof -- storm`.
it.runIf(inject('isProof'))(
  'a storm of callbacks moves each cent once, while instances and the database are killed',
  async () => {
    const killable = await startKillableBilling();
    ({ billing, close } = killable);
    const { killInstance, killDatabase } = killable;
    const troubles = Array.from({ length: kills }, (_, place) =>
      place % 2 === 0 ? () => killInstance((place / 2) % 2) : killDatabase,
    );
    const outcomes = await storm({ seed: 11, urls: killable.urls, begin: killable.separate, troubles });
    expect(outcomes).toEqual({ done: callbacks, duplicate: expect.any(Number) });
    await killable.allRun();
  },
  4 * patience,
);
