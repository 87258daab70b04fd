import { inject } from 'vitest';

/** How often properties are tried. */
export const runs = { numRuns: inject('isProof') ? 10_000 : 200 };
