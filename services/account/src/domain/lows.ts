/** A price that no later one in its currency has gone below. */
export interface Low {
  readonly sequence: number;
  readonly at: Date;
  readonly amount: number;
  readonly currency: string;
}

// A price that rises again and again would keep all its steps; the oldest of them matter to hardly anybody.
const maxLows = 100;

/**
 * Keeps of all prices that have been just those which can still be the lowest since some day: one with a later price that is
 * as low is forgotten. The order in which prices are added does not matter.
 */
export function withLow(lows: readonly Low[], price: Low): readonly Low[] {
  if (lows.some(({ sequence }) => sequence === price.sequence)) return lows;
  const bySequence = [...lows, price].sort((a, b) => a.sequence - b.sequence);
  const kept = bySequence.filter(
    (low, index) =>
      !bySequence.slice(index + 1).some(({ amount, currency }) => currency === low.currency && amount <= low.amount),
  );
  return kept.slice(-maxLows);
}
