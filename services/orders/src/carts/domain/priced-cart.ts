import { ordersHttp, type catalogHttp } from '@storefront/contracts';
import type { Tier } from '../../domain/tier.ts';
import type { Cart, CartLine } from './cart.ts';
import { offersOf, unitPricesOf, type Product, type Products, type SoldVariant } from './product.ts';

/** A line with what the catalog says about it now. */
export interface PricedLine {
  readonly line: CartLine;
  /** Undefined where nothing is known of the product. */
  readonly product: Product['facts'] | undefined;
  /** Undefined where the variant is deleted. */
  readonly variant: SoldVariant | undefined;
  /** In minor units; the last known one for what is not for sale. */
  readonly unitPrice: number;
  readonly taxClass: catalogHttp.TaxClass;
  /** How many can be bought from stock. */
  readonly available: number;
  readonly problem: ordersHttp.CartLineProblem | null;
}

/** Whose prices count, and the currency of the shop. */
export interface Pricing {
  readonly tier: Tier;
  readonly currency: string;
}

/** The lines of a cart at the prices of now. */
export function pricedLines({ lines }: Pick<Cart, 'lines'>, products: Products, pricing: Pricing): PricedLine[] {
  return lines.map((line) => pricedLine(line, products.get(line.productId), pricing));
}

/** What the lines that are for sale cost before discounts, in minor units. */
export function subtotalOf(lines: readonly PricedLine[]): number {
  return forSale(lines).reduce((total, { unitPrice, line }) => total + unitPrice * line.quantity, 0);
}

export function forSale(lines: readonly PricedLine[]): readonly PricedLine[] {
  return lines.filter(({ problem }) => problem !== 'unavailable');
}

function pricedLine(line: CartLine, found: Product | undefined, { tier, currency }: Pricing): PricedLine {
  const product = found?.facts;
  const variant = product?.variants.find(({ id }) => id === line.variantId);
  const known = { line, product, variant, taxClass: product?.taxClass ?? 'standard' } as const;
  const offer = offersOf(found, currency).find((each) => each.variant.id === line.variantId);
  if (!offer) return { ...known, unitPrice: line.prices[tier], available: 0, problem: 'unavailable' };
  const available = Math.max(0, Math.min(ordersHttp.mostUnits, offer.variant.stock));
  const unitPrice = unitPricesOf(offer, line.quantity)[tier];
  const isEnough = available >= line.quantity || offer.product.backOrders.allowed;
  const problem = !isEnough ? 'not_enough_stock' : unitPrice === line.prices[tier] ? null : 'price_changed';
  return { ...known, unitPrice, available, problem };
}
