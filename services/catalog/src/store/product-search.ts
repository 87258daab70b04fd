import type { Slice } from '@storefront/contracts';
import { FeedLostError, type ChangeFeed } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { indexedCategoryFields, indexedFields, indexedProduct } from '../domain/search/indexed-product.ts';
import { ProductIndex, type IndexAnswer, type IndexQuery } from '../domain/search/product-index.ts';
import { categories as categoryDefinition, products as productDefinition, type Store } from './collections.ts';

/** Searches in memory over all products and categories, which each instance of the service keeps for itself. */
export interface ProductSearch {
  /**
   * Finds a page of products. Knows every change that this process has made before the call, and what others have made up to
   * a second before.
   */
  search(query: IndexQuery, slice: Slice): Promise<IndexAnswer>;
  /** A category, by id or slug, and all categories below it; empty where none is known. */
  branch(idOrSlug: string): Promise<readonly string[]>;
  /** Reads these products again before the next search, because they are known to have changed. */
  readAgain(productIds: readonly string[]): void;
  close(): Promise<void>;
}

/** The collections of which the search has to know every change. */
export const searchedCollections = [productDefinition.name, categoryDefinition.name];

/** The documents that changed since they were read, by collection. */
export interface ChangedDocuments {
  readonly products: Set<string>;
  readonly categories: Set<string>;
}

export function noChanges(): ChangedDocuments {
  return { products: new Set(), categories: new Set() };
}

/** Notes a document that has changed, where the search has to know it. */
export function noteChange(changed: ChangedDocuments, collection: string, id: string): void {
  if (collection === productDefinition.name) changed.products.add(id);
  if (collection === categoryDefinition.name) changed.categories.add(id);
}

const lookEveryMs = 500;
// Few enough that building an index never keeps other requests waiting for long.
const readAtOnce = 500;

/**
 * Reads all products and categories. From then on the changes of this process are read before the next search, and those of
 * other processes twice a second, from the `feed` of `searchedCollections`. Throws if they can't be read.
 */
export async function openProductSearch(
  { products, categories }: Pick<Store, 'products' | 'categories'>,
  { changed, feed, logger }: { readonly changed: ChangedDocuments; readonly feed: ChangeFeed; readonly logger: Logger },
): Promise<ProductSearch> {
  let refreshing: Promise<void> | null = null;
  let rebuilding: Promise<void> | null = null;
  /** What was read into the present index while a new one is built, which may lack it. */
  let meanwhile: ChangedDocuments | null = null;
  let mustRebuild = false;
  let isClosed = false;

  // The feed begins before everything is read, so no change is missed in between.
  await feed.read();
  let index = await readAll();
  const looking = repeatEvery(lookEveryMs, look, { logger, failure: 'changes of the catalog could not be read' });

  return {
    async search(query, slice) {
      await refresh();
      return index.search(query, slice);
    },
    async branch(idOrSlug) {
      await refresh();
      return index.branch(idOrSlug);
    },
    readAgain(productIds) {
      for (const id of productIds) changed.products.add(id);
    },
    async close() {
      isClosed = true;
      await looking.stop();
      await rebuilding?.catch(() => undefined);
      await refreshing?.catch(() => undefined);
      await feed.close();
    },
  };

  async function readAll(): Promise<ProductIndex> {
    const built = new ProductIndex();
    const part = { order: { _id: 1 }, limit: readAtOnce, hint: '_id_' } as const;
    await inParts(
      (after) => categories.find({ _id: { $gt: after } }, { ...part, fields: indexedCategoryFields }),
      ({ state }) => built.putCategory(state),
    );
    await inParts(
      (after) => products.find({ _id: { $gt: after } }, { ...part, fields: indexedFields }),
      ({ state, version }) => built.putProduct(indexedProduct(state, version)),
    );
    return built;
  }

  /** Reads what has changed. Returns once everything is read that was noted before the call. */
  async function refresh(): Promise<void> {
    // What a read under way has taken is noted again if the read fails.
    if (refreshing) await refreshing.catch(() => undefined);
    // Another one that has begun since then has taken everything that was noted before.
    if (!refreshing && changed.products.size + changed.categories.size > 0)
      refreshing = readChanged().finally(() => (refreshing = null));
    await refreshing;
  }

  async function readChanged(): Promise<void> {
    const ids = { products: take(changed.products), categories: take(changed.categories) };
    try {
      const { products: productIds, categories: categoryIds } = ids;
      const foundCategories =
        categoryIds.length === 0
          ? []
          : await categories.find({ _id: { $in: categoryIds } }, { fields: indexedCategoryFields, hint: '_id_' });
      const foundProducts =
        productIds.length === 0
          ? []
          : await products.find({ _id: { $in: productIds } }, { fields: indexedFields, hint: '_id_' });
      for (const id of missing(categoryIds, foundCategories)) index.removeCategory(id);
      for (const { state } of foundCategories) index.putCategory(state);
      for (const id of missing(productIds, foundProducts)) index.removeProduct(id);
      for (const { state, version } of foundProducts) index.putProduct(indexedProduct(state, version));
      if (meanwhile) addAll(meanwhile, ids);
    } catch (error) {
      addAll(changed, ids);
      throw error;
    }
  }

  async function look(): Promise<void> {
    try {
      for (;;) {
        const found = await feed.read();
        for (const { collection, id } of found) noteChange(changed, collection, id);
        await refresh();
        if (found.length === 0 || isClosed) break;
      }
    } catch (error) {
      if (!(error instanceof FeedLostError)) throw error;
      logger.warn({ err: error }, 'the products for searches will be read anew');
      // Not at once: first the feed has to begin anew.
      mustRebuild = true;
      return;
    }
    if (mustRebuild || index.isWasteful) rebuilding ??= rebuild().finally(() => (rebuilding = null));
  }

  /** Builds a new index, while searches use the present one. */
  async function rebuild(): Promise<void> {
    meanwhile = noChanges();
    try {
      const built = await readAll();
      addAll(changed, meanwhile);
      index = built;
      mustRebuild = false;
    } catch (error) {
      logger.warn({ err: error }, 'the products for searches could not be read anew; it is tried again');
    } finally {
      meanwhile = null;
    }
  }
}

interface Identified {
  readonly state: { readonly id: string };
}

/** Calls `put` with everything that `read` finds, part by part, in the order of the ids. */
async function inParts<Found extends Identified>(
  read: (after: string) => Promise<readonly Found[]>,
  put: (found: Found) => void,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const found: readonly Found[] = await read(after);
    found.forEach(put);
    after = found.length < readAtOnce ? undefined : found.at(-1)?.state.id;
  }
}

function missing(ids: readonly string[], found: readonly Identified[]): string[] {
  const known = new Set(found.map(({ state }) => state.id));
  return ids.filter((id) => !known.has(id));
}

function take(ids: Set<string>): string[] {
  const taken = [...ids];
  ids.clear();
  return taken;
}

function addAll(
  to: ChangedDocuments,
  { products, categories }: Record<keyof ChangedDocuments, Iterable<string>>,
): void {
  for (const id of products) to.products.add(id);
  for (const id of categories) to.categories.add(id);
}
