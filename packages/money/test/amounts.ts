import * as fc from 'fast-check';
import { inject } from 'vitest';

/** How often properties are tried. */
export const runs = { numRuns: inject('isProof') ? 10_000 : 200 };

/** Amounts in minor units: small ones, at which rounding shows, and some too large for the arithmetic of doubles. */
export const amounts = fc.oneof(
  { arbitrary: fc.nat(20), weight: 2 },
  { arbitrary: fc.nat(100_000), weight: 3 },
  { arbitrary: fc.maxSafeNat(), weight: 1 },
);
