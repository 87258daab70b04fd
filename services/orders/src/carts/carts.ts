import { queues } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { inTransaction, type CollectionDefinition, type Transaction } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { PersonalData } from '@storefront/user-data';
import type { OrdersConfig } from '../config.ts';
import type { Tier } from '../domain/tier.ts';
import type { Settings } from '../settings/settings.ts';
import { endWith, freezeFor, sentCart, thawFrom, type SentCart } from './domain/cart.ts';
import { onProductChanged, onProductSnapshot } from './events/on-product-changed.ts';
import { publishLeftCarts } from './jobs/left-carts.ts';
import { cartHandlers } from './routes/carts.ts';
import { createCartIds } from './secrets/cart-ids.ts';
import { openCartBudgets } from './store/cart-budgets.ts';
import { openCartReminders } from './store/cart-reminders.ts';
import { createCartReads } from './store/cart-reads.ts';
import { cartsCollections as collections, openStore } from './store/collections.ts';

/** The collections of this area. */
export const cartsCollections: readonly CollectionDefinition[] = collections;

/** What the orders of carts need. What changes carts is a part of the caller's transaction. */
export interface Carts {
  /** The key under which the cart with this secret id is known. */
  keyOf(cartId: string): string;
  /** The codes in the cart, and the order for which it stands still, if any; null if there is no such cart. */
  lookAt(cartKey: string): Promise<{ readonly codes: readonly string[]; readonly orderId: string | null } | null>;
  /**
   * Makes the cart stand still for an order: until it ends or is thawed, changes of it are refused as `cart_frozen`.
   * Returns what is in it, at the prices that its lines were set at for this tier. A cart that stands still already is left
   * as it is, and the id of that order is returned. Null where there is no such cart.
   */
  freeze(
    transaction: Transaction,
    cartKey: string,
    { orderId, tier }: { readonly orderId: string; readonly tier: Tier },
  ): Promise<SentCart | { readonly orderId: string } | null>;
  /** Lets the cart be changed again. Does nothing where it does not stand still for this order. */
  thaw(transaction: Transaction, cartKey: string, orderId: string): Promise<void>;
  /** Deletes the cart. Does nothing where it does not stand still for this order. */
  end(transaction: Transaction, cartKey: string, orderId: string): Promise<void>;
}

interface Ports {
  readonly settings: Settings;
}

/** Carts, how they can be shipped, and what an order of them would cost. */
export function openCarts(resources: Resources, config: OrdersConfig, { settings }: Ports) {
  const { database, logger, now, opened } = resources;
  const { API_SECRET: secret, CARTS_PER_ADDRESS: mostOfNetwork } = config;
  const store = openStore(resources);
  const { carts } = store;
  const cartIds = createCartIds(secret);
  const parts = {
    ...store,
    ...settings,
    cartReads: createCartReads(store),
    cartIds,
    cartBudgets: openCartBudgets(resources, { secret, mostOfNetwork }),
    cartReminders: openCartReminders(resources, secret),
    inTransaction: <Result>(work: (transaction: Transaction) => Promise<Result>) => inTransaction(database, work),
    currency: config.CURRENCY,
    apiUrl: config.API_URL,
    logger,
    now,
  };
  const job = publishLeftCarts(parts);
  opened.defer(() => job.stop());

  const ofOrders: Carts = {
    keyOf: (cartId) => cartIds.digestOf(cartId),
    lookAt: async (cartKey) => (await carts.load(cartKey))?.state ?? null,
    async freeze(transaction, cartKey, { orderId, tier }) {
      const [frozen] = await carts.changeAll(transaction, [cartKey], (_id, current) => freezeFor(current, orderId));
      const cart = frozen?.result;
      if (!cart) return null;
      return cart.orderId === orderId ? sentCart(cart, tier) : { orderId: cart.orderId ?? orderId };
    },
    async thaw(transaction, cartKey, orderId) {
      await carts.changeAll(transaction, [cartKey], (_id, current) => thawFrom(current, orderId, now()));
    },
    async end(transaction, cartKey, orderId) {
      await carts.changeAll(transaction, [cartKey], (_id, current) => endWith(current, orderId));
    },
  };

  return {
    handlers: cartHandlers(parts),
    subscriptions: [
      subscription(queues.orders.onProductChanged, onProductChanged(parts)),
      subscription(queues.orders.onProductSnapshot, onProductSnapshot(parts)),
    ],
    userData: {
      async *collect({ userId }) {
        const found = await carts.find({ userId }, { order: { createdAt: -1, _id: -1 }, hint: 'by_user' });
        if (found.length > 0) yield { carts: found.map(({ state: { seed: _seed, id: _id, ...cart } }) => cart) };
      },
      erase: ({ userId }) => carts.eraseMany({ userId }),
    } satisfies PersonalData,
    /** What the orders of carts need. */
    ofOrders,
  };
}
