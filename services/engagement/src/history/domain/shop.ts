import type { Discount } from '../../promotions/domain/campaigns/rules.ts';

/** What the shop sells and advertises, as far as its history needs it. */
export interface HistoryShop {
  /** At least one; those in front are bought most. */
  readonly products: readonly HistoryProduct[];
  readonly campaigns: readonly HistoryCampaign[];
  /** Of all amounts, which are in its minor units. */
  readonly currency: string;
}

export interface HistoryProduct {
  readonly id: string;
  readonly categoryId: string | null;
  readonly price: number;
  readonly tradePrice: number;
}

export interface HistoryCampaign {
  readonly id: string;
  readonly segment: 'all' | 'retail' | 'trade';
  /** What it takes off an order. */
  readonly percent: number;
}

/** What is searched for, and how much of it the shop finds. */
export const searches: readonly { readonly words: string; readonly results: number }[] = [
  { words: 'espresso', results: 6 },
  { words: 'green tea', results: 5 },
  { words: 'filter coffee', results: 4 },
  { words: 'teapot', results: 3 },
  { words: 'gift set', results: 0 },
  { words: 'earl grey', results: 2 },
  { words: 'grinder', results: 2 },
  { words: 'decaf', results: 1 },
  { words: 'matcha', results: 2 },
  { words: 'oat milk', results: 0 },
  { words: 'rooibos', results: 1 },
  { words: 'mug', results: 4 },
  { words: 'kettle', results: 2 },
  { words: 'capsules', results: 0 },
  { words: 'linen towel', results: 3 },
  { words: 'chai', results: 0 },
];

/** About how much of an order a discount takes off, in per cent. */
export function percentOff(discount: Discount): number {
  if (discount.type === 'percentage') return discount.basisPoints / 100;
  return discount.type === 'buy-x-get-y' ? 12 : 6;
}
