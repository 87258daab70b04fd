import { catalogHttp, idFromUuid, newId } from '@storefront/contracts';
import { createSharedReads, ifMatch, notFound, Problem, seedOf, sendVersioned, toPage } from '@storefront/service-kit';
import type { App, Cursors } from '@storefront/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isVisible, showProduct } from '../domain/pricing.ts';
import type { ProductReads, ReadProduct } from '../store/product-reads.ts';
import type { Products } from '../store/products.ts';

const tags = ['products'];

export function productRoutes(
  app: App,
  { products, productReads: reads, cursors }: { products: Products; productReads: ProductReads; cursors: Cursors },
): void {
  // The first page of a shop is what everybody asks for.
  const pages = createSharedReads<catalogHttp.ProductPage>();

  app.get(
    '/v1/products',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'List and search products',
        description: 'Trade prices are for trade accounts and administrators.',
        operationId: 'listProducts',
        querystring: catalogHttp.productQuery,
        response: { 200: catalogHttp.productPage },
      },
    },
    async (request, reply) => {
      const { cursor, status, ...query } = request.query;
      const role = request.caller?.role;
      const statuses = statusesFor(request, status);
      const list = `products ${query.sort}`;
      const position = cursors.read(list, '', cursor);
      variesByCaller(reply);
      return pages(JSON.stringify([role, statuses, query, position]), async () =>
        toPage(
          await reads.list(query, statuses, position && fromCursor(query.sort, position)),
          query.limit,
          (product) => showProduct(product, role),
          (last) => cursors.write(list, '', toCursor(query.sort, last)),
        ),
      );
    },
  );

  app.get(
    '/v1/products/:id',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Read a product',
        operationId: 'getProduct',
        params: catalogHttp.productParams,
        response: { 200: catalogHttp.product },
      },
    },
    async (request, reply) => {
      const product = await reads.find(request.params.id);
      const role = request.caller?.role;
      if (!product || !isVisible(product, role)) throw notFound('product');
      variesByCaller(reply);
      return sendVersioned(request, reply, product.version, showProduct(product, role));
    },
  );

  app.post(
    '/v1/products',
    {
      config: { access: 'admin', idempotent: true },
      schema: {
        tags,
        summary: 'Create a product',
        operationId: 'createProduct',
        body: catalogHttp.productCreation,
        response: { 201: catalogHttp.product },
      },
    },
    async (request, reply) => {
      const seed = seedOf(request);
      const id = seed === undefined ? newId('prod') : idFromUuid('prod', seed);
      const { product, version } = await products.create(id, request.body);
      void reply.code(201).header('location', `/v1/products/${product.id}`);
      return sendVersioned(request, reply, version, showProduct(product, request.caller?.role));
    },
  );

  app.patch(
    '/v1/products/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Change a product',
        description: 'A slug stays as it is when the name changes.',
        operationId: 'changeProduct',
        params: catalogHttp.productParams,
        body: catalogHttp.productChange,
        response: { 200: catalogHttp.product },
      },
    },
    async (request, reply) => {
      const { product, version } = await products.change(request.params.id, request.body, ifMatch(request));
      return sendVersioned(request, reply, version, showProduct(product, request.caller?.role));
    },
  );

  app.delete(
    '/v1/products/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a product',
        description:
          'For good: a product that is only no longer sold is better archived. Its SKU and slug are free again.',
        operationId: 'deleteProduct',
        params: catalogHttp.productParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await products.remove(request.params.id, ifMatch(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/v1/products/:id/stock',
    {
      config: { access: 'admin', idempotent: true },
      schema: {
        tags,
        summary: 'Put stock in or take it out',
        description: 'Many at once lose nothing, and never take more than there is.',
        operationId: 'changeStock',
        params: catalogHttp.productParams,
        body: catalogHttp.stockChange,
        response: { 200: catalogHttp.product },
      },
    },
    async (request, reply) => {
      const { change, reason = null } = request.body;
      const { product, version } = await products.moveStock(
        request.params.id,
        { change, reason, key: seedOf(request) },
        ifMatch(request),
      );
      return sendVersioned(request, reply, version, showProduct(product, request.caller?.role));
    },
  );
}

function statusesFor(
  request: FastifyRequest,
  status: catalogHttp.ProductStatus | undefined,
): catalogHttp.ProductStatus[] {
  if (request.caller?.role === 'admin') return status ? [status] : [...catalogHttp.productStatus.options];
  if (status === undefined || status === 'active') return ['active'];
  throw new Problem(403, 'admin_required', 'Only an administrator sees products that are not active.');
}

// The same address has another answer for who may see trade prices: a cache must not mix them up.
function variesByCaller(reply: FastifyReply): void {
  void reply.header('vary', 'Authorization');
}

function toCursor(sort: catalogHttp.ProductSort, last: ReadProduct): (string | number)[] {
  if (sort === 'newest') return [last.createdAt.getTime(), last.id];
  return [sort === 'name' ? last.nameKey : last.price.amount, last.id];
}

function fromCursor(sort: catalogHttp.ProductSort, [value, id]: readonly (string | number)[]): unknown[] {
  return [sort === 'newest' ? new Date(Number(value)) : value, id];
}
