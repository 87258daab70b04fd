import {
  defineCollection,
  inTransaction,
  inTransactionOfNew,
  openCollections,
  openRepository,
  openTurns,
  servedCollections,
  withEvents,
  type CollectionDefinition,
  type Database,
  type IndexOf,
  type Repository,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import { eventRecordDays, type catalogEvents } from '@storefront/contracts';
import { z } from 'zod';
import { categoryState, type Category } from '../domain/category.ts';
import { productState, type Product } from '../domain/product.ts';
import { reservationState, type Reservation } from '../domain/reservations.ts';
import { importState, type ProductImport } from '../domain/sheets/product-import.ts';
import { importKeptSeconds, importRows, openImportRows, type ImportRows } from './import-rows.ts';
import { deletedCategories, deletedProducts, openLastFacts, type LastFacts } from './last-facts.ts';
import { pictureFiles } from './picture-files.ts';
import { openPictures, pictures, type Pictures } from './pictures.ts';
import { openStockMoves, stockMoves, type StockMoves } from './stock-moves.ts';
import { openUniqueValues, type UniqueValues } from './unique-values.ts';
import { uploadCounts } from './upload-counts.ts';

export const categories = defineCollection(
  'categories',
  {
    ...withEvents,
    ...categoryState.shape,
    /** The number of transactions that wrote the category because of its products. */
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
 * For lists without a search: one index for each combination of a sort order and a field to list by, status or category. For
 * searches see `product-search.ts`.
 */
export const products = defineCollection(
  'products',
  { ...withEvents, ...productState.shape },
  {
    sharding: { unsharded: 'lists have many orders and no owner; a million products are a few GB' },
    indexes: {
      status_newest: { keys: { status: 1, createdAt: -1, _id: -1 } },
      status_price: { keys: { status: 1, lowestPrice: 1, _id: 1 } },
      status_name: { keys: { status: 1, nameKey: 1, _id: 1 } },
      category_newest: { keys: { categoryIds: 1, status: 1, createdAt: -1, _id: -1 } },
      category_price: { keys: { categoryIds: 1, status: 1, lowestPrice: 1, _id: 1 } },
      category_name: { keys: { categoryIds: 1, status: 1, nameKey: 1, _id: 1 } },
    },
  },
);
export type ProductIndex = IndexOf<typeof products>;

const day = 24 * 60 * 60;
const besideProducts = { unsharded: 'transactions write them with products' };

// Each unique value has its own document, with the value as the key. So the values stay unique even if collections are
// sharded.
const claim = { owner: z.string() };
const categorySlugs = defineCollection('category_slugs', claim, { sharding: besideProducts });
const productSlugs = defineCollection('product_slugs', claim, { sharding: besideProducts });
/** The SKUs of all products and variants, in upper case. The owner of a variant's SKU is its product. */
const productSkus = defineCollection('product_skus', claim, { sharding: besideProducts });

/**
 * What orders have reserved; the id of a document is the order's. Only orders end a reservation. Then it is kept for longer
 * than an event can be under way, so that no event of the order has an effect twice.
 */
const reservations = defineCollection(
  'reservations',
  { ...withEvents, ...reservationState.shape },
  {
    sharding: besideProducts,
    indexes: {
      open: { keys: { requestedAt: 1 }, partialFilterExpression: { state: 'reserved' } },
      kept: { keys: { endedAt: 1 }, expireAfterSeconds: eventRecordDays * day },
    },
  },
);

/**
 * Imports of products. An import has a document because audit entries are stored in the document that they are about.
 */
const imports = defineCollection(
  'imports',
  { ...withEvents, ...importState.shape },
  {
    sharding: { unsharded: 'some hundreds, deleted after 30 days' },
    indexes: {
      expiry: { keys: { startedAt: 1 }, expireAfterSeconds: importKeptSeconds },
      newest: { keys: { startedAt: -1, _id: -1 } },
      under_way: { keys: { finishedAt: 1, activeAt: 1 } },
    },
  },
);

/** All collections of the service. Tests use this list too. */
export const definitions: readonly CollectionDefinition[] = [
  categories,
  products,
  categorySlugs,
  productSlugs,
  productSkus,
  reservations,
  imports,
  importRows,
  stockMoves,
  deletedProducts,
  deletedCategories,
  pictures,
  pictureFiles,
  uploadCounts,
  ...servedCollections,
];

/** All data that the catalog service stores. */
export interface Store {
  readonly database: Database;
  readonly categories: Repository<Category>;
  readonly products: Repository<Product>;
  readonly reservations: Repository<Reservation>;
  readonly imports: Repository<ProductImport>;
  readonly importRows: ImportRows;
  readonly stockMoves: StockMoves;
  readonly deletedProducts: LastFacts<catalogEvents.ProductFacts>;
  readonly deletedCategories: LastFacts<catalogEvents.CategoryFacts>;
  readonly pictures: Pictures;
  readonly categorySlugs: UniqueValues;
  readonly productSlugs: UniqueValues;
  readonly productSkus: UniqueValues;
  /** Runs `work` in a transaction. If another transaction writes the same documents, `work` runs again. */
  readonly inTransaction: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;
  /**
   * The same, one after the other in this process: for products that are created or deleted. Each writes the counts of the upper
   * categories, so at the same time they would make each other run again. What changes a product seldom writes counts.
   */
  readonly inCountingTransaction: Store['inTransaction'];
  /** As `inTransaction`, for documents that most often do not exist yet. */
  readonly inTransactionOfNew: <Result>(
    work: (transaction: Transaction, areNew: boolean) => Promise<Result>,
  ) => Promise<Result>;
}

/** Opens all collections of the service. */
export async function openStore(resources: RepositoryNeeds): Promise<Store> {
  const { database } = resources;
  await openCollections(database, definitions);
  const inTurn = openTurns<undefined>();
  return {
    database,
    categories: openRepository<Category>(categories, resources),
    products: openRepository<Product>(products, resources),
    reservations: openRepository<Reservation>(reservations, resources),
    imports: openRepository<ProductImport>(imports, resources),
    importRows: openImportRows(database),
    stockMoves: openStockMoves(database),
    deletedProducts: openLastFacts(deletedProducts, resources),
    deletedCategories: openLastFacts(deletedCategories, resources),
    pictures: openPictures(resources),
    categorySlugs: openUniqueValues(database, categorySlugs),
    productSlugs: openUniqueValues(database, productSlugs),
    productSkus: openUniqueValues(database, productSkus),
    inTransaction: (work) => inTransaction(database, work),
    inCountingTransaction: (work) => inTurn('counts', async () => ({ result: await inTransaction(database, work) })),
    inTransactionOfNew: (work) => inTransactionOfNew(database, work),
  };
}
