import { catalogHttp, idFromUuid, newId } from '@storefront/contracts';
import { createSharedReads, ifMatch, notFound, seedOf, sendVersioned, toPage } from '@storefront/service-kit';
import type { App, Cursors } from '@storefront/service-kit';
import type { FastifyRequest } from 'fastify';
import { showCategory } from '../domain/category.ts';
import { nest } from '../domain/tree.ts';
import type { Categories } from '../store/categories.ts';
import type { CategoryReads, ReadCategory } from '../store/category-reads.ts';

const tags = ['categories'];

export function categoryRoutes(
  app: App,
  {
    categories,
    categoryReads: reads,
    cursors,
  }: { categories: Categories; categoryReads: CategoryReads; cursors: Cursors },
): void {
  // The categories of a shop are what everybody asks for.
  const pages = createSharedReads<catalogHttp.CategoryPage>();

  app.get(
    '/v1/categories',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'List categories, by position and then name',
        description: 'Inactive ones, and what is below them, are for administrators only.',
        operationId: 'listCategories',
        querystring: catalogHttp.categoryQuery,
        response: { 200: catalogHttp.categoryPage },
      },
    },
    (request) => {
      const { view, limit, cursor, parentId } = request.query;
      const wanted = { onlyVisible: !isAdmin(request), parentId: parentId === 'root' ? null : parentId };
      const list = `categories ${parentId ?? ''}`;
      const place = view === 'tree' ? undefined : cursors.read(list, '', cursor);
      return pages(JSON.stringify([wanted, view, limit, place]), async () => {
        if (view === 'tree') return { data: nest((await reads.list(wanted)).map(showCategory)), nextCursor: null };
        const found = await reads.list({ ...wanted, limit }, place);
        return toPage(found, limit, showCategory, ({ position, nameKey, id }) =>
          cursors.write(list, '', [position, nameKey, id]),
        );
      });
    },
  );

  app.get(
    '/v1/categories/:id',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Read a category',
        operationId: 'getCategory',
        params: catalogHttp.categoryParams,
        response: { 200: catalogHttp.categoryBody },
      },
    },
    async (request, reply) => {
      const category = await reads.find(request.params.id);
      if (!category || !mayBeSeen(category, request)) throw notFound('category');
      return sendVersioned(request, reply, category.version, showCategory(category));
    },
  );

  app.post(
    '/v1/categories',
    {
      config: { access: 'admin', idempotent: true },
      schema: {
        tags,
        summary: 'Create a category',
        operationId: 'createCategory',
        body: catalogHttp.categoryCreation,
        response: { 201: catalogHttp.categoryBody },
      },
    },
    async (request, reply) => {
      const seed = seedOf(request);
      const id = seed === undefined ? newId('cat') : idFromUuid('cat', seed);
      const { category, version } = await categories.create(id, request.body);
      void reply.code(201).header('location', `/v1/categories/${category.id}`);
      return sendVersioned(request, reply, version, showCategory(category));
    },
  );

  app.patch(
    '/v1/categories/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Change or move a category',
        description: 'What is below it moves along. A slug stays as it is when the name changes.',
        operationId: 'changeCategory',
        params: catalogHttp.categoryParams,
        body: catalogHttp.categoryChange,
        response: { 200: catalogHttp.categoryBody },
      },
    },
    async (request, reply) => {
      const { category, version } = await categories.change(request.params.id, request.body, ifMatch(request));
      return sendVersioned(request, reply, version, showCategory(category));
    },
  );

  app.delete(
    '/v1/categories/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a category',
        description:
          'One with sub-categories or products is refused, unless a strategy says what becomes of them. Products are never deleted. With `dryRun=true` nothing changes: the answer, or the refusal, is what a deletion would come to.',
        operationId: 'deleteCategory',
        params: catalogHttp.categoryParams,
        querystring: catalogHttp.categoryDeletionQuery,
        response: { 200: catalogHttp.categoryDeleted },
      },
    },
    (request) => categories.remove(request.params.id, request.query, ifMatch(request)),
  );
}

function isAdmin(request: FastifyRequest): boolean {
  return request.caller?.role === 'admin';
}

function mayBeSeen(category: ReadCategory, request: FastifyRequest): boolean {
  return category.visible || isAdmin(request);
}
