import {
  byId,
  defineCollection,
  openRepository,
  versioned,
  withEvents,
  type Database,
  type Relay,
  type Repository,
} from '@storefront/mongo';
import { cart, keptDays, type Cart } from '../domain/cart.ts';
import { product, type Product } from '../domain/product.ts';
import { cartBudgets } from './cart-budgets.ts';
import { cartReminders } from './cart-reminders.ts';

const day = 24 * 60 * 60;

/** The id of a document is the digest of the secret id of the cart. */
const cartCollection = defineCollection(
  'carts',
  { ...withEvents, ...cart.shape },
  {
    sharding: {
      key: byId.key,
      acrossShards: [
        { by: ['userId'], because: 'a user asks for the newest cart, whose id the client may not have' },
        { by: ['remindAs'], because: 'carts that were left are looked for' },
      ],
    },
    indexes: {
      by_user: {
        keys: { userId: 1, createdAt: -1, _id: -1 },
        partialFilterExpression: { userId: { $gt: '' } },
      },
      to_remind: { keys: { updatedAt: 1, remindAs: 1 }, partialFilterExpression: { remindAs: { $gt: '' } } },
      kept: { keys: { updatedAt: 1 }, expireAfterSeconds: keptDays * day },
    },
  },
);

/** Copies of the catalog's products. The id of a document is the product's id. */
const productCollection = defineCollection(
  'products',
  { ...versioned, ...product.shape },
  {
    sharding: { unsharded: 'as many as the catalog has; a request reads several at once' },
    indexes: { by_variant: { keys: { 'facts.variants.id': 1 } } },
  },
);

/** The collections of this area. */
export const cartsCollections = [cartCollection, productCollection, cartBudgets, cartReminders];

export interface Store {
  readonly carts: Repository<Cart>;
  readonly products: Repository<Product>;
}

export function openStore(needs: {
  readonly database: Database;
  readonly relay: Relay;
  readonly now: () => Date;
}): Store {
  return {
    carts: openRepository<Cart>(cartCollection, needs, { remembersWrites: true }),
    products: openRepository<Product>(productCollection, needs, { remembersWrites: true }),
  };
}
