import { copyOf } from '@storefront/catalog-copies';
import { catalogHttp, http, type catalogEvents, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Tier } from '../../domain/tier.ts';

const soldVariant = z.object({
  id: z.string(),
  sku: z.string(),
  /** One of each of the product's options, in their order. */
  values: z.array(z.string()),
  price: http.money,
  tradePrice: http.money.nullable(),
  /** Prices of each unit for trade customers, from so many units on. */
  quantityPrices: z.array(z.object({ from: z.int(), price: http.money })),
  stock: z.int(),
  active: z.boolean(),
});
export type SoldVariant = StateOf<typeof soldVariant>;

/** What carts keep of a product. */
const soldProduct = z.object({
  name: z.string(),
  image: z.string().nullable(),
  /** Whether shoppers can see the product. */
  listed: z.boolean(),
  taxClass: catalogHttp.taxClass,
  availableFrom: z.date().nullable(),
  backOrders: z.object({ allowed: z.boolean(), text: z.string().nullable() }),
  variants: z.array(soldVariant),
});
export type SoldProduct = StateOf<typeof soldProduct>;

/** The service's own copy of a product. */
export const product = z.object(copyOf(soldProduct));
export type Product = StateOf<typeof product>;

/** Products by their ids. */
export type Products = ReadonlyMap<string, Product>;

export function soldProductOf(data: catalogEvents.ProductFacts): SoldProduct {
  const { name, image, status, taxClass = 'standard', availableFrom, quantityPrices = [], variants = [] } = data;
  return {
    name,
    image,
    listed: status === 'active',
    taxClass,
    availableFrom: availableFrom ? new Date(availableFrom) : null,
    backOrders: data.backOrders ?? { allowed: false, text: null },
    variants: variants.map(({ weight: _weight, status: ofVariant, ...variant }) => ({
      ...variant,
      quantityPrices: variant.quantityPrices ?? quantityPrices,
      active: ofVariant === 'active',
    })),
  };
}

/** A variant that is for sale, with its product. */
export interface Offer {
  readonly productId: string;
  readonly product: SoldProduct;
  readonly variant: SoldVariant;
}

/** The variants of the product that are for sale in the currency of the shop. */
export function offersOf(found: Product | undefined, currency: string): Offer[] {
  const { facts: sold } = found ?? {};
  if (!found || !sold?.listed || found.deleted) return [];
  return sold.variants
    .filter(
      ({ active, price, tradePrice }) =>
        active && [price, tradePrice ?? price].every((each) => each.currency === currency),
    )
    .map((variant) => ({ productId: found.id, product: sold, variant }));
}

/** What a unit of the variant costs in each tier, for so many of them, in minor units. */
export function unitPricesOf({ variant }: Offer, quantity: number): Readonly<Record<Tier, number>> {
  return {
    retail: catalogHttp.unitPriceOf(variant, 'retail', quantity).amount,
    trade: catalogHttp.unitPriceOf(variant, 'trade', quantity).amount,
  };
}
