import type { catalogHttp } from '@storefront/contracts';
import type { Category } from '../category.ts';
import type { Product } from '../product.ts';
import type { SearchedTexts } from '../words.ts';

/** What searches know of a product. It holds nothing of trade prices. */
export interface IndexedProduct {
  readonly id: string;
  readonly version: number;
  readonly status: catalogHttp.ProductStatus;
  readonly createdAt: Date;
  readonly nameKey: string;
  /** The retail price in minor units. */
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
  'price',
  'stock',
  'status',
  'createdAt',
] as const;

export function indexedProduct(
  product: Pick<Product, 'id' | (typeof indexedFields)[number]>,
  version: number,
): IndexedProduct {
  const { id, status, createdAt, nameKey, categoryIds, name, sku, description } = product;
  const attributes = Object.entries(product.attributes);
  return {
    id,
    version,
    status,
    createdAt,
    nameKey,
    price: product.price.amount,
    inStock: product.stock > 0,
    texts: {
      name,
      skus: [sku],
      texts: attributes.flatMap(([, value]) => (typeof value === 'string' ? [value] : [])),
      description,
    },
    categoryIds,
    attributes: attributes.map(([attribute, value]) => [attribute, String(value)]),
  };
}

/** What searches know of a category. */
export type IndexedCategory = Pick<Category, 'id' | 'name' | 'slug' | 'path' | 'visible'>;

export const indexedCategoryFields = ['name', 'slug', 'path', 'visible'] as const;
