import { catalogFields, catalogHttp, notFound, type catalogOperations, type FieldError } from '@storefront/contracts';
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
import { isForeignUpload } from '../domain/pictures.ts';
import { nest } from '../domain/tree.ts';
import { seesCategory, viewerOf } from '../domain/visibility.ts';
import type { CategoryReads, ListedCategory } from '../store/category-reads.ts';
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
    /** The public address of the API. */
    readonly apiUrl: string;
  },
): Pick<Handlers<typeof catalogOperations>, CategoryOperation> {
  const { categories, categoryReads, cursors, apiUrl } = parts;
  const show = (category: ListedCategory) => showCategory(category, apiUrl);
  // Simultaneous requests for the same list share one read, since most visitors of a shop request the same lists.
  const pages = createSingleFlight<catalogHttp.CategoryPage>();

  return {
    listCategories({ asStaff, query }) {
      const { view, limit, cursor, parentId, slug } = query;
      const filter = { onlyVisible: !asStaff, parentId: parentId === 'root' ? null : parentId, slug };
      if (view === 'tree')
        return pages(JSON.stringify([view, filter]), async () => {
          const all = await categoryReads.all(filter);
          return { data: nest(all.map(show)), nextCursor: null };
        });
      return pages(JSON.stringify([view, filter, limit, cursor]), () =>
        cursors.page({ list: 'categories', owner: '', query }, (slice) => categoryReads.page(filter, slice), show),
      );
    },

    async getCategory(request, reply) {
      const found = await categories.load(request.params.id);
      if (!found || !seesCategory(found.state, viewerOf(request))) throw notFound('category');
      return sendVersioned(request, reply, found.version, show(found.state));
    },

    createCategory: {
      check,
      async handle(request, reply) {
        const id = newIdFor(request, 'cat');
        const { state, version } = await createCategory(parts, {
          id,
          input: stored(request.body),
          actor: actorOf(request),
        });
        void reply.header('location', `/v1/categories/${id}`);
        return sendVersioned(request, reply, version, show(state));
      },
      async again(request, reply) {
        const found = await categories.load(newIdFor(request, 'cat'));
        if (!found) throw notFound('category');
        return sendVersioned(request, reply, found.version, show(found.state));
      },
    },

    changeCategory: {
      check,
      async handle(request, reply) {
        const { params, body } = request;
        const change = { id: params.id, input: stored(body), actor: actorOf(request), expect: ifMatch(request) };
        const { state, version } = await changeCategory(parts, change);
        return sendVersioned(request, reply, version, show(state));
      },
    },

    deleteCategory(request) {
      const { params, query } = request;
      return deleteCategory(parts, { id: params.id, query, actor: actorOf(request), expect: ifMatch(request) });
    },
  };

  function check(body: Partial<catalogHttp.CategoryChange>): FieldError[] {
    const { image } = stored(body);
    return image && isForeignUpload(null, image) ? [catalogFields.pictureOfProduct('/image')] : [];
  }

  function stored<Input extends catalogHttp.CategoryChange>(input: Input): Input {
    return input.image ? { ...input, image: catalogHttp.storedPicture(input.image, apiUrl) } : input;
  }
}
