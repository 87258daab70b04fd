import type { App, Cursors } from '@storefront/service-kit';
import { categoryRoutes } from './routes/categories.ts';
import { pictureRoutes } from './routes/pictures.ts';
import { productRoutes } from './routes/products.ts';
import type { Categories } from './store/categories.ts';
import type { CategoryReads } from './store/category-reads.ts';
import type { ProductReads } from './store/product-reads.ts';
import type { Products } from './store/products.ts';

/** What the routes work with. */
export interface AppParts {
  readonly categories: Categories;
  readonly categoryReads: CategoryReads;
  readonly products: Products;
  readonly productReads: ProductReads;
  readonly cursors: Cursors;
  /** Where pictures are served from, if the service serves any. */
  readonly picturesDir: string | undefined;
}

/** All routes of the service. */
export function buildApp(parts: AppParts): (app: App) => void {
  return (app) => {
    categoryRoutes(app, parts);
    productRoutes(app, parts);
    if (parts.picturesDir !== undefined) pictureRoutes(app, parts.picturesDir);
  };
}
