/**
 * Options of a read that returns whatever was acknowledged before it began, also while the primary changes: a primary that
 * was deposed and does not know it yet can't answer. The server writes an empty entry for each such read and waits until
 * a majority has it. The read fails after `limitMs` with an error for which `isDatabaseAway` is true.
 */
export function upToDate(limitMs: number) {
  return { readConcern: { level: 'linearizable' }, readPreference: 'primary', timeoutMS: limitMs } as const;
}
