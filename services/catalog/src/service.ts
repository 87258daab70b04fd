import { catalogOperations } from '@storefront/contracts';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { configSchema, type CatalogConfig } from './config.ts';
import { endSilentImports } from './jobs/end-silent-imports.ts';
import { categoryHandlers } from './routes/categories.ts';
import { pictureHandlers } from './routes/pictures.ts';
import { productHandlers } from './routes/products.ts';
import { createCategoryReads } from './store/category-reads.ts';
import { createCategoryTree } from './store/category-tree.ts';
import { definitions, openStore } from './store/collections.ts';
import { createProductReads } from './store/product-reads.ts';

/** Categories, products and stock. The service publishes an event for every change and handles no events itself. */
export const service = defineService({ name: 'catalog', config: configSchema, collections: definitions, start });

async function start(config: CatalogConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('catalog', config, overrides);
  const { now, cursors, logger } = resources;
  const store = await openStore(resources);
  const categoryReads = createCategoryReads(store);
  const parts = {
    ...store,
    tree: createCategoryTree(store),
    categoryReads,
    productReads: createProductReads(store, categoryReads),
    cursors,
    now,
    currency: config.CURRENCY,
    apiUrl: config.API_URL,
  };
  const ending = endSilentImports({ ...parts, logger });
  resources.opened.defer(() => ending.stop());
  return await serve(resources, {
    operations: catalogOperations,
    areas: [
      { handlers: { ...categoryHandlers(parts), ...productHandlers(parts), ...pictureHandlers(config.PICTURES_DIR) } },
    ],
  });
}
