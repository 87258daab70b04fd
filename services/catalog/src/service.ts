import { catalogOperations, newId } from '@storefront/contracts';
import { notingWrites, openChangeFeed, openStepBatches } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve, type Resources } from '@storefront/service';
import { openBackgroundImports } from './commands/background-imports.ts';
import { workOffOrderSteps } from './commands/reserve-stock.ts';
import { bucketOf, configSchema, type CatalogConfig } from './config.ts';
import type { OrderStep } from './domain/reservations.ts';
import { subscriptions } from './events/subscriptions.ts';
import { endSilentImports } from './jobs/end-silent-imports.ts';
import { measureReservations } from './jobs/measure-reservations.ts';
import { removingUnnamedPictures } from './jobs/remove-unnamed-pictures.ts';
import { createPictureEncoder } from './pictures/encode-picture.ts';
import { openS3Files } from './pictures/s3-files.ts';
import { categoryHandlers } from './routes/categories.ts';
import { pictureHandlers } from './routes/pictures.ts';
import { productFileHandlers } from './routes/product-files.ts';
import { productHandlers } from './routes/products.ts';
import { variantHandlers } from './routes/variants.ts';
import { createCategoryReads } from './store/category-reads.ts';
import { createCategoryTree } from './store/category-tree.ts';
import { definitions, openStore } from './store/collections.ts';
import { afterFormer, openPictureFiles, type PictureFiles } from './store/picture-files.ts';
import { createProductReads } from './store/product-reads.ts';
import { openUploadCounts } from './store/upload-counts.ts';
import { noChanges, noteChange, openProductSearch, searchedCollections } from './store/product-search.ts';

/** Categories, products and stock. The service publishes an event for every change, and reserves stock for orders. */
export const service = defineService({ name: 'catalog', config: configSchema, collections: definitions, start });

async function start(config: CatalogConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('catalog', config, overrides);
  const { now, cursors, logger } = resources;
  const changed = noChanges();
  const relay = notingWrites(resources.relay, (collection, id) => noteChange(changed, collection, id));
  const store = await openStore({ ...resources, relay });
  const feed = openChangeFeed(resources.database, searchedCollections);
  const productSearch = await openProductSearch(store, { changed, feed, logger });
  resources.opened.defer(() => productSearch.close());
  const categoryReads = createCategoryReads(store);
  const parts = {
    ...store,
    tree: createCategoryTree(store),
    categoryReads,
    productReads: createProductReads(store, categoryReads, productSearch),
    cursors,
    now,
    currency: config.CURRENCY,
    apiUrl: config.API_URL,
    pictureFiles: openFiles(config, resources),
    uploadCounts: openUploadCounts(resources, config.API_SECRET),
    encodePicture: createPictureEncoder({ logger }),
    folder: config.PICTURES_DIR,
  };
  const backgroundImports = openBackgroundImports({ ...parts, newId, logger });
  resources.opened.defer(() => backgroundImports.stop());
  const ending = endSilentImports({ ...parts, logger });
  resources.opened.defer(() => ending.stop());
  const removing = removingUnnamedPictures({ ...parts, logger });
  resources.opened.defer(() => removing.stop());
  measureReservations({ ...parts, metrics: resources.metrics });
  const performStep = openStepBatches<OrderStep, null>((steps) => workOffOrderSteps(parts, steps));
  return await serve(resources, {
    operations: catalogOperations,
    areas: [
      {
        handlers: {
          ...categoryHandlers(parts),
          ...productHandlers(parts),
          ...variantHandlers(parts),
          ...pictureHandlers(parts),
          ...productFileHandlers({ ...parts, backgroundImports }),
        },
        subscriptions: subscriptions({ performStep }),
      },
    ],
  });
}

/** Uploads go to the bucket, if there is one; pictures that were uploaded before stay in the database. */
function openFiles(config: CatalogConfig, { database, logger, opened }: Resources): PictureFiles {
  const inDatabase = openPictureFiles(database);
  const bucket = bucketOf(config);
  if (!bucket) return inDatabase;
  const inBucket = openS3Files(bucket, logger);
  opened.defer(async () => inBucket.close());
  return afterFormer(inBucket, inDatabase);
}
