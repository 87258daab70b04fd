import type { catalogHttp } from '@storefront/contracts';
import { wordsOf } from '../domain/words.ts';
import type { ShownProduct } from '../domain/pricing.ts';
import { living } from './collections.ts';
import type { Collections } from './collections.ts';
import { countOfWord, fewFor, isToldByIndex, queryFor } from './product-query.ts';
import type { ProductSearch, Query } from './product-query.ts';

/** What is read in order to show a product; its words and events stay where they are. */
const shown = {
  sku: 1,
  name: 1,
  nameKey: 1,
  slug: 1,
  description: 1,
  categoryIds: 1,
  images: 1,
  price: 1,
  tradePrice: 1,
  stock: 1,
  status: 1,
  createdAt: 1,
  updatedAt: 1,
  version: 1,
} as const;

const mostCounted = 10;
const mostCountedOfWord = 500;

/** A product as read for showing, with its place in every order of the list. */
export interface ReadProduct extends ShownProduct {
  readonly nameKey: string;
  readonly version: number;
}

type Document = Omit<ReadProduct, 'id'> & { _id: string };

export interface ProductReads {
  find(id: string): Promise<ReadProduct | null>;
  /** Up to `query.limit + 1` products from that position of the list on, in order. */
  list(
    query: Omit<catalogHttp.ProductQuery, 'cursor' | 'status'>,
    statuses: readonly catalogHttp.ProductStatus[],
    position: readonly unknown[] | undefined,
  ): Promise<ReadProduct[]>;
}

export function createProductReads({ database, products, categories, categorySlugs }: Collections): ProductReads {
  return {
    async find(id) {
      const document = await products.findOne<Document>({ _id: id, ...living }, { projection: shown });
      return document && read(document);
    },
    async list({ category, q, limit, ...rest }, statuses, position) {
      const words = q === undefined ? null : wordsOf(q);
      const branch = category === undefined ? { categoryIds: null, categoryProducts: 0 } : await branchOf(category);
      // No category of that name, or no word in what was searched for: nothing is found by it.
      if (words?.length === 0 || branch.categoryIds?.length === 0) return [];
      const search = { ...rest, ...branch, statuses, words: words && (await rarestFirst(words, statuses)) };
      const isTold = isToldByIndex(search, position);
      const isRare = await leavesFew(fewFor(search, isTold));
      const query = queryFor(search, position, isRare);
      const fromIndex = isRare && isTold ? await readByIndex(query, limit + 1) : null;
      if (fromIndex) return fromIndex;
      const { filter, order, hint } = query;
      const found = await products
        .find<Document>({ ...filter, ...living }, { projection: shown, hint })
        .sort(Object.fromEntries(order))
        .limit(limit + 1)
        .toArray();
      return found.map(read);
    },
  };

  async function leavesFew(wanted: ReturnType<typeof fewFor>): Promise<boolean> {
    return wanted !== null && (await count(wanted, wanted.few + 1)) <= wanted.few;
  }

  /**
   * Puts in order by what the index alone tells, and reads none but the first `most` products; null where one of them has
   * changed in between.
   */
  async function readByIndex({ filter, order, hint }: Query, most: number): Promise<ReadProduct[] | null> {
    const told = Object.fromEntries([['_id', 1], ...order.map(([field]) => [field, 1])]);
    const first = await products
      .find<{ _id: string }>(filter, { projection: told, hint })
      .sort(Object.fromEntries(order))
      .limit(most)
      .toArray();
    const places = new Map(first.map(({ _id }, place) => [_id, place]));
    const found = await products
      .find<Document>({ ...filter, ...living, _id: { $in: [...places.keys()] } }, { projection: shown })
      .toArray();
    if (found.length < first.length) return null;
    return found.map(read).toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
  }

  /** An index is read by the first word that is asked for, and what that leads to is looked at for the others. */
  async function rarestFirst(
    words: readonly string[],
    statuses: ProductSearch['statuses'],
  ): Promise<readonly string[]> {
    if (words.length === 1) return words;
    // Of very many the longest are counted: they are hardly the common ones.
    const longestFirst = words.toSorted((one, other) => other.length - one.length);
    const counted = await Promise.all(
      longestFirst
        .slice(0, mostCounted)
        .map(async (word) => ({ word, found: await count(countOfWord(word, statuses), mostCountedOfWord) })),
    );
    const rarest = counted.toSorted((one, other) => one.found - other.found).map(({ word }) => word);
    return [...rarest, ...longestFirst.slice(mostCounted)];
  }

  /**
   * Counts up to so many. The command goes through keys of the index alone; the driver's countDocuments takes up each key
   * into a pipeline, which takes half as long again.
   */
  async function count({ filter, hint }: Pick<Query, 'filter' | 'hint'>, limit: number): Promise<number> {
    const command = { count: products.collectionName, query: filter, hint, limit };
    const { n } = await database.getClient().db(database.name).command(command);
    return n as number;
  }

  async function branchOf(idOrSlug: string): Promise<{ categoryIds: string[]; categoryProducts: number }> {
    const id = idOrSlug.startsWith('cat_')
      ? idOrSlug
      : (await categorySlugs.findOne({ _id: idOrSlug }, { projection: { owner: 1 } }))?.owner;
    if (id === undefined) return { categoryIds: [], categoryProducts: 0 };
    const branch = await categories
      .find({ $or: [{ _id: id }, { path: id }], ...living }, { projection: { products: 1 } })
      .toArray();
    return {
      categoryIds: branch.map(({ _id }) => _id),
      categoryProducts: branch.reduce((sum, { products }) => sum + products, 0),
    };
  }
}

function read({ _id, ...fields }: Document): ReadProduct {
  return { id: _id, ...fields };
}
