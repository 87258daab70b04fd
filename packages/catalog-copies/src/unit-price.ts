import type { http } from '@storefront/contracts';

/** The prices that apply to a variant, as the catalog publishes them. */
export interface VariantPrices {
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
  /** Prices of each unit for trade customers, from so many units on. */
  readonly quantityPrices?: readonly { readonly from: number; readonly price: http.Money }[];
}

/** The price of a unit for somebody who buys `quantity` of them: for trade customers the lowest one that applies. */
export function unitPriceOf(
  { price, tradePrice, quantityPrices = [] }: VariantPrices,
  tier: 'retail' | 'trade',
  quantity: number,
): http.Money {
  if (tier === 'retail') return price;
  const applying = quantityPrices.filter(({ from }) => from <= quantity).map((each) => each.price);
  return applying.reduce((lowest, each) => (each.amount < lowest.amount ? each : lowest), tradePrice ?? price);
}
