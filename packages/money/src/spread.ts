import { product, sum, type Exact } from './exact.ts';

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

  // Fewer units are left than there are remainders above zero.
  for (; left > 0; left -= 1) {
    let largest = 0;
    for (let index = 1; index < remainders.length; index += 1)
      if ((remainders[index] ?? 0) > (remainders[largest] ?? 0)) largest = index;
    given[largest] = (given[largest] ?? 0) + 1;
    remainders[largest] = -1;
  }
  return given;
}

/** Gives all they may take to those whose share is more, and spreads what is left over the others: their shares only grow by it. */
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
