import { categoryOperations } from './catalog/categories.ts';
import { pictureOperations } from './catalog/pictures.ts';
import { productOperations } from './catalog/products.ts';
import { mergeOperations } from './operation.ts';

export * from './catalog/attributes.ts';
export * from './catalog/categories.ts';
export * from './catalog/pictures.ts';
export * from './catalog/product-search.ts';
export * from './catalog/products.ts';

export const catalogOperations = mergeOperations(categoryOperations, productOperations, pictureOperations);
