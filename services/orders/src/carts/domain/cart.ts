import {
  changed,
  deleted,
  fact,
  invalidFields,
  notFound,
  ordersErrors,
  ordersEvents,
  ordersFields,
  ordersHttp,
  unchanged,
  type Decision,
  type FieldError,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { tier, type Tier } from '../../domain/tier.ts';
import { offersOf, unitPricesOf, type Offer, type Products } from './product.ts';

/** After so many days without a change a cart is deleted. */
export const keptDays = 30;
const { mostCartLines, mostUnits } = ordersHttp;

const cartLine = z.object({
  productId: z.string(),
  /** Each variant is in one line only. */
  variantId: z.string(),
  quantity: z.int(),
  /** What a unit cost in each tier when the line was set last, in minor units. */
  prices: z.object({ retail: z.int(), trade: z.int() }),
});
export type CartLine = StateOf<typeof cartLine>;

export const cart = z.object({
  /** The digest of the secret id that the client has. */
  id: z.string(),
  /** From which the secret id is made, together with a key of the service: only the service can say it again. */
  seed: z.string(),
  /** Null for a guest. */
  userId: z.string().nullable(),
  /** In the order in which they were added. */
  lines: z.array(cartLine),
  codes: z.array(z.string()),
  note: z.string().nullable(),
  shippingOptionId: z.string().nullable(),
  country: z.string().nullable(),
  /** The order for which the cart stands still. */
  orderId: z.string().nullable(),
  /** When it was last published that a user has changed the lines. */
  publishedAt: z.date().optional(),
  /**
   * Whose prices its owner is reminded of where the cart is left; null where its owner was not the last to change its
   * lines, an order was sent with it, or it was left before.
   */
  remindAs: tier.nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Cart = StateOf<typeof cart>;

type CartDecision<Result = Cart> = Decision<Cart, Result>;

/** A user who changes a cart, of whatever owner. */
export interface Shopper {
  readonly userId: string;
  readonly tier: Tier;
}

/** When a cart changes. `expect` throws where the client has read another version of it. */
interface Context {
  readonly now: Date;
  readonly expect: (version: number) => void;
}
/** `by` is null where nobody is logged in. */
interface LineContext extends Context {
  readonly by: Shopper | null;
}

/** So many units of a variant. */
interface Wanted {
  readonly offer: Offer;
  readonly quantity: number;
}

/**
 * Finds what the lines of a request name, in the currency of the shop. Throws `validation_failed` with every line that
 * names nothing that is for sale.
 */
export function wantedBy(lines: readonly ordersHttp.NewCartLine[], products: Products, currency: string): Wanted[] {
  const faults: FieldError[] = [];
  const wanted = lines.flatMap(({ productId, variantId, quantity }, index) => {
    const offers = offersOf(products.get(productId), currency);
    const offer = variantId === undefined ? offers[0] : offers.find(({ variant }) => variant.id === variantId);
    const at = `/lines/${index}`;
    if (offers.length === 0) faults.push(ordersFields.unknownProduct(`${at}/productId`));
    else if (!offer) faults.push(ordersFields.unknownVariant(`${at}/variantId`));
    else if (variantId === undefined && offers.length > 1) faults.push(ordersFields.variantRequired(`${at}/variantId`));
    return offer ? [{ offer, quantity }] : [];
  });
  if (faults.length > 0) throw invalidFields(faults);
  return wanted;
}

/** Makes a cart, of `by` or of a guest. */
export function newCart(
  given: Pick<Cart, 'id' | 'seed'>,
  wanted: readonly Wanted[],
  { by, now }: Omit<LineContext, 'expect'>,
): CartDecision {
  const empty: Cart = {
    ...given,
    userId: by?.userId ?? null,
    lines: [],
    codes: [],
    note: null,
    shippingOptionId: null,
    country: null,
    orderId: null,
    remindAs: null,
    createdAt: now,
    updatedAt: now,
  };
  const lines = wanted.reduce<readonly CartLine[]>((added, { offer, quantity }) => {
    const known = lineOf(added, offer.variant.id);
    return withLine(added, lineFor(offer, (known?.quantity ?? 0) + quantity));
  }, []);
  return lines.length === 0 ? changed(empty, []) : withLines(empty, lines, { by, now });
}

/** Sets how many of a variant are in the cart. Throws `cart_frozen`, and `cart_full` beyond 100 lines. */
export function setLine(
  current: Cart | null,
  version: number,
  { offer, quantity }: Wanted,
  context: LineContext,
): CartDecision {
  const before = open(current, version, context);
  const isNew = lineOf(before.lines, offer.variant.id) === undefined;
  if (isNew && before.lines.length >= mostCartLines) throw ordersErrors.cartFull(mostCartLines);
  return withLines(before, withLine(before.lines, lineFor(offer, quantity)), context);
}

/** Throws `not_found` for a variant that is not in the cart. */
export function removeLine(
  current: Cart | null,
  version: number,
  variantId: string,
  context: LineContext,
): CartDecision {
  const before = open(current, version, context);
  if (!lineOf(before.lines, variantId)) throw notFound('line of the cart');
  const left = before.lines.filter((line) => line.variantId !== variantId);
  return withLines(before, left, context);
}

export function changeFields(
  current: Cart | null,
  version: number,
  change: ordersHttp.CartChange,
  context: Context,
): CartDecision {
  return changed({ ...open(current, version, context), ...change, updatedAt: context.now }, []);
}

/**
 * Joins a guest's cart with the user's own one, which then has the quantities of both. What does not fit into 100 lines
 * is left out (`noRoom`). A line whose variant is not for sale any more keeps its prices.
 */
export function joined(
  own: Cart,
  guests: Cart,
  { products, currency, now, by }: { products: Products; currency: string; now: Date; by: Shopper },
): CartDecision<{ readonly cart: Cart; readonly noRoom: string[] }> {
  const noRoom: string[] = [];
  const lines = guests.lines.reduce<readonly CartLine[]>((added, line) => {
    const known = lineOf(added, line.variantId);
    if (!known && added.length >= mostCartLines) {
      noRoom.push(line.variantId);
      return added;
    }
    const quantity = Math.min(mostUnits, line.quantity + (known?.quantity ?? 0));
    const offer = offersOf(products.get(line.productId), currency).find(({ variant }) => variant.id === line.variantId);
    return withLine(added, offer ? lineFor(offer, quantity) : { ...line, quantity });
  }, own.lines);
  const other = {
    ...own,
    codes: [...new Set([...own.codes, ...guests.codes])].slice(0, ordersHttp.mostCartCodes),
    note: own.note ?? guests.note,
    country: own.country ?? guests.country,
    shippingOptionId: own.shippingOptionId ?? guests.shippingOptionId,
  };
  const decision = withLines(other, lines, { by, now });
  return { ...decision, result: { cart: decision.result, noRoom } };
}

/** A guest's cart as that of the user who has logged in. */
export function taken(guests: Cart, { userId, tier: remindAs }: Shopper, now: Date): Cart {
  return { ...guests, userId, remindAs: guests.lines.length > 0 ? remindAs : null, updatedAt: now };
}

/** Makes the cart stand still for an order. A cart that does so for another one is left as it is, and answers that one. */
export function freezeFor(current: Cart | null, orderId: string): CartDecision<Cart | null> {
  if (!current || current.orderId !== null) return unchanged(current);
  return changed({ ...current, orderId, remindAs: null }, []);
}

/** Lets the cart of an order be changed again. */
export function thawFrom(current: Cart | null, orderId: string, now: Date): CartDecision<null> {
  if (current?.orderId !== orderId) return unchanged(null);
  return changed({ ...current, orderId: null, updatedAt: now }, [], null);
}

/** Deletes the cart of an order. */
export function endWith(current: Cart | null, orderId: string): CartDecision<null> {
  return current?.orderId === orderId ? deleted([], null) : unchanged(null);
}

/** What an order needs of its cart. */
export interface SentCart {
  /** `shownPrice` is what a unit cost when the line was set, in minor units. */
  readonly lines: readonly (Pick<CartLine, 'productId' | 'variantId' | 'quantity'> & { readonly shownPrice: number })[];
  readonly codes: readonly string[];
}

export function sentCart({ lines, codes }: Cart, tier: Tier): SentCart {
  return {
    lines: lines.map(({ productId, variantId, quantity, prices }) => {
      return { productId, variantId, quantity, shownPrice: prices[tier] };
    }),
    codes,
  };
}

/** Throws `not_found` where there is no cart, and `cart_frozen` where it stands still for an order. */
export function assertOpen(current: Cart | null): Cart {
  if (!current) throw notFound('cart');
  const { orderId } = current;
  if (orderId !== null) throw ordersErrors.cartFrozen().with({ members: { orderId } });
  return current;
}

function open(current: Cart | null, version: number, { expect }: Context): Cart {
  const before = assertOpen(current);
  expect(version);
  return before;
}

/**
 * The cart with these lines. That a user has changed them is published once for each cart and quarter of an hour, for
 * statistics: they count in which quarters a user was active.
 */
function withLines(before: Cart, lines: readonly CartLine[], { by, now }: Omit<LineContext, 'expect'>): CartDecision {
  // Whoever has the id has the cart, but causes no mail to its owner.
  const isOwner = by !== null && by.userId === before.userId;
  const next = { ...before, lines, remindAs: isOwner && lines.length > 0 ? by.tier : null, updatedAt: now };
  if (by === null || (before.publishedAt && quarterOf(before.publishedAt) === quarterOf(now))) return changed(next, []);
  const { userId, tier } = by;
  return changed({ ...next, publishedAt: now }, [fact(ordersEvents.cartUpdated, before.id, { userId, tier })]);
}

// Quarters of an hour in UTC are those of all time zones.
function quarterOf(time: Date): number {
  return Math.floor(time.getTime() / (15 * 60_000));
}

function lineFor(offer: Offer, wanted: number): CartLine {
  const quantity = Math.min(mostUnits, wanted);
  const { productId, variant } = offer;
  return { productId, variantId: variant.id, quantity, prices: unitPricesOf(offer, quantity) };
}

function lineOf(lines: readonly CartLine[], variantId: string): CartLine | undefined {
  return lines.find((line) => line.variantId === variantId);
}

/** The lines with this one in the place of that of the same variant, or at the end. */
function withLine(lines: readonly CartLine[], line: CartLine): readonly CartLine[] {
  return lineOf(lines, line.variantId)
    ? lines.map((other) => (other.variantId === line.variantId ? line : other))
    : [...lines, line];
}
