/**
 * An exact integer: a number if it is a safe integer, otherwise a bigint. The two types may be compared with each
 * other.
 */
export type Exact = number | bigint;

/** The exact sum, whatever its size. */
export function sum(amounts: readonly Exact[]): Exact {
  let total: Exact = 0;
  for (const amount of amounts) total = add(total, amount);
  return total;
}

/** The exact product, whatever its size. */
export function product(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = a * b;
    if (Number.isSafeInteger(result)) return result;
  }
  return exact(BigInt(a) * BigInt(b));
}

function add(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = a + b;
    if (Number.isSafeInteger(result)) return result;
  }
  return exact(BigInt(a) + BigInt(b));
}

function exact(integer: bigint): Exact {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
