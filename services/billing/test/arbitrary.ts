import * as fc from 'fast-check';
import type { GivenLine } from '../src/invoices/domain/sums.ts';
import { inject } from 'vitest';

/** How often properties are tried. */
export const runs = { numRuns: inject('isProof') ? 10_000 : 200 };

const thousandths = fc.oneof(
  fc.integer({ min: 1, max: 3000 }),
  fc.integer({ min: 1, max: 20 }).map((each) => each * 1000),
);

/** A line whose discount is not more than it comes to. */
const line: fc.Arbitrary<GivenLine> = fc
  .record({
    thousandths,
    unitPrice: fc.oneof(fc.nat(20), fc.nat(100_000)),
    taxRate: fc.constantFrom(0, 5.5, 7, 19, 25.25),
    taken: fc.nat(100),
  })
  .map(({ thousandths: counted, unitPrice, taxRate, taken }) => ({
    description: 'Tea',
    sku: null,
    quantity: counted / 1000,
    unitPrice,
    discount: Math.floor((Math.floor((counted * unitPrice) / 1000) * taken) / 200),
    taxRate,
  }));

export const lines = fc.array(line, { minLength: 1, maxLength: 6 });
