/** `PROPERTY_RUNS=10000` is the long form. */
export const runs = { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) };
