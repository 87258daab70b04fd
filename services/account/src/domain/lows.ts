import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** A price that is lower than every later price in the same currency. */
const lowPrice = z.object({ sequence: z.int(), at: z.date(), amount: z.int(), currency: z.string() });
export type LowPrice = StateOf<typeof lowPrice>;

/** The low prices of each tier. */
export const lows = z.object({ retail: z.array(lowPrice), trade: z.array(lowPrice) });
export type Lows = StateOf<typeof lows>;

export const noLows: Lows = { retail: [], trade: [] };

// A limit is needed since a price that rises many times would keep all its steps. Hardly any wishlist is as old as the
// oldest step.
const maxLows = 100;

/**
 * Adds a price, and keeps only the prices that can be the lowest since some day: a price is dropped where a later one
 * is as low or lower. Keeps at most the last 100. The order in which prices are added does not matter.
 */
export function withLow(known: readonly LowPrice[], price: LowPrice): readonly LowPrice[] {
  if (known.some(({ sequence }) => sequence === price.sequence)) return known;
  const bySequence = [...known, price].sort((a, b) => a.sequence - b.sequence);
  const kept = bySequence.filter(
    (low, index) =>
      !bySequence.slice(index + 1).some(({ amount, currency }) => currency === low.currency && amount <= low.amount),
  );
  return kept.slice(-maxLows);
}

/** Joins two sets of low prices. */
export function mergeLows(some: Lows, others: Lows): Lows {
  return { retail: others.retail.reduce(withLow, some.retail), trade: others.trade.reduce(withLow, some.trade) };
}
