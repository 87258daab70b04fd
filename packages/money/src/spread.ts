import { product, sum } from './exact.ts';
import type { Exact } from './exact.ts';

/** One of those over which an amount is spread. */
export interface Part {
  /** Its share is its weight, divided by the weights of all. An integer, not negative. */
  readonly weight: Exact;
  /** In minor units. It gets no more. */
  readonly atMost: number;
}

/**
 * Spreads an amount by largest remainder. Returns what each part gets, in the order given: integers that add up to the amount, none
 * above its `atMost`. A part gets its share, rounded down or up; of equal remainders the part given first has the unit. What a part
 * may not take goes to the others, by their weights. Parts without weight get something only when all others are full.
 * Throws a RangeError where the amount is no safe integer, is negative, or is more than all parts may take.
 */
export function spread(amount: number, parts: readonly Part[]): number[] {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is no amount in minor units`);
  if (amount > sum(parts.map(({ atMost }) => atMost))) throw new RangeError(`${amount} is more than all parts may take`);

  const given = parts.map(() => 0);
  let left = amount;
  let open = parts.map((part, index) => ({ ...part, index, whole: 0, remainder: 0 as Exact }));
  while (left > 0) {
    const total = sum(open.map(({ weight }) => weight));
    if (total === 0) {
      // Only parts without weight are left.
      for (const { index, atMost } of open) {
        const taken = Math.min(left, atMost);
        given[index] = taken;
        left -= taken;
      }
      return given;
    }
    for (const part of open) Object.assign(part, divide(product(left, part.weight), total));
    // Their shares are above what they may take, and only grow when others are full.
    const full = open.filter(({ whole, remainder, atMost }) => whole > atMost || (whole === atMost && remainder > 0));
    if (full.length === 0) {
      for (const { index, whole } of open) {
        given[index] = whole;
        left -= whole;
      }
      for (const { index, whole } of byRemainder(open).slice(0, left)) given[index] = whole + 1;
      return given;
    }
    for (const { index, atMost } of full) {
      given[index] = atMost;
      left -= atMost;
    }
    open = open.filter((part) => !full.includes(part));
  }
  return given;
}

/** The largest first; equal ones in the order given. */
function byRemainder<T extends { readonly remainder: Exact }>(parts: readonly T[]): T[] {
  return parts.toSorted((a, b) => (a.remainder > b.remainder ? -1 : Number(a.remainder < b.remainder)));
}

function divide(dividend: Exact, divisor: Exact): { whole: number; remainder: Exact } {
  if (typeof dividend === 'number' && typeof divisor === 'number') {
    const remainder = dividend % divisor;
    return { whole: (dividend - remainder) / divisor, remainder };
  }
  const [all, by] = [BigInt(dividend), BigInt(divisor)];
  return { whole: Number(all / by), remainder: all % by };
}
