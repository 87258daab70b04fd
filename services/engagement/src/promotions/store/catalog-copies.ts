import { copyOf } from '@storefront/catalog-copies';
import { defineCollection, openRepository, rememberReads, versioned, type Repository } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import {
  catalogProduct,
  categoryFacts,
  productFacts,
  type CatalogProduct,
  type CategoryCopy,
  type ProductCopy,
} from '../domain/copies.ts';

const sharding = { unsharded: 'as many as the catalog has; a request reads several at once' };

/** Copies of the catalog's products. The id is the product's id. */
export const products = defineCollection('products', { ...versioned, ...copyOf(productFacts) }, { sharding });

/** Copies of the catalog's categories. The id is the category's id. */
export const categories = defineCollection('categories', { ...versioned, ...copyOf(categoryFacts) }, { sharding });

// Carts contain the same products again and again, so reads are remembered: at most 5,000, for 1 s. This delay is
// acceptable, because the copies are updated by events and are late anyway.
const [forMs, atMost] = [1000, 5000];

/** The products of the catalog, as far as engagement knows them from events. */
export interface CatalogCopies {
  /**
   * Returns the products with these ids, without unknown ones. Deleted products are returned with their last data, as
   * not listed. An answer may be 1 s old, but a new product is found at once.
   */
  find(productIds: Iterable<string>): Promise<ReadonlyMap<string, CatalogProduct>>;
  /** Returns which of the categories are known, or were known before their deletion. An answer may be 1 s old. */
  knownCategories(categoryIds: Iterable<string>): Promise<ReadonlySet<string>>;
}

/** The copies that the catalog's events update. */
export interface CopyRepositories {
  readonly products: Repository<ProductCopy>;
  readonly categories: Repository<CategoryCopy>;
}

/** Opens the copies. `monotonicNow` returns milliseconds of a clock that never goes back. */
export function openCatalogCopies(
  { database }: Pick<Resources, 'database'>,
  monotonicNow = () => performance.now(),
): CatalogCopies & CopyRepositories {
  const repositories = {
    products: openRepository<ProductCopy>(products, { database }),
    categories: openRepository<CategoryCopy>(categories, { database }),
  };

  /** Reads a product. Reads at the same moment share one command for products and one for their categories. */
  async function readProduct(id: string): Promise<CatalogProduct | null> {
    const product = await repositories.products.load(id);
    if (!product) return null;
    const categoryIds = product.state.facts?.categoryIds ?? [];
    const found = await Promise.all(categoryIds.map((categoryId) => repositories.categories.load(categoryId)));
    const copies = found.flatMap((category): [string, CategoryCopy][] =>
      category ? [[category.state.id, category.state]] : [],
    );
    return catalogProduct(product.state, new Map(copies));
  }

  async function readCategory(id: string): Promise<CategoryCopy | null> {
    const category = await repositories.categories.load(id);
    return category?.state.facts ? category.state : null;
  }

  const remembering = { forMs, atMost, monotonicNow };
  const findCategories = rememberReads(readCategory, remembering);
  return {
    ...repositories,
    find: rememberReads(readProduct, remembering),
    knownCategories: async (ids) => new Set((await findCategories(ids)).keys()),
  };
}
