import { accountHttp, idFromUuid, newId } from '@storefront/contracts';
import { callerOf, ifMatch, notFound, seedOf, sendVersioned, toPage } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { addCustomer, changeCustomer, customerKey, deleteCustomer } from '../domain/customer.ts';
import type { Customer } from '../domain/customer.ts';

const tags = ['customers'];

export function customerRoutes(app: App, { customers, customerList, cursors, now }: AppParts): void {
  app.get(
    '/v1/customers',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'List and search saved recipients',
        operationId: 'listCustomers',
        querystring: accountHttp.customerQuery,
        response: { 200: accountHttp.customerPage },
      },
    },
    async (request) => {
      const { sub } = callerOf(request);
      const { limit, cursor, q } = request.query;
      const position = cursors.read('customers', sub, cursor);
      const after = position ? { createdAt: new Date(Number(position[0])), id: String(position[1]) } : null;
      const found = await customerList.list(sub, limit + 1, after, q);
      return toPage(found, limit, customerBody, (last) =>
        cursors.write('customers', sub, [last.createdAt.getTime(), last.id]),
      );
    },
  );

  app.get(
    '/v1/customers/:id',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Read a saved recipient',
        operationId: 'getCustomer',
        params: accountHttp.customerParams,
        response: { 200: accountHttp.customer },
      },
    },
    async (request, reply) => {
      const found = await customers.load(customerKey(callerOf(request).sub, request.params.id));
      if (!found) throw notFound('customer');
      return sendVersioned(request, reply, found.version, customerBody(found.state));
    },
  );

  app.post(
    '/v1/customers',
    {
      config: { access: 'user', idempotent: true },
      schema: {
        tags,
        summary: 'Save a recipient',
        operationId: 'addCustomer',
        body: accountHttp.customerCreation,
        response: { 201: accountHttp.customer },
      },
    },
    async (request, reply) => {
      const { sub } = callerOf(request);
      const seed = seedOf(request);
      const id = seed === undefined ? newId('cust') : idFromUuid('cust', seed);
      const { result, version } = await customers.change(customerKey(sub, id), (current) =>
        addCustomer(current, sub, id, request.body, now()),
      );
      void reply.code(201).header('location', `/v1/customers/${id}`);
      return sendVersioned(request, reply, version, customerBody(result));
    },
  );

  app.patch(
    '/v1/customers/:id',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change a saved recipient',
        operationId: 'changeCustomer',
        params: accountHttp.customerParams,
        body: accountHttp.customerChange,
        response: { 200: accountHttp.customer },
      },
    },
    async (request, reply) => {
      const expect = ifMatch(request);
      const key = customerKey(callerOf(request).sub, request.params.id);
      const { result, version } = await customers.change(key, (current, currentVersion) => {
        if (current) expect(currentVersion);
        return changeCustomer(current, request.body, now());
      });
      return sendVersioned(request, reply, version, customerBody(result));
    },
  );

  app.delete(
    '/v1/customers/:id',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete a saved recipient',
        operationId: 'deleteCustomer',
        params: accountHttp.customerParams,
      },
    },
    async (request, reply) => {
      const expect = ifMatch(request);
      await customers.change(customerKey(callerOf(request).sub, request.params.id), (current, version) => {
        if (current) expect(version);
        return deleteCustomer(current);
      });
      return reply.code(204).send();
    },
  );
}

function customerBody(customer: Customer): accountHttp.CustomerBody {
  const { customerId, firstName, lastName, email, phone, address, note, orderCount } = customer;
  return {
    id: customerId,
    firstName,
    lastName,
    email,
    phone,
    address,
    note,
    orderCount,
    lastOrderedAt: customer.lastOrderedAt?.toISOString() ?? null,
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  };
}
