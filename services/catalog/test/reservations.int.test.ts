import { newId, ordersEvents, type catalogHttp } from '@storefront/contracts';
import { eventually, newEvent } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalog, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

interface Line {
  readonly product: catalogHttp.ProductBody;
  readonly variant?: number;
  readonly quantity: number;
}

function requested(orderId: string, lines: readonly Line[]) {
  return newEvent(ordersEvents.orderRequested, orderId, {
    tier: 'retail',
    currency: 'EUR',
    lines: lines.map(({ product, variant = 0, quantity }, index) => {
      return {
        lineId: `line-${index}`,
        productId: product.id,
        variantId: product.variants[variant]?.id ?? '',
        quantity,
      };
    }),
  });
}

const cancelled = (orderId: string) =>
  newEvent(
    ordersEvents.orderCancelled,
    orderId,
    { userId: null, from: 'pending', reason: 'unpaid', segment: 'guest', currency: 'EUR', sold: null },
    2,
  );

const answersTo = (orderId: string) =>
  catalog.eventsOf(orderId).filter(({ type }) => type !== 'catalog.free-stock-changed');
const answered = (orderId: string, count = 1) =>
  eventually(() => {
    const answers = answersTo(orderId);
    return answers.length >= count ? answers : null;
  }, `${count} answers about ${orderId}`);
const read = async (who: 'anonymous' | 'admin', { id }: { id: string }): Promise<catalogHttp.ProductBody> =>
  (await catalog.call(who, 'GET', `/v1/products/${id}`)).body;
const stockEventsOf = ({ id }: { id: string }) =>
  catalog.eventsOf(id, 'catalog.stock-changed').map(({ data }) => [data.reason, data.change, data.stock]);

/** What the orders' own events say of the products: the version of each, and how many pieces are free. */
const freeStockOf = (orderId: string, ...ids: readonly string[]) =>
  catalog
    .eventsOf(orderId, 'catalog.free-stock-changed')
    .map(({ data }) =>
      ids
        .map((id) => data.products.find((each: { id: string }) => each.id === id))
        .map((each) => each && [each.sequence, each.stock]),
    );

const sized = () =>
  catalog.product({
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [
      { sku: newId('var'), values: ['S'], stock: 2 },
      { sku: newId('var'), values: ['M'], stock: 5 },
    ],
  });

describe('the stock for an order', () => {
  it('is reserved once, answered again as before, and given back once', async () => {
    const [orderId, mug, shirt] = [newId('ord'), await catalog.product({ stock: 5 }), await sized()];
    const request = requested(orderId, [
      { product: mug, quantity: 2 },
      { product: shirt, variant: 1, quantity: 5 },
    ]);
    await catalog.publish(request, requested(orderId, [{ product: mug, quantity: 2 }]), request);
    const [first, second, third] = await answered(orderId, 3);
    expect(first).toMatchObject({
      type: 'catalog.stock-reserved',
      data: {
        currency: 'EUR',
        lines: [
          { lineId: 'line-0', productId: mug.id, quantity: 2, sku: mug.sku, unitPrice: 1000, backOrdered: 0 },
          { lineId: 'line-1', productId: shirt.id, quantity: 5, values: ['M'] },
        ],
      },
    });
    expect([second?.data, third?.data]).toEqual([first?.data, first?.data]);
    expect(new Set([first?.id, second?.id, third?.id]).size).toBe(3);
    expect(await read('anonymous', mug)).toMatchObject({ stock: 3, variants: [{ stock: 3 }] });
    expect(await read('admin', mug)).toMatchObject({ stock: 5, reserved: 2, variants: [{ stock: 5, reserved: 2 }] });
    expect(await read('anonymous', shirt)).toMatchObject({ stock: 2, variants: [{ stock: 2 }, { stock: 0 }] });

    await catalog.publish(cancelled(orderId), cancelled(orderId));
    await catalog.idle();
    // Each type comes by a queue of its own: together they could arrive the other way round.
    await catalog.publish(request);
    await catalog.idle();
    expect(answersTo(orderId)).toHaveLength(3);
    expect(await read('admin', mug)).toMatchObject({ stock: 5, reserved: 0 });
    expect(await read('admin', shirt)).toMatchObject({ stock: 7, reserved: 0 });
    // The shirt in M was sold out, which all who keep copies of products need to know.
    await eventually(() => stockEventsOf(shirt).length >= 2, 'the events about the shirt');
    expect(stockEventsOf(shirt)).toEqual([
      ['order-reserved', -5, 2],
      ['order-cancelled', 5, 7],
    ]);
    await eventually(() => freeStockOf(orderId).length >= 2, 'the events about the mug');
    expect(freeStockOf(orderId, mug.id, shirt.id)).toEqual([
      [[2, 3], undefined],
      [[3, 5], undefined],
    ]);
    expect(stockEventsOf(mug)).toEqual([]);
    expect(await catalog.collection('reservations').findOne({ _id: orderId })).toMatchObject({
      state: 'ended',
      lines: [],
      endedAt: expect.any(Date),
    });
  });

  it('is counted no longer once it is shipped, whatever comes twice', async () => {
    const [orderId, mug] = [newId('ord'), await catalog.product({ stock: 5 })];
    const request = requested(orderId, [{ product: mug, quantity: 3 }]);
    const ship = (quantity: number) =>
      newEvent(ordersEvents.orderShipped, orderId, {
        shipmentId: newId('shpm'),
        userId: null,
        segment: 'guest',
        lines: [{ lineId: 'line-0', productId: mug.id, variantId: mug.variants[0]?.id ?? '', quantity }],
      });
    await catalog.publish(request);
    await answered(orderId);
    const [first, second] = [ship(1), ship(2)];
    await catalog.publish(second, second);
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 3, reserved: 1 });
    await catalog.publish(first, first, second);
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 2, reserved: 0 });
    expect(await read('anonymous', mug)).toMatchObject({ stock: 2 });
    await eventually(() => stockEventsOf(mug).length >= 2, 'the events of the stock');
    // Other services need to know how many were counted, to see when more are.
    expect(
      catalog.eventsOf(mug.id, 'catalog.stock-changed').map(({ data }) => [data.reason, data.change, data.counted]),
    ).toEqual([
      ['order-shipped', 0, 3],
      ['order-shipped', 0, 2],
    ]);
    await catalog.publish(cancelled(orderId));
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 2, reserved: 0 });
  });

  it('is counted again when it comes back, once for each return: before its parcel is known to have left, and a year later', async () => {
    const [orderId, mug] = [newId('ord'), await catalog.product({ stock: 2 })];
    const variantId = mug.variants[0]?.id ?? '';
    const lines = (quantity: number) => [{ lineId: 'line-0', productId: mug.id, variantId, quantity }];
    const returned = (quantity: number, restocked = true) =>
      newEvent(ordersEvents.orderReturned, orderId, {
        returnId: newId('ret'),
        lines: lines(quantity),
        restocked,
        userId: null,
        segment: 'guest',
        currency: 'EUR',
      });
    await catalog.publish(requested(orderId, [{ product: mug, quantity: 2 }]));
    await answered(orderId);
    const first = returned(1);
    await catalog.publish(first, first, returned(1, false));
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 3, reserved: 2 });
    const parcel = { shipmentId: newId('shpm'), userId: null, segment: 'guest' as const, lines: lines(2) };
    await catalog.publish(newEvent(ordersEvents.orderShipped, orderId, parcel));
    await catalog.idle();
    await catalog.publish(first);
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 1, reserved: 0 });

    const records = catalog.collection('reservations');
    const recordedFor = async () => Date.now() - (await records.findOne({ _id: orderId }))?.['endedAt'].getTime();
    const longAgo = new Date(Date.now() - 80 * 24 * 60 * 60 * 1000);
    await records.updateOne({ _id: orderId }, { $set: { endedAt: longAgo } });
    await catalog.publish(returned(1));
    await catalog.idle();
    expect(await recordedFor()).toBeLessThan(60 * 60 * 1000);
    await records.deleteOne({ _id: orderId });
    const last = returned(1);
    await catalog.publish(last, last);
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 3, reserved: 0 });
    expect(await recordedFor()).toBeLessThan(60 * 60 * 1000);
    await eventually(() => stockEventsOf(mug).length >= 5, 'the events of the stock');
    expect(stockEventsOf(mug)).toEqual([
      ['order-reserved', -2, 0],
      ['order-returned', 1, 1],
      ['order-shipped', 0, 1],
      ['order-returned', 1, 2],
      ['order-returned', 1, 3],
    ]);
  });

  it('is not reserved where the cancellation has overtaken the request', async () => {
    const [orderId, mug] = [newId('ord'), await catalog.product({ stock: 5 })];
    await catalog.publish(cancelled(orderId));
    await catalog.idle();
    await catalog.publish(requested(orderId, [{ product: mug, quantity: 2 }]));
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 5, reserved: 0 });
    expect(answersTo(orderId)).toEqual([]);
  });

  it('is refused as a whole, with each line that can not be sold', async () => {
    const [orderId, mug, few] = [
      newId('ord'),
      await catalog.product({ stock: 5 }),
      await catalog.product({ stock: 1 }),
    ];
    const lines = [
      { product: mug, quantity: 2 },
      { product: few, quantity: 2 },
      { product: { ...mug, id: newId('prod') }, quantity: 1 },
    ];
    await catalog.publish(requested(orderId, lines), requested(orderId, lines));
    const answers = await answered(orderId, 2);
    for (const { type, data } of answers)
      expect([type, data]).toEqual([
        'catalog.stock-refused',
        {
          lines: [
            { lineId: 'line-1', reason: 'not_enough_stock', available: 1 },
            { lineId: 'line-2', reason: 'unavailable', available: 0 },
          ],
        },
      ]);
    expect(await read('admin', mug)).toMatchObject({ stock: 5, reserved: 0 });
  });
});

describe('what is reserved', () => {
  it('is not in stock for lists, is kept by a count, and can not be taken or deleted', async () => {
    const [orderId, shirt] = [newId('ord'), await sized()];
    const path = `/v1/products/${shirt.id}`;
    const [small, medium] = shirt.variants.map(({ id }) => `${path}/variants/${id}`);
    await catalog.publish(
      requested(orderId, [
        { product: shirt, quantity: 2 },
        { product: shirt, variant: 1, quantity: 4 },
      ]),
    );
    await answered(orderId);
    const inStock = async (value: boolean) =>
      (await catalog.call('anonymous', 'GET', `/v1/products?ids=${shirt.id}&inStock=${value}`)).body.data.length;
    expect([await inStock(true), await inStock(false)]).toEqual([1, 0]);

    const takeTwo = () => catalog.call('admin', 'POST', `${medium}/stock`, { change: -2 });
    const answers = [
      await takeTwo(),
      await catalog.call('admin', 'DELETE', `${small}`),
      await catalog.call('admin', 'DELETE', path),
      await catalog.call('admin', 'PATCH', `${medium}`, { stock: 4 }),
    ];
    expect(answers.map(({ status, body }) => [status, body?.code])).toEqual([
      [422, 'insufficient_stock'],
      [409, 'stock_reserved'],
      [409, 'stock_reserved'],
      [200, undefined],
    ]);
    expect(answers[3]?.body.variants[1]).toMatchObject({ stock: 4, reserved: 4 });
    expect([await inStock(true), await inStock(false)]).toEqual([0, 1]);

    await catalog.publish(cancelled(orderId));
    await catalog.idle();
    expect([await inStock(true), await inStock(false)]).toEqual([1, 0]);
    expect((await takeTwo()).body.variants[1]).toMatchObject({ stock: 2, reserved: 0 });
    expect((await catalog.call('admin', 'DELETE', path)).status).toBe(204);
  });

  it('is shown to operators after a day', async () => {
    const before = await overADay();
    const [orderId, mug] = [newId('ord'), await catalog.product({ stock: 1 })];
    await catalog.publish(requested(orderId, [{ product: mug, quantity: 1 }]));
    await answered(orderId);
    expect(await overADay()).toBe(before);
    const requestedAt = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await catalog.collection('reservations').updateOne({ _id: orderId }, { $set: { requestedAt } });
    expect(await overADay()).toBe(before + 1);
  });
});

describe('1,000 orders of the last 100 pieces, at two instances', () => {
  it('reserve exactly 100, and give back as many, although events come twice', async () => {
    await catalog.another();
    const mug = await catalog.product({ stock: 100 });
    const ids = Array.from({ length: 1000 }, () => newId('ord'));
    const requests = ids.map((id) => requested(id, [{ product: mug, quantity: 1 }]));
    await catalog.publish(...requests.slice(0, 200).flatMap((each) => [each, each]), ...requests.slice(200));
    await eventually(() => ids.flatMap(answersTo).length >= 1200, 'an answer to each request');
    const typesOf = (id: string) => [...new Set(answersTo(id).map(({ type }) => type))].join();
    const reserved = ids.filter((id) => typesOf(id) === 'catalog.stock-reserved');
    expect(reserved).toHaveLength(100);
    expect(ids.filter((id) => typesOf(id) === 'catalog.stock-refused')).toHaveLength(900);
    expect(await read('admin', mug)).toMatchObject({ stock: 100, reserved: 100 });

    const ends = reserved.map(cancelled);
    await catalog.publish(...ends.flatMap((each) => [each, each]));
    await catalog.idle();
    expect(await read('admin', mug)).toMatchObject({ stock: 100, reserved: 0 });
  });
});

async function overADay(): Promise<number> {
  const text = await (await fetch(`${catalog.url()}/metrics`)).text();
  return Number(/^reservations_over_a_day\S* (\d+)/m.exec(text)?.[1]);
}
