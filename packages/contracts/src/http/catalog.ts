import { categoryOperations } from './catalog/categories.ts';
import { pictureOperations } from './catalog/pictures.ts';
import { productFileOperations } from './catalog/product-files.ts';
import { productOperations } from './catalog/products.ts';
import { variantOperations } from './catalog/variant-operations.ts';
import { mergeOperations } from './operation.ts';

export * from './catalog/attributes.ts';
export * from './catalog/categories.ts';
export * from './catalog/pictures.ts';
export * from './catalog/product-search.ts';
export * from './catalog/product-columns.ts';
export * from './catalog/product-files.ts';
export * from './catalog/products.ts';
export * from './catalog/selling.ts';
export { skuKey } from './catalog/stock-keeping.ts';
export * from './catalog/variants.ts';

export const catalogOperations = mergeOperations(
  categoryOperations,
  productOperations,
  variantOperations,
  productFileOperations,
  pictureOperations,
);
