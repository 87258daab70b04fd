import { product, type Exact } from './exact.ts';

/** Of one: a basis point is a hundredth of a percent. */
const basisPointsOfAll = 10_000;

/**
 * So many basis points of an amount, in the amount's minor units, half a unit rounded up: 2550 are 25.5 %. Exact for every amount.
 * Throws a RangeError where one of them is no safe integer, or negative.
 */
export function share(amount: number, basisPoints: number): number {
  return divideHalfUp(product(whole(amount), whole(basisPoints)), basisPointsOfAll);
}

/**
 * The quotient of two integers, half a unit rounded up, exact. Throws a RangeError where the dividend is negative, the divisor not
 * positive, or the quotient no safe integer.
 */
export function divideHalfUp(dividend: Exact, divisor: Exact): number {
  if (dividend < 0 || divisor <= 0) throw new RangeError(`${dividend} / ${divisor} is no quotient of amounts`);
  // The division of two safe numbers by `/` rounds; after the remainder is taken away there is nothing to round.
  if (typeof dividend === 'number' && typeof divisor === 'number') {
    const remainder = dividend % divisor;
    return (dividend - remainder) / divisor + (remainder >= divisor - remainder ? 1 : 0);
  }
  const [all, by] = [BigInt(dividend), BigInt(divisor)];
  return whole(Number((2n * all + by) / (2n * by)));
}

function whole(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is no amount in minor units`);
  return amount;
}
