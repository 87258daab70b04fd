import { accountHttp, idFromUuid, newId } from '@storefront/contracts';
import { callerOf, ifMatch, seedOf, sendVersioned, toPage } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { addAddress, changeAddress, deleteAddress, findAddress, newestFirst } from '../domain/address-book.ts';
import type { Listed } from '../domain/address-book.ts';

const tags = ['addresses'];
const list = 'addresses';

export function addressRoutes(app: App, { addressBooks, cursors, now }: AppParts): void {
  app.get(
    '/v1/users/me/addresses',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'List addresses',
        operationId: 'listAddresses',
        querystring: accountHttp.addressQuery,
        response: { 200: accountHttp.addressPage },
      },
    },
    async (request) => {
      const { sub } = callerOf(request);
      const { limit, cursor } = request.query;
      const position = cursors.read(list, sub, cursor);
      const addresses = newestFirst((await addressBooks.load(sub))?.state ?? null);
      const from = position ? addresses.filter((address) => isAfter(address, position)) : addresses;
      return toPage(from.slice(0, limit + 1), limit, addressBody, (last) =>
        cursors.write(list, sub, [last.createdAt.getTime(), last.id]),
      );
    },
  );

  app.get(
    '/v1/users/me/addresses/:addressId',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Read an address',
        operationId: 'getAddress',
        params: accountHttp.addressParams,
        response: { 200: accountHttp.address },
      },
    },
    async (request, reply) => {
      const found = await addressBooks.load(callerOf(request).sub);
      const address = findAddress(found?.state ?? null, request.params.addressId);
      return sendVersioned(request, reply, address.version, addressBody(address));
    },
  );

  app.post(
    '/v1/users/me/addresses',
    {
      config: { access: 'user', idempotent: true },
      schema: {
        tags,
        summary: 'Add an address',
        description: 'The first one is the default. At most 50.',
        operationId: 'addAddress',
        body: accountHttp.addressCreation,
        response: { 201: accountHttp.address },
      },
    },
    async (request, reply) => {
      const { sub } = callerOf(request);
      const seed = seedOf(request);
      const id = seed === undefined ? newId('addr') : idFromUuid('addr', seed);
      const { result } = await addressBooks.change(sub, (book) => addAddress(book, sub, id, request.body, now()));
      void reply.code(201).header('location', `/v1/users/me/addresses/${id}`);
      return sendVersioned(request, reply, result.version, addressBody(result));
    },
  );

  app.patch(
    '/v1/users/me/addresses/:addressId',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change an address, or make it the default',
        operationId: 'changeAddress',
        params: accountHttp.addressParams,
        body: accountHttp.addressChange,
        response: { 200: accountHttp.address },
      },
    },
    async (request, reply) => {
      const expect = ifMatch(request);
      const { result } = await addressBooks.change(callerOf(request).sub, (book) =>
        changeAddress(book, request.params.addressId, request.body, { now: now(), expect }),
      );
      return sendVersioned(request, reply, result.version, addressBody(result));
    },
  );

  app.delete(
    '/v1/users/me/addresses/:addressId',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete an address',
        description: 'Where it was the default, the newest of the others is the default from then on.',
        operationId: 'deleteAddress',
        params: accountHttp.addressParams,
      },
    },
    async (request, reply) => {
      const expect = ifMatch(request);
      await addressBooks.change(callerOf(request).sub, (book) =>
        deleteAddress(book, request.params.addressId, { now: now(), expect }),
      );
      return reply.code(204).send();
    },
  );
}

function isAfter({ createdAt, id }: Listed, [time, lastId]: readonly (string | number)[]): boolean {
  const at = createdAt.getTime();
  return at < Number(time) || (at === time && id < String(lastId));
}

function addressBody(address: Listed): accountHttp.AddressBody {
  return { ...address, createdAt: address.createdAt.toISOString(), updatedAt: address.updatedAt.toISOString() };
}
