import {
  defineCollection,
  inTransaction,
  openCollections,
  openRepository,
  servedCollections,
  withEvents,
  type CollectionDefinition,
  type Database,
  type IndexOf,
  type Repository,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import type { catalogEvents } from '@storefront/contracts';
import { z } from 'zod';
import { categoryState, type Category } from '../domain/category.ts';
import { importState, type ProductImport } from '../domain/product-import.ts';
import { productState, type Product } from '../domain/product.ts';
import { deletedCategories, deletedProducts, openLastFacts, type LastFacts } from './last-facts.ts';
import { openStockMoves, stockMoves, type StockMoves } from './stock-moves.ts';
import { openUniqueValues, type UniqueValues } from './unique-values.ts';

export const categories = defineCollection(
  'categories',
  {
    ...withEvents,
    ...categoryState.shape,
    /** Counts the transactions that wrote the category because of its products. */
    touched: z.int().optional(),
  },
  {
    sharding: { unsharded: 'some thousands, of which lists show all' },
    indexes: {
      ordered: { keys: { visible: 1, position: 1, nameKey: 1, _id: 1 } },
      ordered_in_parent: { keys: { parentId: 1, visible: 1, position: 1, nameKey: 1, _id: 1 } },
      by_ancestor: { keys: { path: 1 } },
    },
  },
);

/**
 * One index for each order of the list and for each field that leads into it: status, category, word. The price at the
 * end lets MongoDB check price limits without reading the product.
 */
export const products = defineCollection(
  'products',
  { ...withEvents, ...productState.shape },
  {
    sharding: { unsharded: 'lists have many orders and no owner; a million products are a few GB' },
    indexes: {
      status_newest: { keys: { status: 1, createdAt: -1, _id: -1, 'price.amount': 1 } },
      status_price: { keys: { status: 1, 'price.amount': 1, _id: 1 } },
      status_name: { keys: { status: 1, nameKey: 1, _id: 1, 'price.amount': 1 } },
      category_newest: { keys: { categoryIds: 1, status: 1, createdAt: -1, _id: -1, 'price.amount': 1 } },
      category_price: { keys: { categoryIds: 1, status: 1, 'price.amount': 1, _id: 1 } },
      category_name: { keys: { categoryIds: 1, status: 1, nameKey: 1, _id: 1, 'price.amount': 1 } },
      word_newest: { keys: { words: 1, status: 1, createdAt: -1, _id: -1, 'price.amount': 1 } },
      word_price: { keys: { words: 1, status: 1, 'price.amount': 1, _id: 1 } },
      word_name: { keys: { words: 1, status: 1, nameKey: 1, _id: 1, 'price.amount': 1 } },
    },
  },
);
export type ProductIndex = IndexOf<typeof products>;

const besideProducts = { unsharded: 'transactions write them with products' };

// Unique values are documents of their own, keyed by the value. So they stay unique when collections are sharded.
const claim = { owner: z.string() };
const categorySlugs = defineCollection('category_slugs', claim, { sharding: besideProducts });
const productSlugs = defineCollection('product_slugs', claim, { sharding: besideProducts });
/** SKUs in upper case. */
const productSkus = defineCollection('product_skus', claim, { sharding: besideProducts });

const importKeptSeconds = 30 * 24 * 60 * 60;

/** Imports of products: each is here so that its audit entries have a document to be stored in. */
const imports = defineCollection(
  'imports',
  { ...withEvents, ...importState.shape },
  {
    sharding: { unsharded: 'some hundreds, deleted after 30 days' },
    indexes: {
      expiry: { keys: { startedAt: 1 }, expireAfterSeconds: importKeptSeconds },
      under_way: { keys: { finishedAt: 1, activeAt: 1 } },
    },
  },
);

/** All collections of the service, for tests too. */
export const definitions: readonly CollectionDefinition[] = [
  categories,
  products,
  categorySlugs,
  productSlugs,
  productSkus,
  imports,
  stockMoves,
  deletedProducts,
  deletedCategories,
  ...servedCollections,
];

/** Everything that the catalog service stores itself. */
export interface Store {
  readonly database: Database;
  readonly categories: Repository<Category>;
  readonly products: Repository<Product>;
  readonly imports: Repository<ProductImport>;
  readonly stockMoves: StockMoves;
  readonly deletedProducts: LastFacts<catalogEvents.ProductFacts>;
  readonly deletedCategories: LastFacts<catalogEvents.CategoryFacts>;
  readonly categorySlugs: UniqueValues;
  readonly productSlugs: UniqueValues;
  readonly productSkus: UniqueValues;
  /** Runs `work` in a transaction. Where another transaction writes the same documents, `work` runs again. */
  readonly inTransaction: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;
}

/** Opens all collections of the service. */
export async function openStore(resources: RepositoryNeeds): Promise<Store> {
  const { database } = resources;
  await openCollections(database, definitions);
  return {
    database,
    categories: openRepository<Category>(categories, resources),
    products: openRepository<Product>(products, resources),
    imports: openRepository<ProductImport>(imports, resources),
    stockMoves: openStockMoves(database),
    deletedProducts: openLastFacts(deletedProducts, resources),
    deletedCategories: openLastFacts(deletedCategories, resources),
    categorySlugs: openUniqueValues(database, categorySlugs),
    productSlugs: openUniqueValues(database, productSlugs),
    productSkus: openUniqueValues(database, productSkus),
    inTransaction: (work) => inTransaction(database, work),
  };
}
