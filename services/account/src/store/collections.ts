import { eventRecordDays } from '@storefront/contracts';
import {
  arrayOf,
  boolean,
  collectionOf,
  date,
  byId,
  defineCollection,
  integer,
  living,
  object,
  oneOf,
  openCollections,
  openRepository,
  orNull,
  servedCollections,
  text,
  versioned,
  withEvents,
  type Collection,
  type CollectionDefinition,
  type Database,
  type Relay,
  type Repository,
} from '@storefront/mongo';
import { userDataCollections } from '@storefront/user-data';
import type { AddressBook } from '../domain/address-book.ts';
import type { Customer } from '../domain/customer.ts';
import type { PriceHistory, Product } from '../domain/product.ts';
import type { Wishlist } from '../domain/wishlist.ts';

const money = object({ amount: integer(), currency: text() });
const prices = { price: money, tradePrice: orNull(money) };
const tier = oneOf(['retail', 'trade']);
const postalAddress = { homeAddress: text(), state: orNull(text()), city: text(), country: text() };
const lows = arrayOf(object({ sequence: integer(), at: date(), amount: integer(), currency: text() }));
const day = 24 * 60 * 60;

/** Keyed by the user. */
const addressBooks = defineCollection(
  'address_books',
  {
    ...withEvents,
    defaultId: orNull(text()),
    addresses: arrayOf(
      object({
        id: text(),
        version: integer(),
        contactPhone: text(),
        ...postalAddress,
        createdAt: date(),
        updatedAt: date(),
      }),
    ),
  },
  { sharding: byId },
);

/** Keyed by the user. */
const wishlists = defineCollection(
  'wishlists',
  {
    ...withEvents,
    tier,
    items: arrayOf(object({ id: text(), productId: text(), createdAt: date(), priceAtAdding: object(prices) })),
    share: orNull(object({ tokenHash: text(), createdAt: date() })),
  },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['items.productId'], because: 'a cheaper product is told to all who wish for it' },
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

/** Keyed by the product. Unlike the copy of the product, nobody can tell it again. */
const priceHistory = defineCollection(
  'price_history',
  { ...versioned, retail: lows, trade: lows },
  { sharding: asProducts },
);

/** Keyed by the product: a copy of what the catalog knows, and the alerts that are being raised. */
const products = defineCollection(
  'products',
  {
    ...withEvents,
    sequence: integer(),
    facts: orNull(object({ name: text(), image: orNull(text()), ...prices, available: boolean(), listed: boolean() })),
    deleted: boolean(),
    lows: object({ retail: lows, trade: lows }),
    due: arrayOf(
      object({
        sequence: integer(),
        at: date(),
        productName: text(),
        changes: arrayOf(
          object({ kind: oneOf(['price-drop', 'back-in-stock']), tier, was: orNull(money), now: money }),
        ),
        toldUpTo: orNull(text()),
      }),
    ),
  },
  { sharding: asProducts },
);

/** Keyed by owner and recipient. */
const customers = defineCollection(
  'customers',
  {
    ...withEvents,
    owner: text(),
    customerId: text(),
    firstName: text(),
    lastName: text(),
    email: orNull(text()),
    phone: orNull(text()),
    address: orNull(object(postalAddress)),
    note: orNull(text()),
    orderCount: integer(),
    lastOrderedAt: orNull(date()),
    createdAt: date(),
    updatedAt: date(),
    tokens: arrayOf(text()),
    keys: arrayOf(text()),
  },
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
  { ...withEvents, raisedAt: date() },
  {
    sharding: { key: { _id: 1 } },
    indexes: { kept: { keys: { raisedAt: 1 }, expireAfterSeconds: eventRecordDays * day } },
  },
);

/** The orders that were counted, by their ids, and nothing else about them. */
const countedOrders = defineCollection('counted_orders', {}, { sharding: byId });

/** A document for each user who orders: the transactions that add recipients of one user collide here. */
const orderTurns = defineCollection('order_turns', { orders: integer() }, { sharding: byId });

/** All collections of the service, for tests too. */
export const definitions: readonly CollectionDefinition[] = [
  addressBooks,
  wishlists,
  products,
  priceHistory,
  customers,
  wishlistAlerts,
  countedOrders,
  orderTurns,
  ...servedCollections,
  ...userDataCollections('account'),
];

/** An alert that was raised. */
interface RaisedAlert {
  readonly id: string;
  readonly raisedAt: Date;
}

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
  await keepPriceHistory(database);
  return {
    database,
    addressBooks: openRepository<AddressBook>(addressBooks, resources),
    wishlists: openRepository<Wishlist>(wishlists, resources),
    products: openRepository<Product>(products, resources),
    priceHistory: openRepository<PriceHistory>(priceHistory, resources),
    customers: openRepository<Customer>(customers, resources),
    alerts: openRepository<RaisedAlert>(wishlistAlerts, resources),
    countedOrders: collectionOf(database, countedOrders),
    orderTurns: collectionOf(database, orderTurns),
  };
}

/**
 * Takes over the lowest prices of products that have no price history yet: an earlier version kept them in the copies
 * alone. An instance of it may still run, so they stay there too.
 */
async function keepPriceHistory(database: Database): Promise<void> {
  const [copies, histories] = [collectionOf(database, products), collectionOf(database, priceHistory)];
  const [known, kept] = await Promise.all([copies.estimatedDocumentCount(), histories.estimatedDocumentCount()]);
  if (kept >= known) return;
  const taken = { $project: { version: { $literal: 1 }, retail: '$lows.retail', trade: '$lows.trade' } };
  const into = { $merge: { into: priceHistory.name, whenMatched: 'keepExisting', whenNotMatched: 'insert' } };
  await copies.aggregate([{ $match: { ...living } }, taken, into]).toArray();
}
