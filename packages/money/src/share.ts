import { product, type Exact } from './exact.ts';

/** The basis points of the whole: a basis point is a hundredth of a per cent. */
const basisPointsOfAll = 10_000;

/**
 * Returns a share of an amount in minor units, half a unit rounded up. 2550 basis points are 25.5 %. The result is
 * exact for every amount. Throws a RangeError if an argument is negative or not a safe integer.
 */
export function share(amount: number, basisPoints: number): number {
  return divideHalfUp(product(whole(amount), whole(basisPoints)), basisPointsOfAll);
}

/**
 * Divides two integers exactly, half a unit rounded up. Throws a RangeError if the dividend is negative, the divisor is
 * not positive, or the quotient is not a safe integer.
 */
export function divideHalfUp(dividend: Exact, divisor: Exact): number {
  if (dividend < 0 || divisor <= 0) throw new RangeError(`${dividend} / ${divisor} is no quotient of amounts`);
  // The operator `/` could round. Without the remainder the division has an integer result, so nothing is rounded.
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
