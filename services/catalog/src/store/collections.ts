import { createAggregates } from '@storefront/outbox';
import type { Aggregates, Relay, Stored } from '@storefront/outbox';
import { collectionOf } from '@storefront/service-kit';
import type { Parts } from '@storefront/service-kit';
import type mongoose from 'mongoose';
import type { Category } from '../domain/category.ts';
import type { Product } from '../domain/product.ts';

export type StoredCategory = Omit<Category, 'id'> & Stored;
export type StoredProduct = Omit<Product, 'id'> & Stored;

/** Who has a unique value: the value itself is the document's key, so it stays unique when collections are sharded. */
export interface Claim {
  /** The slug, or the SKU in upper case. */
  _id: string;
  /** The id of the category or product. */
  owner: string;
}

export type Collection<Document extends mongoose.mongo.Document> = mongoose.mongo.Collection<Document>;

/** Everything that the catalog keeps. */
export interface Collections {
  readonly database: mongoose.Connection;
  readonly categories: Collection<StoredCategory>;
  readonly products: Collection<StoredProduct>;
  readonly categorySlugs: Collection<Claim>;
  readonly productSlugs: Collection<Claim>;
  readonly productSkus: Collection<Claim>;
  readonly categoryAggregates: Aggregates<Category>;
  readonly productAggregates: Aggregates<Product>;
}

export const categoryIndexes = {
  ordered: { visible: 1, position: 1, nameKey: 1, _id: 1 },
  ordered_in_parent: { parentId: 1, visible: 1, position: 1, nameKey: 1, _id: 1 },
  by_ancestor: { path: 1 },
} as const;

/**
 * For each order of the list one index for each way in: by status alone, by category, by a word. The order's fields come
 * before the price, which is there so that a limit of price is checked without reading the product; what follows it in the
 * order by price is there so that few can be put into any order without being read. Those with a band of prices first are for
 * lists between prices; words have none, as each product has many.
 */
export const productIndexes = {
  status_newest: { status: 1, createdAt: -1, _id: -1, 'price.amount': 1 },
  status_cheapest: { status: 1, 'price.amount': 1, _id: 1, createdAt: 1, nameKey: 1 },
  status_name: { status: 1, nameKey: 1, _id: 1, 'price.amount': 1 },
  status_band_newest: { status: 1, priceBand: 1, createdAt: -1, _id: -1, 'price.amount': 1 },
  status_band_name: { status: 1, priceBand: 1, nameKey: 1, _id: 1, 'price.amount': 1 },
  category_newest: { categoryIds: 1, status: 1, createdAt: -1, _id: -1, 'price.amount': 1 },
  category_cheapest: { categoryIds: 1, status: 1, 'price.amount': 1, _id: 1, createdAt: 1, nameKey: 1 },
  category_name: { categoryIds: 1, status: 1, nameKey: 1, _id: 1, 'price.amount': 1 },
  category_band_newest: { categoryIds: 1, status: 1, priceBand: 1, createdAt: -1, _id: -1, 'price.amount': 1 },
  category_band_name: { categoryIds: 1, status: 1, priceBand: 1, nameKey: 1, _id: 1, 'price.amount': 1 },
  word_newest: { words: 1, status: 1, createdAt: -1, _id: -1, 'price.amount': 1 },
  word_cheapest: { words: 1, status: 1, 'price.amount': 1, _id: 1, createdAt: 1, nameKey: 1 },
  word_name: { words: 1, status: 1, nameKey: 1, _id: 1, 'price.amount': 1 },
} as const;

/** Opens the collections, and makes their indexes where they are missing. */
export async function openCollections({
  database,
  relay,
  now,
}: Pick<Parts, 'database' | 'now'> & { relay: Pick<Relay, 'watch' | 'nudge'> }): Promise<Collections> {
  const categories = collectionOf<StoredCategory>(database, 'categories');
  const products = collectionOf<StoredProduct>(database, 'products');
  const claims = ['category_slugs', 'product_slugs', 'product_skus'].map((name) => collectionOf<Claim>(database, name));
  await Promise.all([
    ...Object.entries(categoryIndexes).map(([name, keys]) => categories.createIndex({ ...keys }, { name })),
    ...Object.entries(productIndexes).map(([name, keys]) => products.createIndex({ ...keys }, { name })),
    // Made now: a transaction can't make a collection that another one is making.
    ...claims.map((claim) => claim.createIndex({ owner: 1 })),
  ]);
  const [categorySlugs, productSlugs, productSkus] = claims as [
    Collection<Claim>,
    Collection<Claim>,
    Collection<Claim>,
  ];
  return {
    database,
    categories,
    products,
    categorySlugs,
    productSlugs,
    productSkus,
    categoryAggregates: createAggregates<Category>({ collection: categories, relay, now }),
    productAggregates: createAggregates<Product>({ collection: products, relay, now }),
  };
}

/** A stored document as the domain knows it. */
export function toCategory({ _id, outbox: _outbox, version: _version, ...fields }: StoredCategory): Category {
  return { id: _id, ...fields };
}

/** A stored document as the domain knows it. */
export function toProduct({ _id, outbox: _outbox, version: _version, ...fields }: StoredProduct): Product {
  return { id: _id, ...fields };
}

/** Deleted, but its last event is still on its way: for everybody else it is gone. */
export const living = { deletedAt: { $exists: false } } as const;
