import { product, sum, type Exact } from './exact.ts';

/** A part over which an amount is spread, such as a line of an order. */
export interface Part {
  /** The part's share of the amount is its weight, divided by the sum of all weights. An integer, not negative. */
  readonly weight: Exact;
  /** The largest amount that the part may get, in minor units. */
  readonly atMost: number;
}

/**
 * Spreads an amount by the method of largest remainder. Returns the amount of each part, in the order of `parts`:
 * integers that add up to the whole amount, none above its `atMost`. Each part gets its share, rounded down or up; if
 * remainders are equal, the earlier part gets the unit. If a part is full, the excess goes to the other parts, by their
 * weights. Parts with weight 0 get something only when all others are full. Throws a RangeError if the amount is
 * negative, not a safe integer, or more than all parts may take.
 */
export function spread(amount: number, parts: readonly Part[]): number[] {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is no amount in minor units`);
  let capacity = 0;
  for (const { atMost } of parts) capacity += atMost;
  if (amount > capacity) throw new RangeError(`${amount} is more than all parts may take`);

  const total = sumOfWeights(parts);
  if (total === 0) return inTurn(amount, parts);
  const given: number[] = [];
  const remainders: Exact[] = [];
  let left = amount;
  let isAnyFull = false;
  for (const { weight, atMost } of parts) {
    const dividend = product(amount, weight);
    const whole = wholeOf(dividend, total);
    const remainder = remainderOf(dividend, total);
    given.push(whole);
    remainders.push(remainder);
    left -= whole;
    isAnyFull ||= whole > atMost || (whole === atMost && remainder > 0);
  }
  if (isAnyFull) return spreadBesideFull(amount, parts, given, remainders);

  // The number of units left is smaller than the number of remainders above zero, so each part gets at most one more
  // unit.
  for (; left > 0; left -= 1) {
    let largest = 0;
    for (let index = 1; index < remainders.length; index += 1)
      if ((remainders[index] ?? 0) > (remainders[largest] ?? 0)) largest = index;
    given[largest] = (given[largest] ?? 0) + 1;
    remainders[largest] = -1;
  }
  return given;
}

/**
 * Fills all parts whose share is more than they may take, and spreads the rest over the other parts. The shares of the
 * other parts can only grow by this.
 */
function spreadBesideFull(
  amount: number,
  parts: readonly Part[],
  wholes: readonly number[],
  remainders: readonly Exact[],
): number[] {
  const isFull = parts.map(({ atMost }, index) => {
    const whole = wholes[index] ?? 0;
    return whole > atMost || (whole === atMost && (remainders[index] ?? 0) > 0);
  });
  const taken = parts.reduce((total, { atMost }, index) => total + (isFull[index] ? atMost : 0), 0);
  const others = spread(
    amount - taken,
    parts.filter((_, index) => !isFull[index]),
  ).values();
  return parts.map(({ atMost }, index) => (isFull[index] ? atMost : (others.next().value ?? 0)));
}

/** Fills one part after the other. */
function inTurn(amount: number, parts: readonly Part[]): number[] {
  let left = amount;
  return parts.map(({ atMost }) => {
    const given = Math.min(left, atMost);
    left -= given;
    return given;
  });
}

function sumOfWeights(parts: readonly Part[]): Exact {
  let total = 0;
  for (const { weight } of parts) {
    if (typeof weight === 'bigint') return sum(parts.map((part) => part.weight));
    total += weight;
  }
  return Number.isSafeInteger(total) ? total : sum(parts.map(({ weight }) => weight));
}

/** The quotient, rounded down. */
function wholeOf(dividend: Exact, divisor: Exact): number {
  return typeof dividend === 'number' && typeof divisor === 'number'
    ? (dividend - (dividend % divisor)) / divisor
    : Number(BigInt(dividend) / BigInt(divisor));
}

function remainderOf(dividend: Exact, divisor: Exact): Exact {
  return typeof dividend === 'number' && typeof divisor === 'number'
    ? dividend % divisor
    : BigInt(dividend) % BigInt(divisor);
}
