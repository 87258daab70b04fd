import { createHash } from 'node:crypto';
import { unitPriceOf } from '@storefront/catalog-copies';
import {
  bodyField,
  catalogHttp,
  engagementOperations,
  invalidFields,
  roleRefusal,
  type engagementHttp,
  type FieldError,
  type http,
} from '@storefront/contracts';
import { product, sum, type Exact } from '@storefront/money';
import type { PricedVariant } from '../variant-price.ts';

/** The owner of the cart, and whether staff send the request, who may state more. */
export interface Buyer {
  readonly segment: 'retail' | 'trade';
  /** Null where nobody is signed in, and where staff name no user. */
  readonly userId: string | null;
  readonly isStaff: boolean;
}

/** The fields of a request that only staff may state. */
interface StaffFields {
  readonly segment?: Buyer['segment'] | undefined;
  readonly userId?: string | undefined;
  readonly at?: Date | undefined;
  readonly lines: readonly { readonly unitPrice?: http.Money | undefined }[];
}

/**
 * Returns the buyer of a request. `asStaff`: the caller is one of the operation's staff. Where not, throws `role_required`
 * with every stated field that only staff may state.
 */
export function buyerOf(
  caller: { readonly sub: string; readonly role: string } | null,
  asStaff: boolean,
  request: StaffFields,
): Buyer {
  if (asStaff) return { segment: request.segment ?? 'retail', userId: request.userId ?? null, isStaff: true };
  const pointers = (['segment', 'userId', 'at'] as const).flatMap((name) =>
    request[name] === undefined ? [] : [`/${name}`],
  );
  for (const [index, { unitPrice }] of request.lines.entries())
    if (unitPrice !== undefined) pointers.push(`/lines/${index}/unitPrice`);
  if (pointers.length > 0)
    throw roleRefusal(engagementOperations.redeemDiscounts, 'Only staff may state these fields.').with({
      fields: pointers.map((at) => bodyField(at, 'role_required', 'may only be stated by staff')),
    });
  return { segment: caller?.role === 'trade' ? 'trade' : 'retail', userId: caller?.sub ?? null, isStaff: false };
}

/** The products that a buyer is about to order. Amounts are in minor units of the cart's currency. */
export interface Cart {
  /** The currency as ISO 4217 code. */
  readonly currency: string;
  readonly lines: readonly CartLine[];
  /** The cost of shipping; null where the cost is not known. */
  readonly shipping: number | null;
}

export interface CartLine {
  readonly lineId: string;
  readonly productId: string;
  /** The number of units, at least 1. */
  readonly quantity: number;
  readonly unitPrice: number;
  /** The product's categories with all their ancestors. Every line of the same product has the same ones. */
  readonly categoryIds: readonly string[];
}

/**
 * Returns what a cart costs without any discount. For an amount above 2^53 - 1 the result is a bigint, and `evaluate`
 * refuses the cart.
 */
export function priceOf({ lines, shipping }: Cart): Exact {
  return sum([...lines.map(({ quantity, unitPrice }) => product(quantity, unitPrice)), shipping ?? 0]);
}

/** A product with its prices in the catalog. */
export interface PricedProduct {
  /** The product's categories with all their ancestors. */
  readonly categoryIds: readonly string[];
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
  readonly isListed: boolean;
  /** How many units are in stock, as far as this service knows. */
  readonly stock: number;
  /** The active variants; undefined where the catalog said nothing about variants. */
  readonly variants?: readonly PricedVariant[] | undefined;
}

/** The lines and the amounts that a request states. */
interface RequestedCart {
  readonly lines: readonly {
    readonly lineId?: string | undefined;
    readonly productId: string;
    readonly variantId?: string | undefined;
    readonly quantity: number;
    readonly unitPrice?: http.Money | undefined;
  }[];
  readonly shipping?: http.Money | undefined;
  readonly expectedDiscount?: http.Money | undefined;
}

/**
 * Returns the cart with prices and categories. A stated price is used first, otherwise the catalog's price for as many
 * units as all lines of the same variant have together. Throws `validation_failed` with the given `faults`, with every
 * line whose product or variant is unknown, not for sale, or without a price in `currency`, or which names none of
 * several variants, and with every stated amount in another currency. Throws `validation_failed` also for a cart
 * that costs too much for exact calculation.
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
  const bought = quantitiesOf(requested);
  const lines = requested.map(({ lineId, productId, variantId, quantity, unitPrice }, index): CartLine => {
    const found = products.get(productId);
    const offer = found && offerOf(found, variantId);
    const together = bought.get(keyOf({ productId, variantId })) ?? quantity;
    const price = unitPrice ?? (offer && catalogHttp.unitPriceOf(offer, segment, together));
    const at = `/lines/${index}`;
    if (unitPrice !== undefined) assertCurrency(`${at}/unitPrice`, unitPrice);
    else if (!found?.isListed)
      refused.push(bodyField(`${at}/productId`, 'unknown_product', 'is no product that is for sale'));
    else if (!price)
      refused.push(
        variantId === undefined
          ? bodyField(`${at}/variantId`, 'variant_required', 'must name one of the variants of the product')
          : bodyField(`${at}/variantId`, 'unknown_variant', 'is no variant of the product that is for sale'),
      );
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

type LineOfVariant = Pick<RequestedCart['lines'][number], 'productId' | 'variantId'>;

const keyOf = ({ productId, variantId = '' }: LineOfVariant) => `${productId} ${variantId}`;

function quantitiesOf(lines: RequestedCart['lines']): ReadonlyMap<string, number> {
  const quantities = new Map<string, number>();
  for (const line of lines) quantities.set(keyOf(line), (quantities.get(keyOf(line)) ?? 0) + line.quantity);
  return quantities;
}

/** The prices of the variant, or of the only one; undefined if there is no such variant or none of several is named. */
function offerOf(found: PricedProduct, variantId: string | undefined): PricedProduct | PricedVariant | undefined {
  const { variants } = found;
  if (variantId !== undefined) return variants?.find(({ id }) => id === variantId);
  if (variants === undefined) return found;
  return variants.length === 1 ? variants[0] : undefined;
}

/**
 * Returns a hash that is equal for requests about the same cart. How long the cart is held and which discount is
 * expected makes no difference.
 */
export function cartHashOf(request: engagementHttp.CartToRedeem, currency: string): string {
  const { lines, shipping, codes, segment = null, userId = null } = request;
  const plain = (stated: http.Money | undefined) => (stated ? [stated.amount, stated.currency] : null);
  const cart = [
    currency,
    lines.map(({ lineId, productId, variantId = null, quantity, unitPrice }, index) => [
      lineId ?? String(index + 1),
      productId,
      variantId,
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

/** The earlier orders of a user. */
export interface ShopperHistory {
  /** The reference of the first placed order, in the order system; null where no order was placed. */
  readonly firstOrder: string | null;
  /** How many held or confirmed redemptions the user has, by campaign; never 0. */
  readonly uses: ReadonlyMap<string, number>;
}

/** The data about the buyer that conditions of campaigns need. */
export interface Shopper {
  /** The buyer's segment; `retail` where nobody is signed in. */
  readonly segment: 'retail' | 'trade';
  /** The user's id; null where nobody is signed in. */
  readonly userId: string | null;
  readonly hasOrdered: boolean;
  /** How often the user has used each campaign, by campaign id. */
  readonly uses: ReadonlyMap<string, number>;
}

/**
 * Returns the data about the buyer. `orderRef` is the order that is about to be placed, which does not count as an
 * earlier order; null where no order is named.
 */
export function shopperOf(
  { segment, userId }: Pick<Buyer, 'segment' | 'userId'>,
  history: ShopperHistory | undefined,
  orderRef: string | null,
): Shopper {
  const { firstOrder, uses } = history ?? { firstOrder: null, uses: new Map<string, number>() };
  return { segment, userId, hasOrdered: (firstOrder !== null && firstOrder !== orderRef) || uses.size > 0, uses };
}
