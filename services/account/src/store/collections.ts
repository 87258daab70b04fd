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
import { recipientAnswer, type RecipientAnswer } from '../domain/recipient-answer.ts';
import { wishlist, type Wishlist } from '../domain/wishlist.ts';

const day = 24 * 60 * 60;

/** The id of a document is the user's id. */
const addressBooks = defineCollection('address_books', { ...withEvents, ...addressBook.shape }, { sharding: byId });

/** The id of a document is the user's id. */
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

/**
 * The id of a document is the product's id. Unlike the copy of a product, a lost history can't be published again by
 * another service.
 */
const priceHistories = defineCollection(
  'price_history',
  { ...versioned, ...priceHistory.shape },
  { sharding: asProducts },
);

/**
 * The id of a document is the product's id. It has a copy of the catalog's data, and the alerts that are being raised.
 */
const products = defineCollection('products', { ...withEvents, ...product.shape }, { sharding: asProducts });

/** The id of a document is the owner's id with the recipient's id. */
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

/**
 * The id of a document begins with the user's id. A record is kept for longer than an event can be under way, so that
 * no alert is raised twice.
 */
const wishlistAlerts = defineCollection(
  'wishlist_alerts',
  { ...withEvents, ...raisedAlert.shape },
  {
    sharding: { key: { _id: 1 } },
    indexes: { kept: { keys: { raisedAt: 1 }, expireAfterSeconds: eventRecordDays * day } },
  },
);

/**
 * Who was told where an order goes; with the answer until it is published. The id of a document is the user's id with the
 * order's id. An answer that is asked for again is worked out again.
 */
const recipientAnswers = defineCollection(
  'recipient_answers',
  { ...withEvents, ...recipientAnswer.shape },
  { sharding: { key: { _id: 1 } }, indexes: { kept: { keys: { askedAt: 1 }, expireAfterSeconds: day } } },
);

/** The ids of the orders that were counted. Nothing else about an order is kept. */
const countedOrders = defineCollection('counted_orders', {}, { sharding: byId });

/**
 * One document for each user who orders. Transactions that add recipients of the same user all write it, so they run
 * one after the other.
 */
const orderTurns = defineCollection('order_turns', { orders: z.int() }, { sharding: byId });

/** All collections of the service. Tests use this list, too. */
export const definitions: readonly CollectionDefinition[] = [
  addressBooks,
  wishlists,
  products,
  priceHistories,
  customers,
  wishlistAlerts,
  recipientAnswers,
  countedOrders,
  orderTurns,
  ...servedCollections,
  ...userDataCollections,
];

/** The opened collections of the account service, without those of shared packages. */
export interface Store {
  readonly database: Database;
  readonly addressBooks: Repository<AddressBook>;
  readonly wishlists: Repository<Wishlist>;
  readonly products: Repository<Product>;
  readonly priceHistory: Repository<PriceHistory>;
  readonly customers: Repository<Customer>;
  readonly alerts: Repository<RaisedAlert>;
  readonly recipientAnswers: Repository<RecipientAnswer>;
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
    recipientAnswers: openRepository<RecipientAnswer>(recipientAnswers, resources),
    countedOrders: collectionOf(database, countedOrders),
    orderTurns: collectionOf(database, orderTurns),
  };
}
