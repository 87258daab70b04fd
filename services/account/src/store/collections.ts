import { createAggregates } from '@storefront/outbox';
import type { Aggregates, Stored } from '@storefront/outbox';
import { collectionOf, openErasedUsers } from '@storefront/service-kit';
import type { Database, ErasedUsers, Parts } from '@storefront/service-kit';
import type mongoose from 'mongoose';
import type { AddressBook } from '../domain/address-book.ts';
import type { Customer } from '../domain/customer.ts';
import type { Product } from '../domain/product.ts';
import type { DataRequest } from '../domain/user-data.ts';
import type { Wishlist } from '../domain/wishlist.ts';

type Collection<Document extends mongoose.mongo.Document> = mongoose.mongo.Collection<Document>;
type StoredAs<State> = Omit<State, 'id'> & Stored;

/** An alert that was raised; its event is in its outbox. */
export interface StoredAlert extends Stored {
  raisedAt: Date;
}

/** Everything that the account service keeps. */
export interface Collections {
  readonly database: Database;
  /** Keyed by the user. */
  readonly addressBooks: Collection<StoredAs<AddressBook>>;
  /** Keyed by the user. */
  readonly wishlists: Collection<StoredAs<Wishlist>>;
  /** Keyed by the product. */
  readonly products: Collection<StoredAs<Product>>;
  /** Keyed by owner and recipient. */
  readonly customers: Collection<StoredAs<Customer>>;
  /** Keyed by the user first. */
  readonly alerts: Collection<StoredAlert>;
  /** Keyed by the event that asked. */
  readonly dataRequests: Collection<StoredAs<DataRequest>>;
  /** The orders that were counted, by their ids, and nothing else about them. */
  readonly countedOrders: Collection<{ _id: string }>;
  /** A document for each user who orders: two orders of the same one are counted one after the other. */
  readonly orderTurns: Collection<{ _id: string; orders: number }>;
  readonly erasedUsers: ErasedUsers;
  readonly addressBookAggregates: Aggregates<AddressBook>;
  readonly wishlistAggregates: Aggregates<Wishlist>;
  readonly productAggregates: Aggregates<Product>;
  readonly customerAggregates: Aggregates<Customer>;
  readonly dataRequestAggregates: Aggregates<DataRequest>;
}

const wishlistIndexes = {
  by_product: { 'items.productId': 1, _id: 1 },
  by_share: { 'share.tokenHash': 1 },
} as const;

const customerIndexes = {
  newest: { owner: 1, createdAt: -1, _id: -1 },
  by_token: { owner: 1, tokens: 1 },
  by_key: { owner: 1, keys: 1 },
} as const;

const day = 24 * 60 * 60;
// Longer than an event can be on its way, in a dead-letter queue too: after that it is not raised or answered again.
const keptSeconds = 90 * day;

/** Opens the collections, and makes them and their indexes where they are missing. */
export async function openCollections({
  database,
  relay,
  now,
}: Pick<Parts, 'database' | 'relay' | 'now'>): Promise<Collections> {
  const addressBooks = collectionOf<StoredAs<AddressBook>>(database, 'address_books');
  const wishlists = collectionOf<StoredAs<Wishlist>>(database, 'wishlists');
  const products = collectionOf<StoredAs<Product>>(database, 'products');
  const customers = collectionOf<StoredAs<Customer>>(database, 'customers');
  const alerts = collectionOf<StoredAlert>(database, 'wishlist_alerts');
  const dataRequests = collectionOf<StoredAs<DataRequest>>(database, 'data_requests');
  relay.watch(alerts as unknown as Collection<Stored>);
  const [erasedUsers] = await Promise.all([
    openErasedUsers({ database, now }),
    ...Object.entries(wishlistIndexes).map(([name, keys]) => wishlists.createIndex({ ...keys }, { name })),
    ...Object.entries(customerIndexes).map(([name, keys]) => customers.createIndex({ ...keys }, { name })),
    alerts.createIndex({ raisedAt: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds }),
    dataRequests.createIndex({ answeredAt: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds }),
    // Made now: a transaction can't make a collection that another one is making.
    ...['counted_orders', 'order_turns'].map((name) => makeCollection(database, name)),
  ]);
  const aggregates = <State extends { readonly id: string }>(collection: Collection<any>) =>
    createAggregates<State>({ collection, relay, now });
  return {
    database,
    addressBooks,
    wishlists,
    products,
    customers,
    alerts,
    dataRequests,
    countedOrders: collectionOf(database, 'counted_orders'),
    orderTurns: collectionOf(database, 'order_turns'),
    erasedUsers,
    addressBookAggregates: aggregates(addressBooks),
    wishlistAggregates: aggregates(wishlists),
    productAggregates: aggregates(products),
    customerAggregates: aggregates(customers),
    dataRequestAggregates: aggregates(dataRequests),
  };
}

/** Deleted, but its last event is still on its way: for everybody else it is gone. */
export const living = { deletedAt: { $exists: false } } as const;

const namespaceExists = 48;

async function makeCollection(database: Database, name: string): Promise<void> {
  try {
    await database.getClient().db(database.name).createCollection(name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== namespaceExists) throw error;
  }
}
