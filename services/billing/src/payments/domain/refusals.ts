/**
 * The largest number of refused callbacks that one instance stores a minute. It is limited because anybody can send
 * them.
 */
const keptEachMinute = 30;

/** How many refused callbacks were stored in this minute. `minute` counts minutes since 1970. */
export interface Kept {
  readonly minute: number;
  readonly count: number;
}

/** Decides whether one more refused callback is stored, and returns the new count. */
export function keepRefused({ minute, count }: Kept, now: Date): { readonly isKept: boolean; readonly kept: Kept } {
  const present = Math.floor(now.getTime() / 60_000);
  const before = present === minute ? count : 0;
  const isKept = before < keptEachMinute;
  return { isKept, kept: { minute: present, count: before + (isKept ? 1 : 0) } };
}
