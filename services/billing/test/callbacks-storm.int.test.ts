import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountWith } from './accounts.ts';
import { assertBalancesTold, assertBooks } from './assert-books.ts';
import { demoBody, send } from './callbacks.ts';
import { randomOf } from '../../../test/faults/random.ts';
import type { Random } from '../../../test/faults/random.ts';
import { startBilling } from './harness.ts';
import type { Harness } from './harness.ts';

const [paymentsOfEach, invoicesOfEach, factsOfEach] = [10, 8, 5];
// In the long form 1,000 callbacks of 200 payments: STORM_CALLBACKS=1000.
const accounts = Math.ceil(Number(process.env['STORM_CALLBACKS'] ?? 100) / (paymentsOfEach * factsOfEach));
const callbacks = accounts * paymentsOfEach * factsOfEach;
// Each kill may lock an account for some seconds.
const mostKills = 3;
const atOnce = 16;

interface Transfer {
  readonly type: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly reference: string;
}

let billing: Harness;
beforeEach(async () => void (billing = await startBilling({ instances: 2 })));
afterEach(() => billing.close());

/** What the provider tells of a payment, in the order in which it happened: five facts about two transfers. */
function transfersOf(paymentId: string, random: Random): Transfer[] {
  const upTo = (max: number) => random.between(1, max);
  const tell = (type: string, transfer: number, amount: number) => ({
    type: `payment.${type}`,
    paymentId,
    amount,
    reference: `tr_${paymentId}_${transfer}`,
  });
  const [first, second] = [upTo(900), upTo(900)];
  return [
    tell('failed', 1, first),
    tell('succeeded', 1, first),
    tell('succeeded', 2, second),
    tell('refunded', 1, random.next() < 0.3 ? first : upTo(first)),
    tell('disputed', 2, random.next() < 0.3 ? second : upTo(second)),
  ];
}

/** What the payment has in the end, told in whatever order. */
function keptOf(told: readonly Transfer[]): number {
  const transfers = Map.groupBy(told, ({ reference }) => reference);
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

/** Sends each body one to five times, in any order, to one of the instances. */
async function sendAll(bodies: readonly string[], random: Random): Promise<void> {
  const repeated = bodies.flatMap((body) => Array.from({ length: random.between(1, 5) }, () => body));
  const left = random.shuffle(repeated).map((body) => ({ body, instance: random.between(0, 1) }));
  const urls = billing.instances.map(({ url }) => url);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const { status } = await send(billing, next.body, {}, { url: urls[next.instance] ?? billing.url() });
        expect(status).toBe(200);
      }
    }),
  );
  expect(await billing.collection('callbacks').countDocuments({})).toBe(repeated.length);
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

const countLeft = async () => await billing.collection('callbacks').countDocuments({ outcome: 'received' });

/** How many callbacks had which outcome in the end, repetitions left out. */
async function storm(seed: number, disturb: () => Promise<void>): Promise<Record<string, number>> {
  const random = randomOf(seed, 'storm');
  const payments = await makePayments(random);
  const told = new Map(payments.map((id) => [id, transfersOf(id, random)]));
  const bodies = [...told.values()].flat().map((transfer) => demoBody(transfer));
  expect(bodies).toHaveLength(callbacks);

  await meanwhile(
    (async () => {
      await sendAll(bodies, random);
      await eventually(async () => (await countLeft()) === 0, 'every callback to be worked off', 200_000);
    })(),
    async () => {
      await assertBooks(billing);
      await disturb();
    },
  );

  await assertBooks(billing);
  const ends = await billing.collection('payments').find({}).toArray();
  expect(ends).toHaveLength(payments.length);
  for (const { _id, received, status } of ends) {
    const kept = keptOf(told.get(String(_id)) ?? []);
    const [, , , , disputed] = told.get(String(_id)) ?? [];
    expect([_id, received]).toEqual([_id, kept]);
    expect([_id, status]).toEqual([_id, kept > 0 ? 'succeeded' : disputed ? 'disputed' : 'refunded']);
  }
  const facts = await billing.collection('journal').countDocuments({ kind: { $in: ['payment', 'refund'] } });
  // Not `idle`, which does not count what an instance in a process of its own has handled. An event that was published again after a
  // kill is the same one.
  const moved = () =>
    new Set(billing.events.flatMap(({ id, type }) => (/payment-(received|refunded)$/.test(type) ? [id] : [])));
  await eventually(() => moved().size >= facts, 'an event of each move of money', 120_000);
  expect(moved().size).toBe(facts);
  await assertBalancesTold(billing);
  const outcomes = await billing
    .collection('callbacks')
    .aggregate([{ $match: { outcome: { $ne: 'duplicate' } } }, { $group: { _id: '$outcome', count: { $sum: 1 } } }])
    .toArray();
  return Object.fromEntries(outcomes.map(({ _id, count }) => [String(_id), Number(count)]));
}

it('a storm of callbacks moves each cent once, over two instances', async () => {
  expect(await storm(7, () => wait(250))).toEqual({ done: callbacks });
}, 300_000);

it('a storm of callbacks moves each cent once, while instances are killed', async () => {
  let kills = 0;
  const outcomes = await storm(11, async () => {
    await wait(250);
    if (kills === mostKills) return;
    kills += 1;
    const child = await billing.process();
    await wait(400);
    child.kill('SIGKILL');
  });
  expect(outcomes).toEqual({ done: callbacks });
  expect(kills).toBeGreaterThan(0);
}, 300_000);
