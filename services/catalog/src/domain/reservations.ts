import { catalogEvents, catalogHttp, fact, type Fact, type ordersEvents, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { eventData, isOnlyReserved, type Product } from './product.ts';
import { freeOf, isActive, priceOf, variantsOf, withPieces, withTotals, type Variant } from './variants.ts';

/** What became of the stock that an order has requested. */
export const reservationState = z.object({
  /** The order's id. */
  id: z.string(),
  state: z.enum(['reserved', 'refused', 'ended']),
  /** What is reserved at present. */
  lines: z.array(z.object({ productId: z.string(), variantId: z.string(), quantity: z.int() })),
  /** The ids of the shipments, the cancelled parts and the returns that were counted. */
  taken: z.array(z.string()),
  /** The answer, which a repeated request gets again; null where the order was cancelled before its request came. */
  answer: z.custom<Fact>().nullable(),
  requestedAt: z.date(),
  /** Since when nothing is reserved and nothing has come back; null while something is reserved. */
  endedAt: z.date().nullable(),
});
export type Reservation = StateOf<typeof reservationState>;

/**
 * What orders want of the stock: pieces of several variants, all of them or none; that all pieces are given back, or
 * some; that some are no longer there, since they were shipped; or that some of those are there again.
 */
export type OrderStep =
  | { readonly kind: 'request'; readonly orderId: string; readonly request: ordersEvents.OrderRequested }
  | { readonly kind: 'cancel'; readonly orderId: string }
  | { readonly kind: 'reduce'; readonly orderId: string; readonly reduction: ordersEvents.OrderReduced }
  | {
      readonly kind: 'ship';
      readonly orderId: string;
      readonly shipment: Pick<ordersEvents.OrderShipped, 'shipmentId' | 'lines'>;
    }
  | { readonly kind: 'return'; readonly orderId: string; readonly returned: ordersEvents.OrderReturned };

/** The reservations and products that steps are about, by id. */
export interface Known {
  readonly reservations: ReadonlyMap<string, Reservation>;
  readonly products: ReadonlyMap<string, Product>;
}

/** What steps have changed, by id. */
export interface Changes {
  /** Each with the answers to publish about it. */
  readonly reservations: ReadonlyMap<string, { readonly state: Reservation; readonly answers: readonly Fact[] }>;
  readonly products: ReadonlyMap<string, Product>;
  /** For each step the ids of what it has changed: the reservation, then the products. */
  readonly idsOfSteps: readonly (readonly string[])[];
}

/** The ids of the products that a step may change. */
export function productIdsOf(step: OrderStep, reservation: Reservation | undefined): string[] {
  return linesOf(step, reservation).map(({ productId }) => productId);
}

function linesOf(step: OrderStep, reservation: Reservation | undefined): Pieces {
  if (step.kind === 'request') return step.request.lines;
  // What was shipped is not reserved any more.
  return step.kind === 'return' ? step.returned.lines : (reservation?.lines ?? []);
}

/** Decides steps one after the other: each sees what those before it have reserved and given back. */
export function decideSteps(steps: readonly OrderStep[], known: Known, now: Date): Changes {
  const present = { reservations: new Map(known.reservations), products: new Map(known.products) };
  const reservations = new Map<string, { state: Reservation; answers: Fact[] }>();
  const products = new Map<string, Product>();
  const idsOfSteps = steps.map((step) => {
    const outcome = decideStep(step, present, now);
    if (!outcome) return [];
    const { reservation, moved, answer } = outcome;
    present.reservations.set(reservation.id, reservation);
    const { answers = [] } = reservations.get(reservation.id) ?? {};
    reservations.set(reservation.id, { state: reservation, answers: answer ? [...answers, answer] : answers });
    for (const product of moved) {
      present.products.set(product.id, product);
      products.set(product.id, product);
    }
    return [reservation.id, ...moved.map(({ id }) => id)];
  });
  return { reservations, products, idsOfSteps };
}

/**
 * The events about products of which pieces are only reserved or given back: one for each order, with the products that it was the last
 * to change. `before` are the products before the steps.
 */
export function freeStockFacts(
  { products, idsOfSteps }: Changes,
  before: readonly { readonly state: Product; readonly version: number }[],
): { readonly ofOrders: ReadonlyMap<string, Fact>; readonly productIds: ReadonlySet<string> } {
  const lastSteps = new Map(idsOfSteps.flatMap(([orderId = '', ...ids]) => ids.map((id) => [id, orderId] as const)));
  const only = before.flatMap(({ state, version }) => {
    const after = products.get(state.id);
    return after && isOnlyReserved(state, after) ? [{ ...eventData(after), sequence: version + 1 }] : [];
  });
  const byOrder = Map.groupBy(only, ({ id }) => lastSteps.get(id) ?? '');
  const facts = [...byOrder].map(
    ([id, moved]) => [id, fact(catalogEvents.freeStockChanged, id, { products: moved })] as const,
  );
  return { ofOrders: new Map(facts), productIds: new Set(only.map(({ id }) => id)) };
}

function decideStep(step: OrderStep, known: Known, now: Date): Outcome | null {
  switch (step.kind) {
    case 'request':
      return decideRequest(step, known, now);
    case 'cancel':
      return decideCancel(step, known, now);
    case 'reduce': {
      const { changeId, lines } = step.reduction;
      return decideParts(step.orderId, { id: changeId, lines, move: reserveFewer }, known, now);
    }
    case 'ship': {
      const { shipmentId, lines } = step.shipment;
      return decideParts(step.orderId, { id: shipmentId, lines, move: ship }, known, now);
    }
    case 'return':
      return decideReturn(step, known, now);
  }
}

/** What a step changes. */
interface Outcome {
  readonly reservation: Reservation;
  /** The products of which pieces were reserved or given back. */
  readonly moved: readonly Product[];
  /** What is published; null for nothing. */
  readonly answer: Fact | null;
}

/** A request reserves at most once: repeated, it gets the same answer, and after a cancellation none. */
function decideRequest(
  { orderId: id, request }: Extract<OrderStep, { kind: 'request' }>,
  { reservations, products }: Known,
  now: Date,
): Outcome | null {
  const before = reservations.get(id);
  if (before?.state === 'ended') return null;
  if (before) return { reservation: before, moved: [], answer: before.answer };
  const wanted = wantedOf(request, products);
  const refused = wanted.flatMap((line) => refusalOf(line, request.currency, now) ?? []);
  const common = { id, taken: [], requestedAt: now };
  if (refused.length > 0) {
    const answer = fact(catalogEvents.stockRefused, id, { lines: refused });
    return { reservation: { ...common, state: 'refused', lines: [], answer, endedAt: now }, moved: [], answer };
  }
  const { currency, tier } = request;
  const answer = fact(catalogEvents.stockReserved, id, { currency, lines: soldLines(wanted, tier) });
  const lines = request.lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
  const reservation: Reservation = { ...common, state: 'reserved', lines, answer, endedAt: null };
  return { reservation, moved: withMoved(products, lines, reserveMore, now), answer };
}

/** Gives back what is reserved. The record stays, so that a request that comes after it has no effect. */
function decideCancel(
  { orderId: id }: Extract<OrderStep, { kind: 'cancel' }>,
  { reservations, products }: Known,
  now: Date,
): Outcome | null {
  const before = reservations.get(id);
  if (before?.state === 'ended') return null;
  const { lines, ...kept } = before ?? nothingOf(id, now);
  const reservation: Reservation = { ...kept, state: 'ended', lines: [], endedAt: now };
  return { reservation, moved: withMoved(products, lines, reserveFewer, now), answer: null };
}

/**
 * Counts what has come back, once for each return. The record stays from then on, or is made anew where it has gone, so that a
 * repetition has no effect.
 */
function decideReturn(
  { orderId: id, returned: { returnId, lines } }: Extract<OrderStep, { kind: 'return' }>,
  { reservations, products }: Known,
  now: Date,
): Outcome | null {
  const before = reservations.get(id) ?? nothingOf(id, now);
  if (before.taken.includes(returnId)) return null;
  const reservation = { ...before, taken: [...before.taken, returnId], endedAt: before.endedAt && now };
  return { reservation, moved: withMoved(products, lines, countMore, now), answer: null };
}

function nothingOf(id: string, now: Date): Reservation {
  return { id, state: 'ended', lines: [], taken: [], answer: null, requestedAt: now, endedAt: now };
}

/** Pieces of a reservation that are moved, once for each id. */
interface Parts {
  readonly id: string;
  readonly lines: Pieces;
  readonly move: Move;
}

/** Moves pieces that are reserved. There are none of an order that has reserved nothing, or is cancelled. */
function decideParts(
  orderId: string,
  { id, lines, move }: Parts,
  { reservations, products }: Known,
  now: Date,
): Outcome | null {
  const before = reservations.get(orderId);
  if (before?.state !== 'reserved' || lines.length === 0 || before.taken.includes(id)) return null;
  const reservation = { ...withFewer(before, lines, now), taken: [...before.taken, id] };
  return { reservation, moved: withMoved(products, lines, move, now), answer: null };
}

type Pieces = Reservation['lines'];

/** The reservation without these pieces. It ends with the last one. */
function withFewer(reservation: Reservation, pieces: Pieces, now: Date): Reservation {
  const gone = new Map(pieces.map((each) => [keyOf(each), each.quantity]));
  const lines = reservation.lines.flatMap((each) => {
    const quantity = each.quantity - (gone.get(keyOf(each)) ?? 0);
    return quantity > 0 ? { ...each, quantity } : [];
  });
  return lines.length > 0 ? { ...reservation, lines } : { ...reservation, lines, state: 'ended', endedAt: now };
}

type Counts = Pick<Variant, 'stock' | 'reserved'>;
/** What becomes of a variant's numbers where so many pieces of it are moved. */
type Move = (before: Counts, quantity: number) => Partial<Counts>;

const reserveMore: Move = ({ reserved }, quantity) => ({ reserved: reserved + quantity });
const reserveFewer: Move = ({ reserved }, quantity) => ({ reserved: reserved - quantity });
const countMore: Move = ({ stock }, quantity) => ({ stock: stock + quantity });
// Somebody who ships more than were counted has counted too few.
const ship: Move = ({ stock, reserved }, quantity) => ({
  stock: Math.max(0, stock - quantity),
  reserved: reserved - quantity,
});

/**
 * The products of which pieces were moved, each once. Products and variants that are gone are left
 * out: nothing is to be done for them.
 */
function withMoved(products: ReadonlyMap<string, Product>, lines: Pieces, move: Move, now: Date): readonly Product[] {
  const moved = new Map<string, Product>();
  for (const { productId, variantId, quantity } of lines) {
    const product = moved.get(productId) ?? products.get(productId);
    const variant = product && variantsOf(product).find(({ id }) => id === variantId);
    if (!product || !variant) continue;
    const next = withPieces(product, variant, move(variant, quantity));
    moved.set(productId, { ...withTotals(next), updatedAt: now });
  }
  return [...moved.values()];
}

type RequestedLine = ordersEvents.OrderRequested['lines'][number];

/** A line of a request with what it names, and with the lines of the same variant taken together. */
interface WantedLine extends RequestedLine {
  /** Null where there is no such variant. */
  readonly offer: { readonly product: Product; readonly variant: Variant } | null;
  /** How many pieces of the variant the whole order wants. */
  readonly together: number;
  /** How many pieces of the variant the lines before this one want. */
  readonly before: number;
}

function wantedOf(
  { lines }: ordersEvents.OrderRequested,
  products: ReadonlyMap<string, Product>,
): readonly WantedLine[] {
  const sums = new Map<string, number>();
  const counted = lines.map((line) => {
    const product = products.get(line.productId);
    const variant = product && variantsOf(product).find(({ id }) => id === line.variantId);
    const before = sums.get(keyOf(line)) ?? 0;
    sums.set(keyOf(line), before + line.quantity);
    return { ...line, offer: product && variant ? { product, variant } : null, before };
  });
  return counted.map((line) => ({ ...line, together: sums.get(keyOf(line)) ?? 0 }));
}

function keyOf({ productId, variantId }: Pick<RequestedLine, 'productId' | 'variantId'>): string {
  return `${productId}/${variantId}`;
}

/** Why a line can't be sold; null if it can. */
function refusalOf(
  { lineId, offer, together }: WantedLine,
  currency: string,
  now: Date,
): catalogEvents.StockRefused['lines'][number] | null {
  if (!offer || !isForSale(offer, now)) return { lineId, reason: 'unavailable', available: 0 };
  const { product, variant } = offer;
  const available = freeOf(variant);
  if (product.price.currency !== currency) return { lineId, reason: 'other_currency', available };
  if (product.selling.backOrders.allowed || together <= available) return null;
  return { lineId, reason: 'not_enough_stock', available };
}

function isForSale({ product, variant }: NonNullable<WantedLine['offer']>, now: Date): boolean {
  const { availableFrom } = product.selling;
  return product.status === 'active' && isActive(variant) && (availableFrom === null || availableFrom <= now);
}

/** The lines as they are sold: with the names and prices of this moment. All of them can be sold. */
function soldLines(
  wanted: readonly WantedLine[],
  tier: ordersEvents.OrderRequested['tier'],
): catalogEvents.StockReserved['lines'] {
  return wanted.flatMap(({ lineId, productId, variantId, quantity, offer, together, before }) => {
    if (!offer) return [];
    const { product, variant } = offer;
    const { selling } = product;
    const prices = {
      price: priceOf(variant, product),
      tradePrice: variant.tradePrice ?? product.tradePrice,
      quantityPrices: variant.quantityPrices ?? selling.quantityPrices,
    };
    const inStock = Math.max(0, freeOf(variant) - before);
    return [
      {
        lineId,
        productId,
        variantId,
        quantity,
        backOrdered: Math.max(0, quantity - inStock),
        sku: variant.sku,
        name: product.name,
        values: [...variant.values],
        image: variant.image ?? product.images[0]?.url ?? null,
        unitPrice: catalogHttp.unitPriceOf(prices, tier, together).amount,
        taxClass: selling.taxClass,
        weight: variant.weight ?? selling.weight,
      },
    ];
  });
}
