import { eventRecordDays } from '@storefront/contracts';
import {
  collectionOf,
  byId,
  defineCollection,
  openCollections,
  openRepository,
  servedCollections,
  versioned,
  withEvents,
  type Collection,
  type CollectionDefinition,
  type Database,
  type Relay,
  type Repository,
} from '@storefront/mongo';
import { userDataCollections } from '@storefront/user-data';
import { z } from 'zod';
import { addressBook, type AddressBook } from '../domain/address-book.ts';
import { raisedAlert, type RaisedAlert } from '../domain/alert.ts';
import { customer, type Customer } from '../domain/customer.ts';
import { priceHistory, product, type PriceHistory, type Product } from '../domain/product.ts';
import { wishlist, type Wishlist } from '../domain/wishlist.ts';

const day = 24 * 60 * 60;

/** Keyed by the user. */
const addressBooks = defineCollection('address_books', { ...withEvents, ...addressBook.shape }, { sharding: byId });

/** Keyed by the user. */
const wishlists = defineCollection(
  'wishlists',
  { ...withEvents, ...wishlist.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['items.productId'], because: 'alerts about a cheaper product go to all who have it on their list' },
        { by: ['share.tokenHash'], because: 'a shared wishlist is looked at' },
      ],
    },
    indexes: {
      by_product: { keys: { 'items.productId': 1, _id: 1 } },
      by_share: { keys: { 'share.tokenHash': 1 } },
    },
  },
);

const asProducts = { unsharded: 'as many as the catalog has; a request reads several at once' };

/** Keyed by the product. Unlike the copy of the product, no other service can publish it again. */
const priceHistories = defineCollection(
  'price_history',
  { ...versioned, ...priceHistory.shape },
  { sharding: asProducts },
);

/** Keyed by the product: a copy of what the catalog knows, and the alerts that are being raised. */
const products = defineCollection('products', { ...withEvents, ...product.shape }, { sharding: asProducts });

/** Keyed by owner and recipient. */
const customers = defineCollection(
  'customers',
  { ...withEvents, ...customer.shape },
  {
    sharding: {
      key: { _id: 1 },
      acrossShards: [{ by: ['owner'], because: 'the words of a search are counted by their index alone' }],
    },
    indexes: {
      newest: { keys: { owner: 1, createdAt: -1, _id: -1 } },
      by_token: { keys: { owner: 1, tokens: 1 } },
      by_key: { keys: { owner: 1, keys: 1 } },
    },
  },
);

/** Keyed by the user first. An alert is kept longer than an event can be on its way: it is raised once. */
const wishlistAlerts = defineCollection(
  'wishlist_alerts',
  { ...withEvents, ...raisedAlert.shape },
  {
    sharding: { key: { _id: 1 } },
    indexes: { kept: { keys: { raisedAt: 1 }, expireAfterSeconds: eventRecordDays * day } },
  },
);

/** The orders that were counted, by their ids, and nothing else about them. */
const countedOrders = defineCollection('counted_orders', {}, { sharding: byId });

/** A document for each user who orders: the transactions that add recipients of one user collide here. */
const orderTurns = defineCollection('order_turns', { orders: z.int() }, { sharding: byId });

/** All collections of the service, for tests too. */
export const definitions: readonly CollectionDefinition[] = [
  addressBooks,
  wishlists,
  products,
  priceHistories,
  customers,
  wishlistAlerts,
  countedOrders,
  orderTurns,
  ...servedCollections,
  ...userDataCollections('account'),
];

/** Everything that the account service stores itself. */
export interface Store {
  readonly database: Database;
  readonly addressBooks: Repository<AddressBook>;
  readonly wishlists: Repository<Wishlist>;
  readonly products: Repository<Product>;
  readonly priceHistory: Repository<PriceHistory>;
  readonly customers: Repository<Customer>;
  readonly alerts: Repository<RaisedAlert>;
  readonly countedOrders: Collection<{ _id: string }>;
  readonly orderTurns: Collection<{ _id: string; orders: number }>;
}

/** Opens all collections of the service. */
export async function openStore(resources: {
  readonly database: Database;
  readonly relay: Relay;
  readonly now: () => Date;
}): Promise<Store> {
  const { database } = resources;
  await openCollections(database, definitions);
  return {
    database,
    addressBooks: openRepository<AddressBook>(addressBooks, resources),
    wishlists: openRepository<Wishlist>(wishlists, resources),
    products: openRepository<Product>(products, resources),
    priceHistory: openRepository<PriceHistory>(priceHistories, resources),
    customers: openRepository<Customer>(customers, resources),
    alerts: openRepository<RaisedAlert>(wishlistAlerts, resources),
    countedOrders: collectionOf(database, countedOrders),
    orderTurns: collectionOf(database, orderTurns),
  };
}
