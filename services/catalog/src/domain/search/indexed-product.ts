import type { catalogHttp } from '@storefront/contracts';
import type { Category } from '../category.ts';
import type { Product } from '../product.ts';
import { slugOf } from '../slug.ts';
import { freeOfProduct, isActive, type Variant } from '../variants.ts';
import type { SearchedTexts } from '../words.ts';

/** What searches know of a product. It holds nothing of trade prices. */
export interface IndexedProduct {
  readonly id: string;
  readonly version: number;
  readonly status: catalogHttp.ProductStatus;
  readonly createdAt: Date;
  readonly nameKey: string;
  /** The lowest retail price of an active variant, in minor units. */
  readonly price: number;
  readonly inStock: boolean;
  readonly texts: SearchedTexts;
  readonly categoryIds: readonly string[];
  /** Names and values by which lists are filtered; a name may have several values. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** The fields of a product that searches need. */
export const indexedFields = [
  'name',
  'nameKey',
  'sku',
  'description',
  'attributes',
  'categoryIds',
  'lowestPrice',
  'stock',
  'reserved',
  'status',
  'createdAt',
  'options',
  'variants',
] as const;

export function indexedProduct(
  product: Pick<Product, 'id' | (typeof indexedFields)[number]>,
  version: number,
): IndexedProduct {
  const { id, status, createdAt, nameKey, categoryIds, name, sku, description } = product;
  const active = product.variants.filter(isActive);
  const attributes = [...Object.entries(product.attributes), ...valuesOf(product.options, active)];
  return {
    id,
    version,
    status,
    createdAt,
    nameKey,
    price: product.lowestPrice,
    inStock: freeOfProduct(product) > 0,
    texts: {
      name,
      skus: [sku, ...active.map((variant) => variant.sku)],
      texts: attributes.flatMap(([, value]) => (typeof value === 'string' ? [value] : [])),
      description,
    },
    categoryIds,
    attributes: attributes.map(([attribute, value]) => [attribute, String(value)]),
  };
}

/**
 * The values of the options as those of attributes: the option `Shoe size` is filtered as `attr.shoe-size`. Only values that
 * an active variant has.
 */
function valuesOf(options: Product['options'], active: readonly Variant[]): [name: string, value: string][] {
  return options.flatMap(({ name }, at) => {
    const values = new Set(active.flatMap((variant) => variant.values[at] ?? []));
    return [...values].map((value): [string, string] => [slugOf(name, 'option'), value]);
  });
}

/** What searches know of a category. */
export type IndexedCategory = Pick<Category, 'id' | 'name' | 'slug' | 'path' | 'visible'>;

export const indexedCategoryFields = ['name', 'slug', 'path', 'visible'] as const;
