import { openParts, serve } from '@storefront/service-kit';
import type { Running, Surroundings } from '@storefront/service-kit';
import { buildApp } from './app.ts';
import type { CatalogConfig } from './config.ts';
import { createCategories } from './store/categories.ts';
import { createCategoryReads } from './store/category-reads.ts';
import { openCollections } from './store/collections.ts';
import { createProductReads } from './store/product-reads.ts';
import { createProducts } from './store/products.ts';

/** Starts the catalog service: categories, products and stock. It tells of every change and listens to nobody. */
export async function start(config: CatalogConfig, surroundings?: Surroundings): Promise<Running> {
  await using parts = await openParts('catalog', config, surroundings);
  const collections = await openCollections(parts);
  return await serve(parts, {
    routes: buildApp({
      categories: createCategories(collections, parts.now),
      categoryReads: createCategoryReads(collections),
      products: createProducts(collections, parts.now, config.CURRENCY),
      productReads: createProductReads(collections),
      cursors: parts.cursors,
      picturesDir: config.PICTURES_DIR,
    }),
  });
}
