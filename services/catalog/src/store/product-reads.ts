import { catalogFields, catalogHttp, invalidFields, type PageOf, type Slice } from '@storefront/contracts';
import { living, type Transaction } from '@storefront/mongo';
import type { IndexQuery } from '../domain/search/product-index.ts';
import { wordsOfQuery } from '../domain/words.ts';
import type { CategoryReads } from './category-reads.ts';
import type { Store } from './collections.ts';
import { openListedProducts, type ListedProduct, type Stamp } from './listed-products.ts';
import { isListed, listQuery, type ProductList, type ListOrder } from './product-query.ts';
import type { ProductSearch } from './product-search.ts';

/** A page of products; with the count and the facets that were asked for. */
export interface ProductPage extends PageOf<ListedProduct> {
  readonly count?: catalogHttp.ProductCount;
  readonly facets?: catalogHttp.ProductFacet[];
}

type Query = Omit<catalogHttp.ProductQuery, 'cursor' | 'limit' | 'status'>;

export interface ProductReads {
  /**
   * Reads a page of a list. A list that is only by category or by ids comes from the database, all others from the
   * search. `onlyVisible`: categories that are not visible are neither searched nor named. Throws `validation_failed` if
   * there is no such category.
   */
  page(
    query: Query,
    viewing: { readonly statuses: readonly catalogHttp.ProductStatus[]; readonly onlyVisible: boolean },
    slice: Slice,
  ): Promise<ProductPage>;
  /** The ids of up to `limit` products that are in at least one of the categories. */
  idsInCategories(ids: readonly string[], limit: number, transaction: Transaction): Promise<string[]>;
  countInCategories(ids: readonly string[], transaction: Transaction): Promise<number>;
  /** How many products are only in these categories and in no other. */
  countOnlyInCategories(ids: readonly string[], transaction: Transaction): Promise<number>;
}

const mostSearches = 3;

export function createProductReads(
  { products, productSlugs }: Pick<Store, 'products' | 'productSlugs'>,
  categoryReads: Pick<CategoryReads, 'branch'>,
  productSearch: ProductSearch,
): ProductReads {
  const { collection } = products;
  const listedProducts = openListedProducts(products);

  return {
    async page(query, { statuses, onlyVisible }, slice) {
      const { q, category, slug } = query;
      const attributes = catalogHttp.attributeFiltersOf(query);
      const isSearch = needsSearch(query) || attributes.size > 0;
      const list = { ids: await named(query.ids, slug), statuses, categoryIds: await inBranches(category, isSearch) };
      const sort = query.sort ?? (q === undefined ? 'newest' : 'relevance');
      if (!isSearch && isListed(list)) return listed({ ...list, sort: sort as ListOrder }, slice);
      const { minPrice, maxPrice, inStock, facets = [], count: isCounted } = query;
      const words = q === undefined ? null : wordsOfQuery(q);
      return searched(
        { ...list, words, minPrice, maxPrice, inStock, attributes, onlyVisible, sort, facets },
        { isCounted: isCounted === true },
        slice,
      );
    },

    async idsInCategories(ids, limit, { session }) {
      const found = await collection
        .find({ categoryIds: { $in: [...ids] }, ...living }, { session, projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    countInCategories: (ids, transaction) => products.count({ categoryIds: { $in: [...ids] } }, { transaction }),

    countOnlyInCategories(ids, transaction) {
      const inAnother = { categoryIds: { $elemMatch: { $nin: [...ids] } } };
      return products.count({ categoryIds: { $in: [...ids] }, $nor: [inAnother] }, { transaction });
    },
  };

  async function listed(list: ProductList, slice: Slice): Promise<ProductPage> {
    const { items, next } = await products.page({ ...listQuery(list), slice, fields: ['updatedAt'] });
    const stamps = items.map(({ state, version }) => [state.id, { version, updatedAt: state.updatedAt }] as const);
    return { items: await shown(list, new Map(stamps)), next };
  }

  /**
   * Where one of the found products has another version than the search knows, another process has just changed it: then
   * it is read into the index, and the search is repeated.
   */
  async function searched(
    query: IndexQuery,
    { isCounted }: { readonly isCounted: boolean },
    slice: Slice,
  ): Promise<ProductPage> {
    for (let searches = 1; ; searches += 1) {
      const { items, next, count, facets } = await productSearch.search(query, slice);
      const stored = await listedProducts.stamps(items.map(({ id }) => id));
      const changed = items.filter(({ id, version }) => stored.get(id)?.version !== version);
      if (changed.length > 0 && searches < mostSearches) {
        productSearch.readAgain(changed.map(({ id }) => id));
        continue;
      }
      const found = items.flatMap(({ id }) => {
        const stamp = stored.get(id);
        return stamp ? [[id, stamp] as const] : [];
      });
      return {
        items: await shown(query, new Map(found)),
        next,
        ...(isCounted && { count: { value: count, exact: true } }),
        ...(query.facets.length > 0 && { facets }),
      };
    }
  }

  /** Whatever has changed since these products were found, nobody sees one with a status that is not theirs to see. */
  async function shown(
    { statuses }: Pick<ProductList, 'statuses'>,
    stamps: ReadonlyMap<string, Stamp>,
  ): Promise<ListedProduct[]> {
    return (await listedProducts.read(stamps)).filter(({ status }) => statuses.includes(status));
  }

  /** The ids of the products that a query names; null where it names none. */
  async function named(ids?: readonly string[], slug?: string): Promise<readonly string[] | null> {
    if (slug === undefined) return ids ?? null;
    const owner = await productSlugs.ownerOf(slug);
    return owner !== undefined && (ids ?? [owner]).includes(owner) ? [owner] : [];
  }

  /** The ids of the categories, by ids or slugs, with all below them; null where none is named. */
  async function inBranches(names: readonly string[] | undefined, isSearch: boolean): Promise<string[] | null> {
    if (names === undefined) return null;
    const ids = new Set<string>();
    for (const name of names) {
      const known = isSearch ? await productSearch.branch(name) : [];
      const branch = known.length > 0 ? known : await categoryReads.branch(name);
      if (branch.length === 0) throw invalidFields([catalogFields.unknownCategory('/category', 'query')]);
      for (const id of branch) ids.add(id);
    }
    return [...ids];
  }
}

/** Whether a list has more than an order, a status, a category or ids, for which the database has indexes. */
function needsSearch({ q, category = [], minPrice, maxPrice, inStock, facets, count }: Query): boolean {
  const filters = [q, minPrice, maxPrice, inStock, facets];
  return filters.some((filter) => filter !== undefined) || category.length > 1 || count === true;
}
