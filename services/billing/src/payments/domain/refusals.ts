/** How many refused callbacks one instance keeps a minute: anybody can send them. */
const keptEachMinute = 30;

/** How many were kept in the minute that began then. */
export interface Kept {
  readonly minute: number;
  readonly count: number;
}

/** Whether one more refused callback is kept, and how many are kept then. */
export function keepRefused({ minute, count }: Kept, now: Date): { readonly isKept: boolean; readonly kept: Kept } {
  const present = Math.floor(now.getTime() / 60_000);
  const before = present === minute ? count : 0;
  const isKept = before < keptEachMinute;
  return { isKept, kept: { minute: present, count: before + (isKept ? 1 : 0) } };
}
