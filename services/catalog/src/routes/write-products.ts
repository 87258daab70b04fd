import { setImmediate as nextTurn } from 'node:timers/promises';
import { catalogHttp } from '@storefront/contracts';
import { writerOf } from '@storefront/http';
import type { Viewer } from '../domain/visibility.ts';
import type { ListedProduct } from '../store/listed-products.ts';
import { showProduct } from './show-product.ts';

interface ShownPage extends Omit<catalogHttp.ProductPage, 'data'> {
  readonly data: readonly ListedProduct[];
}

// A variant takes some 5 µs, so other requests wait for some milliseconds at most.
const variantsAtOnce = 1000;

/**
 * Creates a function that writes a page as its viewer may see it. An object that was written before for such a viewer is
 * not written again. `apiUrl` is the public address of the API.
 */
export function createPageWriter(apiUrl: string): (page: ShownPage, viewer: Viewer) => Promise<string> {
  const writeProduct = writerOf(catalogHttp.product);
  const writePage = writerOf(catalogHttp.productPage);
  const beforeProducts = '{"data":[';
  const written: Record<Viewer, WeakMap<ListedProduct, string>> = {
    staff: new WeakMap(),
    trade: new WeakMap(),
    public: new WeakMap(),
  };

  return async ({ data, ...page }, viewer) => {
    const texts: string[] = [];
    let variants = 0;
    for (const product of data) {
      let text = written[viewer].get(product);
      if (text === undefined) {
        text = writeProduct(showProduct(product, viewer, apiUrl));
        written[viewer].set(product, text);
        variants += product.variants.length;
        if (variants > variantsAtOnce) {
          variants = 0;
          await nextTurn();
        }
      }
      texts.push(text);
    }
    return `${beforeProducts}${texts.join(',')}${writePage({ data: [], ...page }).slice(beforeProducts.length)}`;
  };
}
