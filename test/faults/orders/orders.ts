import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing/eventually';
import type mongoose from 'mongoose';
import { createAdmin } from '../admin.ts';
import { createClient, isSuccess } from '../client.ts';
import type { FinalState } from '../final-state.ts';
import type { MailReader } from '../mail-reader.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import type { SystemUnderTest } from '../system/system.ts';
import { none } from '../discounts/accounts.ts';
import { accountsOfOrders, waysOfOrders, type StoredOrders } from './accounts.ts';
import { bodyOf, signUpBuyers, type OrderingUser } from './buyers.ts';
import { createDemoPages, type DemoPages } from './demo-pages.ts';
import type { SentOrder } from './sent-order.ts';

/** A product with one variant, which nobody changes but orders. */
export interface SoldProduct {
  readonly productId: string;
  readonly variantId: string;
}

/** What the virtual users share to order. */
export interface TestOrders {
  readonly users: readonly OrderingUser[];
  readonly products: readonly SoldProduct[];
  readonly shippingOptionId: string;
  readonly pages: DemoPages;
  readonly sent: SentOrder[];
}

/** The orders of a run, with what compares them with what the services have of them. */
export interface OrdersUnderTest extends TestOrders {
  /** Cancels what nobody has paid, and waits until no order, page or refund is left undone. */
  settle(): Promise<void>;
  /** Settles, and looks at the provider no more. */
  stop(): Promise<void>;
  facts(finalState: FinalState): Promise<MeasuredFact[]>;
  /** What a mix has to have done. */
  ways(finalState: FinalState): Promise<MeasuredFact[]>;
}

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const knownWithinMs = 120_000;
const endsWithinMs = 150_000;
const callbacksWithinMs = 150_000;
const catchUpEveryMs = 5000;
const pauseMs = 250;

interface Size {
  readonly seed: number;
  readonly operations: number;
  /** How many consumers, and how many trade accounts. */
  readonly usersOfEach?: number;
}

/**
 * Makes users, products and a way of shipping, before the faults of a run. Of one product there are pieces for all orders, of
 * another one for few.
 */
export async function openOrders(
  system: SystemUnderTest,
  mongodb: mongoose.mongo.MongoClient,
  mails: MailReader,
  { seed, operations, usersOfEach = 3 }: Size,
): Promise<OrdersUnderTest> {
  const { gateways } = system.stack;
  const client = createClient(gateways, randomOf(seed, 'orders'));
  const admin = createAdmin(client, system.stack.admin);
  const users = await signUpBuyers({ client, admin, mails }, { seed, count: usersOfEach });
  const option = { name: 'Parcel', price: eur(495) };
  const { id: shippingOptionId } = bodyOf(await admin.call('POST', '/v1/shipping-options', { body: option }));
  const counted = new Map<string, number>();

  async function makeProduct(sku: string, price: number, stock: number): Promise<SoldProduct> {
    const body = { sku, name: sku, price: eur(price), stock, status: 'active' };
    const { id: productId, variants } = bodyOf(await admin.call('POST', '/v1/products', { body }));
    const variantId = variants[0].id as string;
    counted.set(variantId, stock);
    const lines = [{ productId, quantity: 1 }];
    for (const path of ['/v1/carts', '/v1/discounts/evaluate'])
      await eventually(
        async () => isSuccess(await client.call('POST', path, { body: { lines } })) || undefined,
        `${sku} to be known at ${path}`,
        knownWithinMs,
      );
    return { productId, variantId };
  }
  const products = [
    await makeProduct(`PLENTY-${seed}`, 1999, 100_000),
    await makeProduct(`FEW-${seed}`, 333, Math.max(5, Math.round(operations / 50))),
  ];

  const pages = createDemoPages(system.stack.payments);
  const sent: SentOrder[] = [];
  const stopping = new AbortController();
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      await pages.catchUp();
      await wait(catchUpEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  /**
   * Cancels all that is unpaid. An order whose money the provider has is placed once billing and orders know it. Returns how many
   * orders are not over yet.
   */
  async function cancelUnpaid(): Promise<number> {
    const paid = new Set(sent.filter(({ isPaid, cancelled }) => isPaid && cancelled === 'no').map(({ id }) => id));
    let left = 0;
    for (const status of ['awaiting-payment', 'pending', 'closing']) {
      const reply = await admin.call('GET', `/v1/orders?status=${status}&limit=100`);
      const found = isSuccess(reply) ? (reply.body.data as { id: string }[]) : [];
      left += isSuccess(reply) ? found.length : 1;
      if (status === 'closing') continue;
      const unpaid = found.filter(({ id }) => !paid.has(id));
      await Promise.all(unpaid.map(({ id }) => admin.call('POST', `/v1/orders/${id}/cancel`, { body: {} })));
    }
    return left;
  }

  const toCall = () =>
    mongodb
      .db('storefront_billing')
      .collection('order_payments')
      .countDocuments({ nextCallAt: { $ne: null } });

  async function settle(): Promise<void> {
    // A payment that is on its way places its order. What is left undone is a fact of the report.
    const until = performance.now() + callbacksWithinMs;
    for (;;) {
      await pages.catchUp();
      if (pages.waiting() === 0 || performance.now() > until) break;
      await wait(pauseMs);
    }
    const deadline = performance.now() + endsWithinMs;
    while (performance.now() < deadline) {
      if ((await cancelUnpaid()) === 0 && (await toCall()) === 0) break;
      await wait(pauseMs);
    }
  }

  return {
    users,
    products,
    shippingOptionId,
    pages,
    sent,
    settle,
    async stop() {
      await settle();
      stopping.abort();
      await reading;
    },
    async facts(finalState) {
      await pages.catchUp();
      const stored = await readStored(finalState);
      const emails = new Map(users.map(({ id, email }) => [id, email]));
      return [
        none('callbacks of the provider that the shop has not taken', [
          ...pages.undelivered(),
          ...(pages.waiting() > 0 ? [`${pages.waiting()} are waiting`] : []),
        ]),
        ...accountsOfOrders(stored, {
          sent,
          counted,
          transfers: pages.transfers(),
          mails: (email, template) => finalState.mailsRequested(email, template),
          emailOf: (id) => emails.get(id) ?? id,
        }),
      ];
    },
    ways: async (finalState) => waysOfOrders(await readStored(finalState), sent),
  };

  async function readStored(finalState: FinalState): Promise<StoredOrders> {
    const read = async <Key extends keyof StoredOrders>(service: string, name: string, filter = {}) =>
      (await finalState.find(service, name, filter)) as unknown as StoredOrders[Key];
    const variants = products.map(async ({ productId, variantId }) => {
      const { stock, reserved } = bodyOf(await admin.call('GET', `/v1/products/${productId}`));
      return { id: variantId, stock, reserved };
    });
    return {
      orders: await read<'orders'>('orders', 'orders'),
      variants: await Promise.all(variants),
      reservations: await read<'reservations'>('catalog', 'reservations'),
      redemptions: await read<'redemptions'>('engagement', 'redemptions', { orderRef: /^ord_/ }),
      payments: await read<'payments'>('billing', 'payments', { orderId: { $ne: null } }),
      orderPayments: await read<'orderPayments'>('billing', 'order_payments'),
      accounts: await read<'accounts'>('billing', 'accounts'),
      invoices: await read<'invoices'>('billing', 'invoices', { orderRef: /^ord_/ }),
      unpaid: (await finalState.find('orders', 'unpaid_orders', {})).map(({ _id }) => String(_id)),
      frozen: (await finalState.find('orders', 'carts', { orderId: { $ne: null } })).map(({ orderId }) => orderId),
    };
  }
}
