import { createHash } from 'node:crypto';
import {
  bodyField,
  commonErrors,
  invalidFields,
  type engagementHttp,
  type FieldError,
  type http,
} from '@storefront/contracts';
import { product, sum, type Exact } from '@storefront/money';

/** The person whose cart it is, and what the request may state. */
export interface Buyer {
  readonly segment: 'retail' | 'trade';
  /** Null where nobody is signed in, and for an administrator who names nobody. */
  readonly userId: string | null;
  readonly isAdmin: boolean;
}

/** What only an administrator may state. */
interface AdminFields {
  readonly segment?: Buyer['segment'] | undefined;
  readonly userId?: string | undefined;
  readonly at?: Date | undefined;
  readonly lines: readonly { readonly unitPrice?: http.Money | undefined }[];
}

/**
 * The buyer of a request. Throws `admin_required`, with every field that only an administrator may state, where the caller is somebody
 * else.
 */
export function buyerOf(caller: { readonly sub: string; readonly role: string } | null, request: AdminFields): Buyer {
  if (caller?.role === 'admin')
    return { segment: request.segment ?? 'retail', userId: request.userId ?? null, isAdmin: true };
  const pointers = (['segment', 'userId', 'at'] as const).flatMap((name) =>
    request[name] === undefined ? [] : [`/${name}`],
  );
  for (const [index, { unitPrice }] of request.lines.entries())
    if (unitPrice !== undefined) pointers.push(`/lines/${index}/unitPrice`);
  if (pointers.length > 0)
    throw commonErrors.adminRequired('Only an administrator may state these fields.').with({
      fields: pointers.map((at) => bodyField(at, 'admin_required', 'may only be stated by an administrator')),
    });
  return { segment: caller?.role === 'trade' ? 'trade' : 'retail', userId: caller?.sub ?? null, isAdmin: false };
}

/** The products that a buyer is about to order. Amounts are in minor units of its currency. */
export interface Cart {
  /** ISO 4217. */
  readonly currency: string;
  readonly lines: readonly CartLine[];
  /** What shipping costs; null where that is not known. */
  readonly shipping: number | null;
}

export interface CartLine {
  readonly lineId: string;
  readonly productId: string;
  /** At least 1. */
  readonly quantity: number;
  readonly unitPrice: number;
  /** The categories of the product with all their ancestors; the same in every line of the product. */
  readonly categoryIds: readonly string[];
}

/** What a cart costs without any discount. Where it is a bigint, above 2^53 - 1, `evaluate` refuses the cart. */
export function priceOf({ lines, shipping }: Cart): Exact {
  return sum([...lines.map(({ quantity, unitPrice }) => product(quantity, unitPrice)), shipping ?? 0]);
}

/** A product of the catalog. */
export interface PricedProduct {
  /** With all ancestors. */
  readonly categoryIds: readonly string[];
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
  readonly isListed: boolean;
  /** How many there are, as far as this service knows. */
  readonly stock: number;
}

/** The lines of a request, and the amounts that it states. */
interface RequestedCart {
  readonly lines: readonly {
    readonly lineId?: string | undefined;
    readonly productId: string;
    readonly quantity: number;
    readonly unitPrice?: http.Money | undefined;
  }[];
  readonly shipping?: http.Money | undefined;
  readonly expectedDiscount?: http.Money | undefined;
}

/**
 * The cart with prices and categories. A stated price counts, otherwise that of the catalog. Throws `validation_failed` with the
 * `faults` that are known already, with every line whose product is unknown, not for sale, or without a price in `currency`, and with
 * every stated amount in another currency; also for a cart that costs too much to be worked out exactly.
 */
export function pricedCart(
  { lines: requested, shipping, expectedDiscount }: RequestedCart,
  currency: string,
  segment: 'retail' | 'trade',
  products: ReadonlyMap<string, PricedProduct>,
  faults: readonly FieldError[] = [],
): Cart {
  const refused = [...faults];
  const assertCurrency = (pointer: string, stated: http.Money | undefined) => {
    if (stated !== undefined && stated.currency !== currency)
      refused.push(bodyField(`${pointer}/currency`, 'other_currency', `must be ${currency}, as the cart`));
  };
  assertCurrency('/shipping', shipping);
  assertCurrency('/expectedDiscount', expectedDiscount);
  const lines = requested.map(({ lineId, productId, quantity, unitPrice }, index): CartLine => {
    const found = products.get(productId);
    const price = unitPrice ?? (found && catalogPrice(found, segment));
    const at = `/lines/${index}`;
    if (unitPrice !== undefined) assertCurrency(`${at}/unitPrice`, unitPrice);
    else if (!found?.isListed || !price)
      refused.push(bodyField(`${at}/productId`, 'unknown_product', 'is no product that is for sale'));
    else if (price.currency !== currency)
      refused.push(bodyField(`${at}/productId`, 'other_currency', `has no price in ${currency}`));
    return {
      lineId: lineId ?? String(index + 1),
      productId,
      quantity,
      unitPrice: price?.amount ?? 0,
      categoryIds: found?.categoryIds ?? [],
    };
  });
  if (refused.length > 0) throw invalidFields(refused);
  const cart: Cart = { currency, lines, shipping: shipping?.amount ?? null };
  if (typeof priceOf(cart) === 'bigint')
    throw invalidFields([bodyField('/lines', 'too_big', 'cost too much together')]);
  return cart;
}

function catalogPrice({ price, tradePrice }: PricedProduct, segment: 'retail' | 'trade'): http.Money {
  return segment === 'trade' && tradePrice ? tradePrice : price;
}

/** Equal for requests about the same cart, however long it is held and whatever discount is expected. */
export function cartHashOf(request: engagementHttp.CartToRedeem, currency: string): string {
  const { lines, shipping, codes, segment = null, userId = null } = request;
  const plain = (stated: http.Money | undefined) => (stated ? [stated.amount, stated.currency] : null);
  const cart = [
    currency,
    lines.map(({ lineId, productId, quantity, unitPrice }, index) => [
      lineId ?? String(index + 1),
      productId,
      quantity,
      plain(unitPrice),
    ]),
    plain(shipping),
    codes,
    segment,
    userId,
  ];
  return createHash('sha256').update(JSON.stringify(cart)).digest('base64url');
}

/** What is known of the earlier orders of a user. */
export interface ShopperHistory {
  /** The first order that was placed, as the order system calls it. */
  readonly firstOrder: string | null;
  /** How many redemptions are held or confirmed, by campaign; never 0. */
  readonly uses: ReadonlyMap<string, number>;
}

/** The buyer, as the conditions of campaigns look at them. */
export interface Shopper {
  /** `retail` where nobody is signed in. */
  readonly segment: 'retail' | 'trade';
  /** Null where nobody is signed in. */
  readonly userId: string | null;
  readonly hasOrdered: boolean;
  /** How often the user has used each campaign, by its id. */
  readonly uses: ReadonlyMap<string, number>;
}

/** `orderRef` is the order that is about to be placed, which does not count as an earlier order; null where none is named. */
export function shopperOf(
  { segment, userId }: Pick<Buyer, 'segment' | 'userId'>,
  history: ShopperHistory | undefined,
  orderRef: string | null,
): Shopper {
  const { firstOrder, uses } = history ?? { firstOrder: null, uses: new Map<string, number>() };
  return { segment, userId, hasOrdered: (firstOrder !== null && firstOrder !== orderRef) || uses.size > 0, uses };
}
