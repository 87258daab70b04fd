/** A price that no later price in its currency has gone below. */
export interface LowPrice {
  readonly sequence: number;
  readonly at: Date;
  readonly amount: number;
  readonly currency: string;
}

/** Of each tier. */
export interface Lows {
  readonly retail: readonly LowPrice[];
  readonly trade: readonly LowPrice[];
}

export const noLows: Lows = { retail: [], trade: [] };

// A price that rises many times would keep all its steps; hardly any list is as old as the first of them.
const maxLows = 100;

/**
 * Adds a price, and keeps only those prices that can be the lowest since some day: a price is dropped where a later one is
 * as low. The order in which prices are added does not matter.
 */
export function withLow(lows: readonly LowPrice[], price: LowPrice): readonly LowPrice[] {
  if (lows.some(({ sequence }) => sequence === price.sequence)) return lows;
  const bySequence = [...lows, price].sort((a, b) => a.sequence - b.sequence);
  const kept = bySequence.filter(
    (low, index) =>
      !bySequence.slice(index + 1).some(({ amount, currency }) => currency === low.currency && amount <= low.amount),
  );
  return kept.slice(-maxLows);
}

/** All that either of them knows. */
export function mergeLows(some: Lows, others: Lows): Lows {
  return { retail: others.retail.reduce(withLow, some.retail), trade: others.trade.reduce(withLow, some.trade) };
}
