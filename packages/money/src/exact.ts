/** An integer without rounding: a number where it is safe, else a bigint. Both may be compared with each other. */
export type Exact = number | bigint;

/** The sum, exact whatever its size. */
export function sum(amounts: readonly Exact[]): Exact {
  let total: Exact = 0;
  for (const amount of amounts) total = add(total, amount);
  return total;
}

/** The product, exact whatever its size. */
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
