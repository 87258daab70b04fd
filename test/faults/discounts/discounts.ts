import { setTimeout as wait } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { createClient, isSuccess } from '../client.ts';
import type { FinalState } from '../final-state.ts';
import { createAdmin } from '../admin.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import { consumeEvents } from '../system/event-queue.ts';
import type { SystemUnderTest } from '../system/system.ts';
import { accountsOf, type Performance, type StoredDiscounts, type Usage } from './accounts.ts';
import { openCampaigns, type TestCampaign } from './campaigns.ts';
import { eventsFact, redemptionEventTypes, type RedemptionEvent } from './events.ts';
import { createOrderSystem, type OrderSystem } from './order-system.ts';
import type { TestOrder } from './orders.ts';
import { watchUsage, type Look } from './watch.ts';

/** What the virtual users share to redeem discounts. */
export interface TestDiscounts {
  readonly campaigns: readonly TestCampaign[];
  readonly orderSystem: OrderSystem;
  /** The orders of all users. */
  readonly orders: TestOrder[];
}

/** The discounts of a run, with what looks at them from outside. */
export interface DiscountsUnderTest extends TestDiscounts {
  /** Publishes again the orders that the broker has not confirmed. Ends the looks, once no redemption is held any more. */
  stop(): Promise<void>;
  facts(finalState: FinalState): Promise<MeasuredFact[]>;
}

/** No redemption is held for longer, so that a run need not wait long for the last one. */
export const longestHoldSeconds = 12;
const holdsDeadlineMs = (longestHoldSeconds + 30) * 1000;
const eventsDeadlineMs = 30_000;
const pauseMs = 250;

/** Opens the campaigns of a run, before its faults, and begins to look at what is taken of them. */
export async function openDiscounts(
  system: SystemUnderTest,
  mongodb: mongoose.mongo.MongoClient,
  { seed, operations }: { seed: number; operations: number },
): Promise<DiscountsUnderTest> {
  const { gateways } = system.stack;
  const { amqp } = system.backing.direct;
  const random = randomOf(seed, 'discounts');
  const client = createClient(gateways, random);
  const admin = createAdmin(client, system.stack.admin);
  const events: RedemptionEvent[] = [];
  const queue = consumeEvents(system.backing.direct, 'faults.redemptions', redemptionEventTypes, ({ content }) => {
    events.push(JSON.parse(content.toString()) as RedemptionEvent);
  });
  await queue.opened;
  const campaigns = await openCampaigns(admin, { seed, operations });
  const ids = campaigns.map(({ id }) => id);
  const orders: TestOrder[] = [];
  const database = mongodb.db('storefront_engagement');
  const stored = <Stored extends { _id: string }>(name: string) => database.collection<Stored>(name);

  async function lookInDatabase(): Promise<Look> {
    const [usage, codes] = await Promise.all([
      stored<Usage & { _id: string }>('campaign_usage')
        .find({ _id: { $in: ids } })
        .toArray(),
      stored<{ _id: string; campaignId: string; uses: number }>('campaign_codes')
        .find({ campaignId: { $in: ids } })
        .toArray(),
    ]);
    return {
      campaigns: new Map(usage.map((each) => [each._id, each])),
      codes: new Map(codes.map(({ _id, uses }) => [_id, uses])),
    };
  }

  async function lookThroughApi(): Promise<Look> {
    const id = random.pick(ids);
    const reply = await admin.once(random.pick(gateways), 'GET', `/v1/campaigns/${id}`);
    if (!isSuccess(reply)) throw new Error(`GET /v1/campaigns/${id} answered ${reply.status}`);
    return { campaigns: new Map([[id, usageIn(reply.body)]]), codes: new Map() };
  }

  const watch = watchUsage(campaigns, { database: lookInDatabase, API: lookThroughApi });

  /** Waits until no redemption is held, or for a time that must be enough. What is held then is a fact of the report. */
  async function untilNothingIsHeld(): Promise<void> {
    const deadline = performance.now() + holdsDeadlineMs;
    while (performance.now() < deadline) {
      const held = await database
        .collection('redemptions')
        .countDocuments({ status: 'held' })
        .catch(() => undefined);
      if (held === 0) return;
      await wait(pauseMs);
    }
  }

  /** What the API says about each campaign at this place below it; undefined where it does not answer. */
  async function readOfEach<Body, Read>(
    below: string,
    of: (body: Body) => Read,
  ): Promise<Map<string, Read | undefined>> {
    const reading = ids.map(async (id): Promise<[string, Read | undefined]> => {
      const reply = await admin.call('GET', `/v1/campaigns/${id}${below}`);
      return [id, isSuccess(reply) ? of(reply.body as Body) : undefined];
    });
    return new Map(await Promise.all(reading));
  }

  const orderSystem = createOrderSystem(amqp);
  return {
    campaigns,
    orders,
    orderSystem,
    async stop() {
      await orderSystem.publishUnconfirmed();
      await untilNothingIsHeld();
      await watch.stop();
    },
    async facts(finalState) {
      const read = async (name: string) => finalState.find('engagement', name, {});
      const parts = {
        redemptions: (await read('redemptions')) as unknown as StoredDiscounts['redemptions'],
        usage: (await read('campaign_usage')) as unknown as StoredDiscounts['usage'],
        codes: (await read('campaign_codes')) as unknown as StoredDiscounts['codes'],
        shoppers: (await read('shoppers')) as unknown as StoredDiscounts['shoppers'],
        shown: await readOfEach('', usageIn),
        performance: await readOfEach('/performance', performanceIn),
      };
      const deadline = performance.now() + eventsDeadlineMs;
      // The rig's own queue may be behind.
      while (eventsFact(parts.redemptions, events).found > 0 && performance.now() < deadline) await wait(pauseMs);
      await queue.stop();
      return [
        ...waysOf(orders, parts.redemptions),
        ...accountsOf(campaigns, orders, parts),
        eventsFact(parts.redemptions, events),
        ...watch.facts(),
      ];
    },
  };
}

type ToldPerformance = Omit<Performance, 'amount'> & { readonly discount: { readonly amount: number } };

function performanceIn({ all }: { readonly all: ToldPerformance }): Performance {
  const { redemptions, released, customers, discount } = all;
  return { redemptions, released, customers, amount: discount.amount };
}

function usageIn(campaign: { usage: { redemptions: number; amount: { amount: number } } }): Usage {
  const { redemptions, amount } = campaign.usage;
  return { redemptions, amount: amount.amount };
}

/** What redemptions of users have come to. A run in which one of these never happened has not tested enough. */
function waysOf(orders: readonly TestOrder[], redemptions: StoredDiscounts['redemptions']): MeasuredFact[] {
  const stored = new Map(redemptions.map((redemption) => [redemption._id, redemption]));
  const found = orders.flatMap((order) => {
    const redemption = stored.get(order.redemption?.id ?? '');
    return redemption ? [{ order, redemption }] : [];
  });
  const of = (what: string, isOne: (each: (typeof found)[number]) => boolean) => ({
    what,
    found: found.filter(isOne).length,
    atLeast: 1,
  });
  return [
    of('redemptions that were confirmed at once', ({ order }) => !order.body.hold && order.state === 'confirmed'),
    of('redemptions that were held and then confirmed', ({ order, redemption }) => {
      return order.body.hold !== undefined && redemption.status === 'confirmed';
    }),
    of('redemptions that were given back', ({ order }) => order.state === 'released'),
    of('redemptions whose time ran out', ({ order, redemption }) => {
      return order.state === 'held' && redemption.status === 'released';
    }),
    of('redemptions of orders that were placed', ({ order, redemption }) => {
      return order.isPlaced && redemption.status === 'confirmed';
    }),
    {
      what: 'redemptions without an answer',
      found: orders.filter(({ state }) => state === 'unclear').length,
    },
  ];
}
