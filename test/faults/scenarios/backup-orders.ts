import type { Event } from '@storefront/contracts';
import type mongoose from 'mongoose';
import { createAdmin } from '../admin.ts';
import { createClient } from '../client.ts';
import { none } from '../discounts/accounts.ts';
import type { FinalState } from '../final-state.ts';
import { makeBuyers, orderPlaced } from '../invoices/buyers.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import { publishEvent } from '../system/publish-event.ts';
import type { SystemUnderTest } from '../system/system.ts';

/** When an order was placed: until the end of the backup, or after it. */
type Moment = 'until backup' | 'late';

interface PlacedOrder {
  readonly event: Event;
  readonly moment: Moment;
  /** In cents, without tax; each order has its own, by which its fact is known. */
  readonly net: number;
}

/** Orders on account around a backup, each of which three services handle. */
export interface OrdersAroundBackup {
  /** Places so many orders, one after the other. */
  place(count: number, moment: Moment): Promise<void>;
  /**
   * Publishes the orders until the end of the backup again, as an order system has to after a restore: those that waited in queues
   * are in no backup, and those that were handled must not count again.
   */
  publishAgain(): Promise<void>;
  /** Whether each order is whole: counted by account, with a fact in engagement and an invoice of billing; or not there at all. */
  facts(finalState: FinalState): Promise<MeasuredFact[]>;
}

const leastNet = 500_000;

export async function openOrders(
  system: SystemUnderTest,
  mongodb: mongoose.mongo.MongoClient,
  seed: number,
): Promise<OrdersAroundBackup> {
  const { amqp } = system.backing.direct;
  const client = createClient(system.stack.gateways, randomOf(seed, 'backup-orders'));
  const admin = createAdmin(client, system.stack.admin);
  const [buyer] = await makeBuyers({ amqp, mongodb, admin }, { seed, count: 1 });
  if (!buyer) throw new Error('there is no buyer');
  const placed: PlacedOrder[] = [];

  async function publish(event: Event): Promise<void> {
    if (!(await publishEvent(amqp, event))) throw new Error(`the broker did not take ${event.subject}`);
  }

  return {
    async place(count, moment) {
      for (let made = 0; made < count; made += 1) {
        const net = leastNet + placed.length;
        const event = orderPlaced({ orderRef: `backup-order-${seed}-${net}`, buyer, net });
        placed.push({ event, moment, net });
        await publish(event);
      }
    },

    async publishAgain() {
      for (const { event, moment } of placed) if (moment === 'until backup') await publish(event);
    },

    async facts(finalState) {
      const wrong: string[] = [];
      for (const { event, moment, net } of placed) {
        const counts = await Promise.all([
          finalState.count('account', 'counted_orders', { _id: event.subject }),
          finalState.count('engagement', 'facts', { kind: 'order-placed', 'data.sale.gross': net }),
          finalState.count('billing', 'invoices', { orderRef: event.subject, subtotal: net }),
        ]);
        const right = moment === 'late' ? 0 : 1;
        if (counts.some((found) => found !== right)) wrong.push(`${event.subject} (${moment}): ${counts.join(', ')}`);
      }
      return [
        { what: 'orders on account', found: placed.length, atLeast: 1 },
        none('orders that are not whole: counted, a fact, an invoice', wrong),
      ];
    },
  };
}
