import {
  boolean,
  defineCollection,
  integer,
  openRepository,
  orNull,
  rememberReads,
  versioned,
  type Repository,
} from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { z } from 'zod';
import {
  catalogProduct,
  categoryFacts,
  productFacts,
  type CatalogProduct,
  type CategoryCopy,
  type ProductCopy,
} from '../domain/copies.ts';

const copyOf = <Facts extends z.ZodType>(facts: Facts) => ({
  ...versioned,
  sequence: integer(),
  facts: orNull(facts),
  deleted: boolean(),
});
const sharding = { unsharded: 'as many as the catalog has; a request reads several at once' };

/** Keyed by the product: a copy of what the catalog knows. */
export const products = defineCollection('products', copyOf(productFacts), { sharding });

/** Keyed by the category: a copy of what the catalog knows. */
export const categories = defineCollection('categories', copyOf(categoryFacts), { sharding });

// Carts name the same products again and again. The copies follow the catalog by events and are late anyway.
const [forMs, atMost] = [1000, 5000];

/** The products of the catalog, as engagement knows them by events. */
export interface CatalogCopies {
  /**
   * The products with these ids. Unknown ones are missing in it; deleted ones are there as they were, and not listed. An
   * answer may be 1 s old, but what is new is found at once.
   */
  find(productIds: Iterable<string>): Promise<ReadonlyMap<string, CatalogProduct>>;
  /** Those of the categories that are known, or were. An answer may be as old. */
  knownCategories(categoryIds: Iterable<string>): Promise<ReadonlySet<string>>;
}

/** What the catalog's events keep up to date. */
export interface CopyRepositories {
  readonly products: Repository<ProductCopy>;
  readonly categories: Repository<CategoryCopy>;
}

/** `monotonicNow` is a clock that never goes back, in milliseconds. */
export function openCatalogCopies(
  { database }: Pick<Resources, 'database'>,
  monotonicNow = () => performance.now(),
): CatalogCopies & CopyRepositories {
  const repositories = {
    products: openRepository<ProductCopy>(products, { database }),
    categories: openRepository<CategoryCopy>(categories, { database }),
  };

  /** The reads of one moment are one command for products, and one for their categories. */
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
