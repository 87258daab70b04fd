import { setTimeout as wait } from 'node:timers/promises';
import { createAdmin } from '../admin.ts';
import { createClient, isSuccess } from '../client.ts';
import { openCampaigns } from '../discounts/campaigns.ts';
import { untilDrained } from '../drained.ts';
import type { FinalState } from '../final-state.ts';
import { load } from '../load.ts';
import type { TestOperation, VirtualUser } from '../operations/operation.ts';
import { buy, type Purchase } from '../operations/orders.ts';
import { bodyOf, type OrderingUser } from '../orders/buyers.ts';
import { openOrders } from '../orders/orders.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import type { Scenario } from './scenario.ts';

const givenBackWithinMs = 60_000;
const mostTries = 6;
/** A buyer who is told of these sees the new total, and sends the order again. */
const worthAnotherTry: ReadonlySet<string | undefined> = new Set([
  'discount_changed',
  'price_changed',
  'too_many_unpaid_orders',
]);
/** What the dearest order that the run makes on account at its end costs: a piece, a parcel and 19 %. */
const mostOnAccount = 2968;
/** Three orders of a trade account. Each sends three times as many, so most of the kills come after the limit is reached. */
const limit = 9000;

/**
 * Orders of the last pieces of a product, ten times as many as there are pieces and many at once: by guests with a code that
 * can be used half as often, by a campaign with a budget, and by trade accounts with a credit limit, which order another
 * product, with such a piece or without one. Meanwhile each instance of each service is killed once. What is not placed is given back within a minute. Afterwards buyers take what is left of each
 * bound, one after the other, so that each is reached exactly.
 */
export const lastPieces: Scenario = async (rig, { seed, users, full, say }) => {
  const { system, injector, ledger, mails, mongodb } = rig;
  const count = full ? 1000 : 150;
  const pieces = count / 10;
  const { gateways, admin: administrator } = system.stack;
  const client = createClient(gateways, randomOf(seed, 'last-pieces'));
  const admin = createAdmin(client, administrator);
  // The scarce product has a piece for 50 operations, and the budget is five euros for 150.
  // Few orders of a buyer may be on their way at once, so more buyers at once need more trade accounts.
  const orders = await openOrders(system, mongodb, mails, {
    seed,
    operations: pieces * 50,
    usersOfEach: full ? 12 : 3,
  });
  const [budgeted] = await openCampaigns(admin, { seed, operations: Math.floor(pieces / 2) * 150 });
  const uses = Math.floor(pieces / 2);
  const codes = [`LAST-${seed}`];
  const codedId = await openCode();
  const traders = orders.users.filter(({ isTrade }) => isTrade);
  for (const { id } of traders) {
    const body = { limit: { amount: limit, currency: 'EUR' }, termsDays: 30, hold: false };
    bodyOf(await admin.call('PUT', `/v1/trade-accounts/${id}/credit`, { body }));
  }

  /** Opens a campaign with the code. */
  async function openCode(): Promise<string> {
    const discount = { type: 'percentage', percent: 10, target: 'items' };
    const body = { name: 'A tenth off the last ones', trigger: 'code', priority: 10, discount };
    const { id } = bodyOf(await admin.call('POST', '/v1/campaigns', { body }));
    bodyOf(await admin.call('POST', `/v1/campaigns/${id}/codes`, { body: { codes, usesPerCode: uses } }));
    bodyOf(await admin.call('POST', `/v1/campaigns/${id}/activate`));
    return id;
  }

  const [plenty, few] = orders.products;
  if (!plenty || !few) throw new Error('the products of a run are missing');

  /** Buys until it is not worth another try. Returns what has become of the last order. */
  async function buyOne(user: VirtualUser, entry: Parameters<TestOperation['run']>[1], purchase: Purchase) {
    for (let tries = 1; ; tries += 1) {
      const reply = await buy(user, entry, purchase);
      // One that was pending at first is refused later.
      const refusal: string | undefined = reply?.code ?? reply?.body?.refusal?.code;
      if (worthAnotherTry.has(refusal) && tries < mostTries) continue;
      const isBought = reply !== undefined && isSuccess(reply) && refusal === undefined;
      return { refusal, isAtFullPrice: isBought && reply.body.discounts.length === 0 };
    }
  }
  const linesOf = (products: readonly (typeof few)[]) => products.map((product) => ({ ...product, quantity: 1 }));
  const byGuest = (product: typeof few, isPaidAtOnce = true): Purchase => ({
    lines: linesOf([product]),
    codes,
    by: null,
    isPaidAtOnce,
    isWaitedFor: true,
  });
  const byTrader = (products: readonly (typeof few)[], by: OrderingUser): Purchase => ({
    lines: linesOf(products),
    codes: [],
    by,
    isPaidAtOnce: false,
    isWaitedFor: true,
  });

  let refusedByLimit = 0;
  const orderOne: TestOperation = {
    name: 'order one of the last pieces',
    weight: 1,
    needs: { orders: true },
    async run(user, entry) {
      const isOnAccount = user.random.between(1, 5) === 1;
      const isForgotten = user.random.between(1, 4) === 1;
      // Where there is no credit for it, the piece that was reserved is given back.
      const products = user.random.pick([[plenty], [plenty, few]]);
      const purchase = isOnAccount ? byTrader(products, user.random.pick(traders)) : byGuest(few, !isForgotten);
      if ((await buyOne(user, entry, purchase)).refusal === 'credit_exceeded') refusedByLimit += 1;
    },
  };
  /** Takes what is left of each bound. The pieces come last, so that no discount and no credit is left for them. */
  const takeTheRest: TestOperation = {
    name: 'order what is left',
    weight: 1,
    needs: { orders: true },
    async run(user, entry) {
      const most = count;
      for (let at = 0; at < most; at += 1) if ((await buyOne(user, entry, byGuest(plenty))).isAtFullPrice) break;
      for (const trader of traders)
        for (let at = 0; at < most; at += 1)
          if ((await buyOne(user, entry, byTrader([plenty], trader))).refusal === 'credit_exceeded') break;
      for (let at = 0; at < most; at += 1)
        if ((await buyOne(user, entry, byGuest(few))).refusal === 'out_of_stock') break;
    },
  };

  const targets = randomOf(seed, 'last-pieces kills').shuffle(
    injector.targets.clocks.filter((name) => !name.startsWith('gateway')),
  );
  say(`${count} orders of ${pieces} pieces; kills of ${targets.join(', ')}`);
  const until = ledger.begun + count;
  let isOver = false;
  const killing = (async () => {
    for (const [at, target] of targets.entries()) {
      while (ledger.begun < until - count + ((at + 0.5) * count) / targets.length) await wait(10);
      await injector.inject({ kind: 'kill', target });
    }
  })().finally(() => (isOver = true));
  const common = { seed, ledger, mails, orders, gateways, administrator };
  const shouldContinue = () => ledger.begun < until || !isOver;
  const stats = await load({
    ...common,
    // Far more at once than there are processors.
    users: full ? 250 : users,
    stream: 'last-pieces',
    operations: [orderOne],
    shouldContinue,
  });
  await killing;
  await injector.heal();

  const ended = performance.now();
  await orders.settle();
  await untilDrained(mongodb, system.backing.direct.amqp, givenBackWithinMs);
  const givenBackMs = Math.round(performance.now() - ended);
  say('Buying what is left …');
  const rest = ledger.begun + 1;
  await load({
    ...common,
    users: 1,
    stream: 'what-is-left',
    operations: [takeTheRest],
    shouldContinue: () => ledger.begun < rest,
  });
  await orders.stop();

  return {
    stats,
    faults: targets.length,
    facts: [
      {
        what: 'ms from the last order until all that was not placed was given back',
        found: givenBackMs,
        atMost: givenBackWithinMs,
      },
      // None would mean that the limits were reached only afterwards.
      {
        what: 'orders that a credit limit refused during the kills',
        found: refusedByLimit,
        atLeast: full ? 10 : 1,
      },
    ],
    finalFacts: async (finalState) => [...(await orders.facts(finalState)), ...(await boundFacts(finalState))],
  };

  async function boundFacts(finalState: FinalState): Promise<MeasuredFact[]> {
    const placed = await finalState.find('orders', 'orders', { status: 'placed' });
    const sold = placed.flatMap(({ lines }) => lines as { variantId: string; quantity: number }[]);
    const redemptions = await finalState.find('engagement', 'redemptions', { status: 'confirmed' });
    const parts = redemptions.flatMap((each) => each['parts'] as { campaignId: string; amount: number }[]);
    const invoices = await finalState.find('billing', 'invoices', {});
    const spent = sum(parts.filter(({ campaignId }) => campaignId === budgeted?.id).map(({ amount }) => amount));
    const budget = budgeted?.limits.budget ?? 0;
    const exactly = (what: string, found: number, right: number) => ({ what, found, atLeast: right, atMost: right });
    return [
      exactly(
        'pieces of the last ones that were sold',
        sum(sold.filter(({ variantId }) => variantId === few?.variantId).map(({ quantity }) => quantity)),
        pieces,
      ),
      exactly('uses of the code', parts.filter(({ campaignId }) => campaignId === codedId).length, uses),
      { what: 'cents of the budget that were given', found: spent, atLeast: budget - 499, atMost: budget },
      ...traders.map(({ id, email }) => ({
        what: `cents that ${email} owes`,
        found: sum(invoices.filter(({ accountId }) => accountId === id).map(({ total }) => total)),
        atLeast: limit - mostOnAccount + 1,
        atMost: limit,
      })),
    ];
  }
};

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
