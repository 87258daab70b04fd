import { notFound, type catalogHttp, type catalogOperations } from '@storefront/contracts';
import { actorOf, createSingleFlight, ifMatch, newIdFor, seedOf, type Cursors, type Handlers } from '@storefront/http';
import { changeStock } from '../commands/change-stock.ts';
import { changeProduct, createProduct, deleteProduct } from '../commands/products.ts';
import { currencyErrors } from '../domain/product.ts';
import { listedStatuses, seesProduct, viewerOf } from '../domain/visibility.ts';
import type { CategoryTree } from '../store/category-tree.ts';
import type { Store } from '../store/collections.ts';
import type { ProductPage, ProductReads } from '../store/product-reads.ts';
import { createProductAnswers } from './answer-product.ts';
import { createPageWriter } from './write-products.ts';

type ProductOperation =
  | 'listProducts'
  | 'getProduct'
  | 'createProduct'
  | 'changeProduct'
  | 'deleteProduct'
  | 'changeStock';

export function productHandlers(
  parts: Store & {
    readonly tree: CategoryTree;
    readonly productReads: ProductReads;
    readonly cursors: Cursors;
    readonly now: () => Date;
    /** The currency of the shop. */
    readonly currency: string;
    /** The public address of the API. */
    readonly apiUrl: string;
  },
): Pick<Handlers<typeof catalogOperations>, ProductOperation> {
  const { products, productReads, cursors, currency, apiUrl } = parts;
  // Simultaneous requests for the same list share one read, since most visitors of a shop request the same lists.
  const pages = createSingleFlight<string>();
  const writePage = createPageWriter(apiUrl);
  const check = (body: Partial<catalogHttp.ProductCreation>) => currencyErrors(body, currency);
  const { answer, present, storedProduct } = createProductAnswers(parts);

  return {
    async listProducts(request, reply) {
      const { query } = request;
      const viewer = viewerOf(request);
      const statuses = listedStatuses(viewer, query.status);
      const viewing = { statuses, onlyVisible: viewer !== 'staff' };
      const page = await pages(JSON.stringify([viewer, query]), async () => {
        const counted: Pick<ProductPage, 'count' | 'facets'> = {};
        const found = await cursors.page(
          { list: 'products', owner: '', query },
          async (slice) => {
            const { count, facets, ...read } = await productReads.page(query, viewing, slice);
            Object.assign(counted, { count, facets });
            return read;
          },
          (product) => product,
        );
        return writePage({ ...found, ...counted }, viewer);
      });
      return reply.type('application/json; charset=utf-8').send(page);
    },

    async getProduct(request, reply) {
      const found = await products.load(request.params.id);
      if (!found || !seesProduct(found.state, viewerOf(request))) throw notFound('product');
      return answer(request, reply, found);
    },

    createProduct: {
      check,
      async handle(request, reply) {
        const id = newIdFor(request, 'prod');
        const created = await createProduct(parts, { id, input: storedProduct(request.body), actor: actorOf(request) });
        void reply.header('location', `/v1/products/${id}`);
        return answer(request, reply, created);
      },
      again: async (request, reply) => answer(request, reply, await present(newIdFor(request, 'prod'))),
    },

    changeProduct: {
      check,
      async handle(request, reply) {
        const { params, body } = request;
        const change = { id: params.id, input: storedProduct(body), actor: actorOf(request), expect: ifMatch(request) };
        return answer(request, reply, await changeProduct(parts, change));
      },
    },

    async deleteProduct(request) {
      await deleteProduct(parts, { id: request.params.id, actor: actorOf(request), expect: ifMatch(request) });
      return null;
    },

    changeStock: {
      async handle(request, reply) {
        const { change, reason = null } = request.body;
        const key = seedOf(request);
        const changed = await changeStock(parts, {
          id: request.params.id,
          change,
          reason,
          key,
          actor: actorOf(request),
          expect: ifMatch(request),
        });
        return answer(request, reply, changed);
      },
      again: async (request, reply) => answer(request, reply, await present(request.params.id)),
    },
  };
}
