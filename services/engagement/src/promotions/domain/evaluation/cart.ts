import { createHash } from 'node:crypto';
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
  /** The variant of the product; null where a line with a stated price does not say which of several it is about. */
  readonly variantId: string | null;
  /** The SKU of the variant; null where the catalog has no such variant for sale. */
  readonly sku: string | null;
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
  readonly isListed: boolean;
  /** The active variants. A product without options is its own only one. */
  readonly variants: readonly PricedVariant[];
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
 * Returns the cart with variants, prices and categories. A line that names no variant is about the only one of its
 * product. A stated price is used first, otherwise the catalog's price for as many units as all lines of the same
 * variant have together. Throws `validation_failed` with the given `faults`, with every line whose product or variant is
 * unknown, not for sale, or without a price in `currency`, or which names none of several variants, and with every stated
 * amount in another currency. Throws `validation_failed` also for a cart that costs too much for exact calculation.
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
  const variants = requested.map((line) => variantOf(line, products.get(line.productId)));
  const bought = quantitiesOf(requested, variants);
  const lines = requested.map(({ lineId, productId, variantId, quantity, unitPrice }, index): CartLine => {
    const found = products.get(productId);
    const variant = variants[index];
    const price =
      unitPrice ?? (variant && catalogHttp.unitPriceOf(variant, segment, bought.get(variant.id) ?? quantity));
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
      variantId: variant?.id ?? variantId ?? null,
      sku: variant?.sku ?? null,
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

/**
 * Returns the variant that a line is about: the one that it names, or else the only one of its product. Undefined where
 * there is no such variant for sale, or where the line names none of several.
 */
export function variantOf(
  { variantId }: { readonly variantId?: string | undefined },
  found: Pick<PricedProduct, 'variants'> | undefined,
): PricedVariant | undefined {
  const variants = found?.variants ?? [];
  if (variantId !== undefined) return variants.find(({ id }) => id === variantId);
  return variants.length === 1 ? variants[0] : undefined;
}

/** Returns how many units of each variant all lines have together. `variants` are those of the lines. */
function quantitiesOf(
  lines: RequestedCart['lines'],
  variants: readonly (PricedVariant | undefined)[],
): ReadonlyMap<string, number> {
  const quantities = new Map<string, number>();
  for (const [index, { quantity }] of lines.entries()) {
    const id = variants[index]?.id;
    if (id !== undefined) quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return quantities;
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
