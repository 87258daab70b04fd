import { batchReadsOfMany, type Loaded, type Repository } from '@storefront/mongo';
import { RecentlyUsed } from '../domain/recently-used.ts';
import type { Product } from '../domain/product.ts';

const without = ['stockKeys', 'nameKey', 'lowestPrice'] as const;

/** A product as lists show it. */
export type ListedProduct = Omit<Product, (typeof without)[number]>;

/** Which state of a product is stored. The time tells states apart that have the same version, before and after a restore. */
export interface Stamp {
  readonly version: number;
  readonly updatedAt: Date;
}

export interface ListedProducts {
  /** The stamps of these products as they are stored now, by their ids. Those that do not exist are left out. */
  stamps(ids: readonly string[]): Promise<ReadonlyMap<string, Stamp>>;
  /**
   * Products with these stamps, or newer ones, in this order; those that are deleted meanwhile are left out. Most are
   * remembered. Several callers may get the same object, so it must not be changed.
   */
  read(stamps: ReadonlyMap<string, Stamp>): Promise<ListedProduct[]>;
}

// A product is counted as ten variants: it takes some 5 KB, a variant 0.6 KB. So all take 10 MB.
const mostVariants = 20_000;
const variantsPerProduct = 10;

export function openListedProducts(products: Pick<Repository<Product>, 'find' | 'collection'>): ListedProducts {
  const remembered = new RecentlyUsed<Loaded<ListedProduct>>(
    mostVariants,
    ({ state }) => variantsPerProduct + state.variants.length,
  );
  const readStamps = batchReadsOfMany(products.collection, { version: 1, updatedAt: 1, deletedAt: 1 });

  return {
    async stamps(ids) {
      const stored = await readStamps(ids);
      return new Map(stored.filter(({ deletedAt }) => deletedAt === undefined).map((each) => [each._id, each]));
    },
    async read(stamps) {
      const known = new Map<string, ListedProduct>();
      const unknown: string[] = [];
      for (const [id, stamp] of stamps) {
        const product = remembered.get(id);
        if (product && isOf(product, stamp)) known.set(id, product.state);
        else unknown.push(id);
      }
      if (unknown.length > 0) {
        for (const product of await products.find({ _id: { $in: unknown } }, { hint: '_id_', without })) {
          remembered.set(product.state.id, product);
          known.set(product.state.id, product.state);
        }
      }
      return [...stamps.keys()].flatMap((id) => known.get(id) ?? []);
    },
  };
}

function isOf({ version, state }: Loaded<ListedProduct>, stamp: Stamp): boolean {
  return version === stamp.version && state.updatedAt.getTime() === stamp.updatedAt.getTime();
}
