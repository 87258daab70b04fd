import { catalogHttp, newId, type catalogEvents, type ordersEvents, ownVariantId } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newProduct, type Product } from './product.ts';
import { decideSteps, freeStockFacts, type Known, type OrderStep, type Reservation } from './reservations.ts';
import { variantsOf } from './variants.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const now = new Date('2026-11-26T09:30:00.000Z');
const later = new Date('2026-11-26T10:00:00.000Z');

const created = (sku: string, fields: object = {}): Product =>
  newProduct(
    catalogHttp.productCreation.parse({
      sku,
      name: 'Mug',
      price: eur(1000),
      images: [{ url: 'https://img.example/1.png', alt: '' }],
      ...fields,
    }),
    { id: newId('prod'), slug: sku.toLowerCase(), now },
  );

const sizes = ['S', 'M'];
const mug = created('MUG', { stock: 3 });
const shirt = created('SHIRT', {
  tradePrice: eur(800),
  quantityPrices: [{ from: 5, price: eur(700) }],
  weight: 200,
  taxClass: 'reduced',
  options: [{ name: 'Size', values: sizes }],
  variants: [
    { sku: 'SHIRT-S', values: ['S'], stock: 4 },
    { sku: 'SHIRT-M', values: ['M'], stock: 9, price: eur(1200), weight: 300, image: 'https://img.example/m.png' },
  ],
});

const variantIdOf = (product: Product, sku: string) => variantsOf(product).find((each) => each.sku === sku)?.id ?? '';
const pieces = [
  { productId: mug.id, variantId: ownVariantId(mug.id) },
  { productId: shirt.id, variantId: variantIdOf(shirt, 'SHIRT-S') },
  { productId: shirt.id, variantId: variantIdOf(shirt, 'SHIRT-M') },
] as const;

const known = (...products: readonly Product[]): Known => ({
  reservations: new Map(),
  products: new Map(products.map((product) => [product.id, product])),
});

/** What is stored once the steps are. */
function after(steps: readonly OrderStep[], before: Known, at = now): Known {
  const changes = decideSteps(steps, before, at);
  return {
    reservations: new Map([
      ...before.reservations,
      ...[...changes.reservations].map(([id, { state }]): [string, Reservation] => [id, state]),
    ]),
    products: new Map([...before.products, ...changes.products]),
  };
}

type Line = Omit<ordersEvents.OrderRequested['lines'][number], 'lineId'>;

const request = (
  orderId: string,
  lines: readonly Line[],
  { tier = 'retail', currency = 'EUR' }: Partial<Omit<ordersEvents.OrderRequested, 'lines'>> = {},
): OrderStep => ({
  kind: 'request',
  orderId,
  request: { tier, currency, lines: lines.map((line, index) => ({ lineId: `line-${index}`, ...line })) },
});
const cancel = (orderId: string): OrderStep => ({ kind: 'cancel', orderId });
const reduce = (orderId: string, changeId: string, lines: readonly Line[]): OrderStep => ({
  kind: 'reduce',
  orderId,
  reduction: {
    changeId,
    lines: lines.map((line, index) => ({ lineId: `line-${index}`, ...line })),
    currency: 'EUR',
    keep: 0,
    charged: { quantities: [], shipping: true },
  },
});
const ship = (orderId: string, shipmentId: string, lines: readonly Line[]): OrderStep => ({
  kind: 'ship',
  orderId,
  shipment: { shipmentId, lines: lines.map((line, index) => ({ lineId: `line-${index}`, ...line })) },
});
const answersOf = (steps: readonly OrderStep[], before: Known) =>
  [...decideSteps(steps, before, now).reservations.values()].flatMap(({ answers }) => answers);
function linesReserved(step: OrderStep, before: Known): catalogEvents.StockReserved['lines'] {
  const [answer] = answersOf([step], before);
  if (answer?.type !== 'catalog.stock-reserved') throw new Error(`answered ${JSON.stringify(answer)}`);
  return (answer.data as catalogEvents.StockReserved).lines;
}
const numbersOf = ({ products }: Known) =>
  [...products.values()].flatMap((product) => variantsOf(product).map(({ stock, reserved }) => ({ stock, reserved })));

const [small, medium] = [pieces[1], pieces[2]];

describe('what an order has reserved', () => {
  it('is what all steps come to, in whatever order and however often they come', () => {
    const lines = fc
      .array(fc.record({ piece: fc.constantFrom(...pieces), quantity: fc.integer({ min: 1, max: 4 }) }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((some) => some.map(({ piece, quantity }) => ({ ...piece, quantity })));
    const histories = fc.array(lines, { minLength: 1, maxLength: 6 }).chain((orders) => {
      const steps = orders.flatMap((of, index) => [request(`ord_${index}`, of), cancel(`ord_${index}`)]);
      return fc.array(fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 5 }), { maxLength: 8 });
    });
    fc.assert(
      fc.property(histories, (batches) => {
        let state = known(mug, shirt);
        const model = createModel();
        for (const batch of batches) {
          const changes = decideSteps(batch, state, now);
          const answers = [...changes.reservations.values()].flatMap((each) => each.answers);
          state = after(batch, state);
          const expected = batch.flatMap((step) => model.perform(step));
          expect(answers.map(({ subject, type }) => `${subject} ${type}`).toSorted()).toEqual(expected.toSorted());
          for (const { variantId, reserved, stock } of reservedOf(state)) {
            expect(reserved).toBe(openPieces(state, variantId));
            expect(reserved).toBeLessThanOrEqual(stock);
          }
        }
      }),
    );
  });

  it('is reserved and answered once more by the same answer, and given back once', () => {
    const order = request('ord_1', [{ ...small, quantity: 2 }]);
    const reserved = after([order], known(mug, shirt));
    const [first] = answersOf([order], known(mug, shirt));
    expect(answersOf([order, order], reserved)).toEqual([first, first]);
    expect(after([order], reserved)).toEqual(reserved);
    const ended = after([cancel('ord_1')], reserved, later);
    expect(numbersOf(ended)).toEqual(numbersOf(known(mug, shirt)));
    expect(ended.reservations.get('ord_1')).toMatchObject({ state: 'ended', lines: [], endedAt: later });
    expect(decideSteps([cancel('ord_1'), order], ended, later).reservations.size).toBe(0);
  });

  it('is nothing where the cancellation came first', () => {
    const ended = after([cancel('ord_1')], known(mug));
    expect(ended.reservations.get('ord_1')).toMatchObject({ state: 'ended', answer: null, endedAt: now });
    expect(answersOf([request('ord_1', [{ ...pieces[0], quantity: 1 }])], ended)).toEqual([]);
  });

  it('is given back to what is left of the products', () => {
    const plain = created('CUP', { stock: 2 });
    const lines = [
      { productId: plain.id, variantId: ownVariantId(plain.id), quantity: 1 },
      { ...small, quantity: 1 },
      { ...medium, quantity: 2 },
    ];
    const reserved = after([request('ord_1', lines)], known(plain, shirt));
    const left = reserved.products.get(shirt.id);
    if (!left) throw new Error('the shirt is gone');
    const variants = left.variants.filter(({ id }) => id === medium.variantId);
    const ended = after([cancel('ord_1')], { ...reserved, products: new Map([[shirt.id, { ...left, variants }]]) });
    expect([...ended.products.keys()]).toEqual([shirt.id]);
    expect(numbersOf(ended)).toEqual([{ stock: 9, reserved: 0 }]);
  });
});

describe('the events about reserved pieces', () => {
  it('are one for each order, with the products that it was the last to change and that can be bought as before', () => {
    const cup = created('CUP', { stock: 1 });
    const all = [mug, shirt, cup];
    const before = all.map((state, index) => ({ state, version: index + 5 }));
    const own = { productId: cup.id, variantId: ownVariantId(cup.id), quantity: 1 };
    const steps = [
      request('ord_1', [{ ...pieces[0], quantity: 1 }, { ...small, quantity: 1 }, own]),
      request('ord_2', [{ ...small, quantity: 2 }]),
      request('ord_3', [own]),
    ];
    const { ofOrders, productIds } = freeStockFacts(decideSteps(steps, known(...all), now), before);
    // The cup is sold out: it has an event of its own.
    expect([...productIds].toSorted()).toEqual([mug.id, shirt.id].toSorted());
    expect([...ofOrders.values()]).toMatchObject([
      {
        type: 'catalog.free-stock-changed',
        subject: 'ord_1',
        data: { products: [{ id: mug.id, sequence: 6, stock: 2 }] },
      },
      {
        subject: 'ord_2',
        data: { products: [{ id: shirt.id, sequence: 7, stock: 10, variants: [{ stock: 1 }, { stock: 9 }] }] },
      },
    ]);
  });
});

describe('what is shipped of an order', () => {
  const lines = [
    { ...small, quantity: 2 },
    { ...medium, quantity: 3 },
  ];
  const shipments: readonly [OrderStep, OrderStep, OrderStep] = [
    ship('ord_1', 'shpm_1', [{ ...small, quantity: 2 }]),
    ship('ord_1', 'shpm_2', [{ ...medium, quantity: 1 }]),
    ship('ord_1', 'shpm_3', [{ ...medium, quantity: 2 }]),
  ];

  it('is counted and reserved no longer, once for each shipment, in whatever order they come', () => {
    const reserved = after([request('ord_1', lines)], known(shirt));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...shipments), { maxLength: 8 }), (steps) => {
        let state = reserved;
        for (const step of steps) state = after([step], state);
        const came = new Set(steps);
        const [ofSmall, ofMedium] = numbersOf(state);
        const mediumShipped = (came.has(shipments[1]) ? 1 : 0) + (came.has(shipments[2]) ? 2 : 0);
        expect(ofSmall).toEqual(came.has(shipments[0]) ? { stock: 2, reserved: 0 } : { stock: 4, reserved: 2 });
        expect(ofMedium).toEqual({ stock: 9 - mediumShipped, reserved: 3 - mediumShipped });
        for (const { variantId } of [small, medium])
          expect(openPieces(state, variantId)).toBe(
            reservedOf(state).find((each) => each.variantId === variantId)?.reserved,
          );
        expect(state.reservations.get('ord_1')?.state).toBe(came.size === 3 ? 'ended' : 'reserved');
      }),
    );
    expect(numbersOf(after(shipments, reserved))).toEqual(
      numbersOf(shipments.reduce((at, step) => after([step], at), reserved)),
    );
  });

  it('adds up with what is cancelled of it, whichever comes first and however often', () => {
    const reserved = after([request('ord_1', [{ ...medium, quantity: 5 }])], known(shirt));
    const parts = [
      ship('ord_1', 'shpm_1', [{ ...medium, quantity: 2 }]),
      reduce('ord_1', 'och_1', [{ ...medium, quantity: 1 }]),
      reduce('ord_1', 'och_2', [{ ...medium, quantity: 2 }]),
      reduce('ord_1', 'och_3', []),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...parts, ...parts], { minLength: 8 }), (steps) => {
        const state = steps.reduce((before, step) => after([step], before), reserved);
        expect(numbersOf(state)[1]).toEqual({ stock: 7, reserved: 0 });
        expect(state.reservations.get('ord_1')).toMatchObject({ state: 'ended', lines: [] });
      }),
    );
    const left = after([cancel('ord_1')], after(parts.slice(1, 2), reserved));
    expect(numbersOf(after(parts, left))[1]).toEqual({ stock: 9, reserved: 0 });
  });

  it('is nothing of an order that has nothing reserved', () => {
    const ended = after([cancel('ord_1')], known(shirt));
    expect(decideSteps(shipments, ended, now).products.size).toBe(0);
    expect(decideSteps(shipments, known(shirt), now).products.size).toBe(0);
  });

  it('may be more than was counted: then nothing is left', () => {
    const plain = created('CUP', { stock: 1, backOrders: { allowed: true } });
    const line = { productId: plain.id, variantId: ownVariantId(plain.id), quantity: 3 };
    const reserved = after([request('ord_1', [line])], known(plain));
    expect(numbersOf(after([ship('ord_1', 'shpm_1', [line])], reserved))).toEqual([{ stock: 0, reserved: 0 }]);
  });
});

describe('an answer', () => {
  it('has the names and prices of this moment, of all pieces of a variant together', () => {
    const lines = [
      { ...small, quantity: 3 },
      { ...medium, quantity: 1 },
      { ...small, quantity: 1 },
    ];
    const common = { productId: shirt.id, backOrdered: 0, name: 'Mug', taxClass: 'reduced' };
    const ofSmall = { variantId: small.variantId, sku: 'SHIRT-S', values: ['S'], weight: 200 };
    const ofMedium = { variantId: medium.variantId, sku: 'SHIRT-M', values: ['M'], weight: 300 };
    const [image, own] = ['https://img.example/1.png', 'https://img.example/m.png'];
    expect(answersOf([request('ord_1', lines)], known(shirt))).toMatchObject([
      {
        type: 'catalog.stock-reserved',
        subject: 'ord_1',
        data: {
          currency: 'EUR',
          lines: [
            { lineId: 'line-0', quantity: 3, unitPrice: 1000, image, ...common, ...ofSmall },
            { lineId: 'line-1', quantity: 1, unitPrice: 1200, image: own, ...common, ...ofMedium },
            { lineId: 'line-2', quantity: 1, unitPrice: 1000, image, ...common, ...ofSmall },
          ],
        },
      },
    ]);
    const pricesFor = (more: readonly Line[]) =>
      linesReserved(request('ord_1', more, { tier: 'trade' }), known(shirt)).map(({ unitPrice }) => unitPrice);
    expect(pricesFor(lines)).toEqual([800, 800, 800]);
    expect(
      pricesFor([
        { ...medium, quantity: 4 },
        { ...medium, quantity: 1 },
      ]),
    ).toEqual([700, 700]);
  });

  it('names each line that can not be sold, and nothing is reserved then', () => {
    const [draft, future, archived, other] = [
      created('DRAFT', { status: 'draft', stock: 9 }),
      created('LATER', { availableFrom: later.toISOString(), stock: 9 }),
      created('OLD', {
        options: [{ name: 'Size', values: sizes }],
        variants: [
          { sku: 'OLD-S', values: ['S'], stock: 9 },
          { sku: 'OLD-M', values: ['M'], stock: 9, status: 'archived' },
        ],
      }),
      created('USD', { price: { amount: 1, currency: 'USD' }, stock: 9 }),
    ];
    const own = ({ id }: Product) => ({ productId: id, variantId: ownVariantId(id), quantity: 1 });
    const lines = [
      { ...pieces[0], quantity: 2 },
      own(draft),
      own(future),
      { productId: archived.id, variantId: variantIdOf(archived, 'OLD-M'), quantity: 1 },
      { productId: newId('prod'), variantId: newId('var'), quantity: 1 },
      { productId: mug.id, variantId: small.variantId, quantity: 1 },
      own(other),
      { ...pieces[0], quantity: 2 },
      { ...small, quantity: 4 },
    ];
    const before = known(mug, shirt, draft, future, archived, other);
    const refused = after([request('ord_1', lines)], before);
    const unavailable = { reason: 'unavailable', available: 0 };
    const tooFew = { reason: 'not_enough_stock', available: 3 };
    expect(answersOf([request('ord_1', lines)], before)).toMatchObject([
      {
        type: 'catalog.stock-refused',
        data: {
          lines: [
            { lineId: 'line-0', ...tooFew },
            { lineId: 'line-1', ...unavailable },
            { lineId: 'line-2', ...unavailable },
            { lineId: 'line-3', ...unavailable },
            { lineId: 'line-4', ...unavailable },
            { lineId: 'line-5', ...unavailable },
            { lineId: 'line-6', reason: 'other_currency', available: 9 },
            { lineId: 'line-7', ...tooFew },
          ],
        },
      },
    ]);
    expect(refused.products).toEqual(before.products);
    expect(refused.reservations.get('ord_1')).toMatchObject({ state: 'refused', lines: [], endedAt: now });
    const onTime = after([request('ord_2', [own(future)])], before, later);
    expect(onTime.reservations.get('ord_2')?.state).toBe('reserved');
  });

  it('says how many are not in stock yet of what may be back-ordered', () => {
    const plain = created('CUP', { stock: 3, backOrders: { allowed: true } });
    const line = { productId: plain.id, variantId: ownVariantId(plain.id) };
    const lines = [
      { ...line, quantity: 2 },
      { ...line, quantity: 2 },
      { ...line, quantity: 1 },
    ];
    const backOrdered = (before: Known) =>
      linesReserved(request('ord_2', lines), before).map((each) => each.backOrdered);
    expect(backOrdered(known(plain))).toEqual([0, 1, 1]);
    const before = after([request('ord_1', lines)], known(plain));
    expect(numbersOf(before)).toEqual([{ stock: 3, reserved: 5 }]);
    expect(backOrdered(before)).toEqual([2, 2, 1]);
  });
});

/** Says what each step must answer, by counting alone. */
function createModel() {
  const free = new Map<string, number>(pieces.map(({ variantId }, index) => [variantId, [3, 4, 9][index] ?? 0]));
  const orders = new Map<string, { answer: string | null; holds: readonly Line[] }>();
  const add = (lines: readonly Line[], sign: 1 | -1) => {
    for (const { variantId, quantity } of lines) free.set(variantId, (free.get(variantId) ?? 0) + sign * quantity);
  };
  return {
    perform(step: OrderStep): string[] {
      const order = orders.get(step.orderId);
      if (step.kind === 'cancel') {
        add(order?.holds ?? [], 1);
        orders.set(step.orderId, { answer: null, holds: [] });
        return [];
      }
      if (step.kind !== 'request') throw new Error(`the model knows no ${step.kind}`);
      if (order) return order.answer === null ? [] : [order.answer];
      const { lines } = step.request;
      add(lines, -1);
      const isShort = [...free.values()].some((left) => left < 0);
      if (isShort) add(lines, 1);
      const answer = `${step.orderId} catalog.stock-${isShort ? 'refused' : 'reserved'}`;
      orders.set(step.orderId, { answer, holds: isShort ? [] : lines });
      return [answer];
    },
  };
}

function reservedOf({ products }: Known) {
  return [...products.values()].flatMap((product) =>
    variantsOf(product).map(({ id: variantId, reserved, stock }) => ({ variantId, reserved, stock })),
  );
}

function openPieces({ reservations }: Known, variantId: string): number {
  return [...reservations.values()]
    .flatMap(({ lines }) => lines)
    .filter((line) => line.variantId === variantId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}
