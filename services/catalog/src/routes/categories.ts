import { notFound, type catalogHttp, type catalogOperations } from '@storefront/contracts';
import {
  actorOf,
  createSingleFlight,
  ifMatch,
  newIdFor,
  sendVersioned,
  type Cursors,
  type Handlers,
} from '@storefront/http';
import { changeCategory, createCategory } from '../commands/categories.ts';
import { deleteCategory } from '../commands/delete-category.ts';
import { nest } from '../domain/tree.ts';
import { seesCategory } from '../domain/visibility.ts';
import type { CategoryReads } from '../store/category-reads.ts';
import type { CategoryTree } from '../store/category-tree.ts';
import type { Store } from '../store/collections.ts';
import type { ProductReads } from '../store/product-reads.ts';
import { showCategory } from './show-category.ts';

type CategoryOperation = 'listCategories' | 'getCategory' | 'createCategory' | 'changeCategory' | 'deleteCategory';

export function categoryHandlers(
  parts: Store & {
    readonly tree: CategoryTree;
    readonly categoryReads: CategoryReads;
    readonly productReads: ProductReads;
    readonly cursors: Cursors;
    readonly now: () => Date;
  },
): Pick<Handlers<typeof catalogOperations>, CategoryOperation> {
  const { categories, categoryReads, cursors } = parts;
  // Simultaneous requests for the same list share one read, since most visitors of a shop request the same lists.
  const pages = createSingleFlight<catalogHttp.CategoryPage>();

  return {
    listCategories({ caller, query }) {
      const { view, limit, cursor, parentId } = query;
      const filter = { onlyVisible: caller?.role !== 'admin', parentId: parentId === 'root' ? null : parentId };
      if (view === 'tree')
        return pages(JSON.stringify([view, filter]), async () => {
          const all = await categoryReads.all(filter);
          return { data: nest(all.map(showCategory)), nextCursor: null };
        });
      return pages(JSON.stringify([view, filter, limit, cursor]), () =>
        cursors.page(
          { list: 'categories', owner: '', query },
          (slice) => categoryReads.page(filter, slice),
          showCategory,
        ),
      );
    },

    async getCategory(request, reply) {
      const found = await categories.load(request.params.id);
      if (!found || !seesCategory(found.state, request.caller?.role)) throw notFound('category');
      return sendVersioned(request, reply, found.version, showCategory(found.state));
    },

    createCategory: {
      async handle(request, reply) {
        const id = newIdFor(request, 'cat');
        const { state, version } = await createCategory(parts, { id, input: request.body, actor: actorOf(request) });
        void reply.header('location', `/v1/categories/${id}`);
        return sendVersioned(request, reply, version, showCategory(state));
      },
      async again(request, reply) {
        const found = await categories.load(newIdFor(request, 'cat'));
        if (!found) throw notFound('category');
        return sendVersioned(request, reply, found.version, showCategory(found.state));
      },
    },

    async changeCategory(request, reply) {
      const { params, body: input } = request;
      const change = { id: params.id, input, actor: actorOf(request), expect: ifMatch(request) };
      const { state, version } = await changeCategory(parts, change);
      return sendVersioned(request, reply, version, showCategory(state));
    },

    deleteCategory(request) {
      const { params, query } = request;
      return deleteCategory(parts, { id: params.id, query, actor: actorOf(request), expect: ifMatch(request) });
    },
  };
}
