import {
  arrayOf,
  boolean,
  defineCollection,
  integer,
  object,
  openRepository,
  orNull,
  rememberReads,
  text,
  versioned,
} from '@storefront/mongo';
import type { Repository } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { catalogProduct } from '../domain/copies.ts';
import type { CatalogProduct, CategoryCopy, ProductCopy } from '../domain/copies.ts';

const money = object({ amount: integer(), currency: text() });

/** Keyed by the product: a copy of what the catalog knows. */
export const products = defineCollection('products', {
  ...versioned,
  sequence: integer(),
  facts: orNull(
    object({
      name: text(),
      categoryIds: arrayOf(text()),
      price: money,
      tradePrice: orNull(money),
      listed: boolean(),
    }),
  ),
  deleted: boolean(),
});

/** Keyed by the category: a copy of what the catalog knows. */
export const categories = defineCollection('categories', {
  ...versioned,
  sequence: integer(),
  facts: orNull(object({ name: text(), path: arrayOf(text()) })),
  deleted: boolean(),
});

// Carts name the same products again and again. The copies follow the catalog by events and are late anyway.
const [forMs, atMost] = [1000, 5000];

/** The products of the catalog, as engagement knows them by events. */
export interface CatalogCopies {
  /**
   * The products with these ids. Unknown ones are missing in it; deleted ones are there as they were, and not listed. An
   * answer may be 1 s old, but what is new is found at once.
   */
  find(productIds: Iterable<string>): Promise<ReadonlyMap<string, CatalogProduct>>;
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
  const remembered = { forMs, atMost, monotonicNow };
  const productsBy = rememberReads(statesOf(repositories.products), remembered);
  const categoriesBy = rememberReads(statesOf(repositories.categories), remembered);
  return {
    ...repositories,
    async find(productIds) {
      const copies = await productsBy(productIds);
      const inCategories = new Set<string>();
      for (const { facts } of copies.values()) for (const id of facts?.categoryIds ?? []) inCategories.add(id);
      const above = await categoriesBy(inCategories);
      const found = new Map<string, CatalogProduct>();
      for (const [id, copy] of copies) {
        const product = catalogProduct(copy, above);
        if (product) found.set(id, product);
      }
      return found;
    },
  };
}

/** The reads of one moment are one command. */
function statesOf<State extends { readonly id: string }>(repository: Repository<State>) {
  return async (id: string): Promise<State | null> => (await repository.load(id))?.state ?? null;
}
