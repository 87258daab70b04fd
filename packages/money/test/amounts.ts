import * as fc from 'fast-check';

/** `PROPERTY_RUNS=10000` is the long form. */
export const runs = { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) };

/** Amounts in minor units: small ones, at which rounding shows, and some too large for the arithmetic of doubles. */
export const amounts = fc.oneof(
  { arbitrary: fc.nat(20), weight: 2 },
  { arbitrary: fc.nat(100_000), weight: 3 },
  { arbitrary: fc.maxSafeNat(), weight: 1 },
);
