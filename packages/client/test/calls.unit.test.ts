import { describe, expect, expectTypeOf, it } from 'vitest';
import { createAdminClient } from '../src/admin.ts';
import { clientOf, orders } from '../src/areas.ts';
import { ApiError, ConflictError, createClient, etagOf, isProblem, type Address, type Order } from '../src/index.ts';
import { infiniteOptions, mutationOptions, queryOptions } from '../src/query.ts';
import { fakeNetwork, json, problem } from './fake-network.ts';

const over = (answer: Parameters<typeof fakeNetwork>[0]) => {
  const { fetch, sent } = fakeNetwork(answer);
  return { sent, shop: createClient({ baseUrl: 'http://api', fetch, retries: 0 }) };
};

describe('a request', () => {
  it('has its parameters in the path, its query, its headers and its body', async () => {
    const { shop, sent } = over(() => json({}));
    await shop.products.getProduct({ params: { id: 'prod 1/2' } });
    await shop.products.listProducts({
      query: { q: 'tea & co', inStock: true, limit: 5, sort: undefined, 'attr.material': ['steel', 'oak, oiled'] },
    });
    await shop.orders.cancelOrder({ params: { id: 'ord_1' }, headers: { 'order-secret': 's' }, body: {} });
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/products/prod%201%2F2',
      'GET /v1/products?q=tea+%26+co&inStock=true&limit=5&attr.material=steel%2Coak%5C%2C+oiled',
      'POST /v1/orders/ord_1/cancel',
    ]);
    expect(sent[2]).toMatchObject({ body: {} });
    expect(sent[2]?.headers.get('order-secret')).toBe('s');
    expect(sent[2]?.headers.get('content-type')).toBe('application/json');
  });

  it.each(['', '.', '..'])('is not sent with the parameter "%s", which would lead to another path', async (id) => {
    const { shop, sent } = over(() => json({}));
    await expect(shop.products.getProduct({ params: { id } })).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });

  it('has a file as its body as it is', async () => {
    const { fetch, sent } = fakeNetwork(() => json({}, { status: 201 }));
    const picture = new Uint8Array([1, 2]);
    await createAdminClient({ baseUrl: 'http://api', fetch }).products.uploadProductPicture({
      params: { id: 'prod_1' },
      query: { alt: 'A shirt' },
      body: picture,
      contentType: 'image/jpeg',
    });
    expect(sent[0]?.body).toBe(picture);
    expect(sent[0]?.headers.get('content-type')).toBe('image/jpeg');
  });
});

describe('an answer', () => {
  it('is its JSON; nothing where it has no content; of a file the response', async () => {
    const { shop } = over(({ path, method }) => {
      if (method === 'DELETE') return new Response(null, { status: 204 });
      if (path.endsWith('/pdf')) return new Response('%PDF', { headers: { 'content-type': 'application/pdf' } });
      return json({ id: 'ord_1' }, { 'x-request-id': 'r-2' });
    });
    expect(await shop.orders.getOrder({ params: { id: 'ord_1' } })).toEqual({ id: 'ord_1' });
    expect(await shop.addresses.deleteAddress({ params: { addressId: 'addr_1' } })).toBeUndefined();
    const pdf = await shop.invoices.getInvoicePdf({ params: { id: 'inv_1' } });
    expect(await pdf.text()).toBe('%PDF');
    const response = await shop.orders.getOrder.response({ params: { id: 'ord_1' } });
    expect(response.headers.get('x-request-id')).toBe('r-2');
  });

  it('is an ApiError where the API refuses, with what the problem says', async () => {
    const errors = [{ pointer: '/city', in: 'body', code: 'required', message: 'This field is required.' }];
    const { shop } = over(() => problem(422, 'out_of_stock', { errors, lines: [{ variantId: 'var_1' }] }));
    const outcome = await shop.try.orders.createOrder({ body: {} as never });
    if (outcome.ok) throw new Error('it was not refused');
    const { error } = outcome;
    expect(error).toMatchObject({
      status: 422,
      code: 'out_of_stock',
      message: 'It is out_of_stock.',
      requestId: 'r-1',
      errors,
    });
    expect(isProblem(error)).toBe(true);
    expect(isProblem(error, 'not_found', 'conflict' as never)).toBe(false);
    if (!isProblem(error, 'out_of_stock')) throw new Error('it is not that');
    expect(error.problem?.lines).toEqual([{ variantId: 'var_1' }]);
    await expect(shop.orders.createOrder({ body: {} as never })).rejects.toBeInstanceOf(ApiError);
  });
});

describe('a list', () => {
  const pages = ({ path }: { path: string }) => {
    const number = Number(new URLSearchParams(path.split('?')[1]).get('cursor') ?? 1);
    return json({ data: [number * 10, number * 10 + 1], nextCursor: number < 3 ? String(number + 1) : null });
  };

  it('is walked through item by item and page by page, and no further than one looks', async () => {
    const { shop, sent } = over(pages);
    const each: unknown[] = [];
    for await (const item of shop.orders.listOrders.each({ query: { limit: 2 } })) each.push(item);
    expect(each).toEqual([10, 11, 20, 21, 30, 31]);
    expect(sent.map(({ path }) => path)).toEqual([
      '/v1/orders?limit=2',
      '/v1/orders?limit=2&cursor=2',
      '/v1/orders?limit=2&cursor=3',
    ]);
    sent.length = 0;
    for await (const page of shop.orders.listOrders.pages()) if (page.nextCursor === '3') break;
    expect(sent).toHaveLength(2);
    sent.length = 0;
    expect(await shop.orders.listOrders.all(undefined, { max: 2 })).toEqual([10, 11]);
    expect(await shop.orders.listOrders.all({}, { max: 0 })).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});

describe('a version', () => {
  it('is remembered, and sent with a change of the resource', async () => {
    const { shop, sent } = over(() => json({ id: 'addr_1' }, { etag: '"1"' }));
    const params = { addressId: 'addr_1' };
    const address = await shop.addresses.getAddress({ params });
    expect(etagOf(address)).toBe('"1"');
    await shop.addresses.changeAddress({ params, body: { city: 'Utrecht' } }, { of: address });
    await shop.addresses.changeAddress({ params, body: { city: 'Utrecht' } }, { ifMatch: '"7"' });
    await shop.addresses.changeAddress({ params, body: { city: 'Utrecht' } });
    expect(sent.map(({ headers }) => headers.get('if-match'))).toEqual([null, '"1"', '"7"', null]);
  });

  it('that is no longer the present one is a conflict, with the present state, which can be changed in turn', async () => {
    let city = 'Amsterdam';
    let version = 1;
    const { shop, sent } = over(({ method, headers, body }) => {
      const isStale = ![null, `"${version}"`].includes(headers.get('if-match'));
      if (isStale) return problem(412, 'version_mismatch');
      if (method === 'PATCH') [city, version] = [(body as Address).city, version + 1];
      return json(
        { id: 'addr_1', city },
        { etag: `"${version}"`, ...(method === 'POST' && { location: '/v1/users/me/addresses/addr_1' }) },
      );
    });
    const params = { addressId: 'addr_1' };
    const address = await shop.addresses.addAddress({ body: {} as never });
    await shop.addresses.changeAddress({ params, body: { city: 'Utrecht' } });
    const conflict: unknown = await shop.addresses
      .changeAddress({ params, body: { city: 'Leiden' } }, { of: address })
      .catch((error: unknown) => error);
    if (!(conflict instanceof ConflictError)) throw new Error('there was no conflict');
    expect(conflict).toMatchObject({
      code: 'version_mismatch',
      status: 412,
      requestId: 'r-1',
      current: { city: 'Utrecht' },
    });
    expect(sent.slice(-2).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PATCH /v1/users/me/addresses/addr_1',
      'GET /v1/users/me/addresses/addr_1',
    ]);
    const changed = await shop.addresses.changeAddress(
      { params, body: { city: 'Leiden' } },
      { of: conflict.current as object },
    );
    expect(changed.city).toBe('Leiden');
    expect(sent.at(-1)?.headers.get('if-match')).toBe('"2"');
  });
});

describe('a client', () => {
  it('may have some areas alone, or those of the staff too', async () => {
    const { fetch, sent } = fakeNetwork(() => json({}));
    const some = clientOf({ orders }, { baseUrl: 'http://api', fetch });
    expect(Object.keys(some)).toEqual(['orders', 'try']);
    const admin = createAdminClient({ baseUrl: 'http://api', fetch });
    await admin.orders.getOrder({ params: { id: 'ord_1' } });
    await admin.orders.deliverOrder({ params: { id: 'ord_1' } });
    expect(sent.map(({ path }) => path)).toEqual(['/v1/orders/ord_1', '/v1/orders/ord_1/deliver']);
    expect('deliverOrder' in createClient({ baseUrl: '' }).orders).toBe(false);
  });

  it('gives TanStack Query what it takes', async () => {
    const { shop, sent } = over(() => json({ data: [], nextCursor: 'next' }));
    const { signal } = new AbortController();
    const one = queryOptions(shop.orders.getOrder, { params: { id: 'ord_1' } });
    expect(one.queryKey).toEqual(['orders', 'getOrder', { params: { id: 'ord_1' } }]);
    expectTypeOf(one.queryFn).returns.resolves.toEqualTypeOf<Order>();
    await one.queryFn({ signal });
    const list = infiniteOptions(shop.orders.listOrders, { query: { limit: 2 } });
    const page = await list.queryFn({ signal, pageParam: list.initialPageParam });
    expect(list.getNextPageParam(page)).toBe('next');
    await list.queryFn({ signal, pageParam: 'next' });
    await mutationOptions(shop.carts.createCart).mutationFn({ body: { lines: [] } });
    expect(sent.map(({ path }) => path)).toEqual([
      '/v1/orders/ord_1',
      '/v1/orders?limit=2',
      '/v1/orders?limit=2&cursor=next',
      '/v1/carts',
    ]);
  });
});
