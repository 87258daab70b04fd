/** A budget: so many requests in a window of time. */
interface Quota {
  readonly max: number;
  /** After so many counted requests they are published, for other gateways to count too. */
  readonly shareEvery: number;
}

/** The outcome for one request. */
export interface Taken {
  /** Whether the budget had room; a request that is refused is not counted. */
  readonly isTaken: boolean;
  /** How many more requests have room. */
  readonly remaining: number;
  /** Until there is more room, in milliseconds. */
  readonly moreInMs: number;
  /** How many requests are to be published to the other gateways now. */
  readonly toShare: number;
}

/** How many requests each caller made within the window that ends now. All times are milliseconds of one clock. */
export interface RequestCounts {
  /** Counts a request of the caller where the quota has room. */
  take(caller: string, quota: Quota, now: number): Taken;
  /** Adds requests of the caller that another gateway has counted, whether there is room or not. */
  add(caller: string, count: number, now: number): void;
  /** How many callers are remembered; at most `remembered`. */
  size(): number;
}

interface Entry {
  /** Slot, requests in it, next slot, requests in it: the oldest first, without empty slots. */
  readonly marks: number[];
  unshared: number;
}

const slotsOfWindow = 12;

/**
 * Counts in slots of a twelfth of the window. A request counts until its slot is a window old: never longer than the
 * window, and at most one slot shorter. A sliding window, and not one that begins anew, since each gateway has its own:
 * windows that begin anew at different times would grant the budget once for each gateway.
 *
 * Beyond `remembered` callers, those with the oldest requests are forgotten; so are all without a request for two windows.
 */
export function createRequestCounts(options: { windowMs: number; remembered: number }): RequestCounts {
  const slotMs = options.windowMs / slotsOfWindow;
  // Two generations: what is used moves to the younger one; the older one is dropped as a whole.
  let younger = new Map<string, Entry>();
  let older = new Map<string, Entry>();
  let startedAt = -Infinity;

  function entryOf(caller: string, now: number): Entry {
    if (younger.size >= options.remembered / 2 || now - startedAt >= options.windowMs) {
      older = younger;
      younger = new Map();
      startedAt = now;
    }
    let entry = younger.get(caller);
    if (entry) return entry;
    entry = older.get(caller) ?? { marks: [], unshared: 0 };
    older.delete(caller);
    younger.set(caller, entry);
    return entry;
  }

  /** Removes what has left the window; how many requests are left. */
  function clean({ marks }: Entry, slot: number): number {
    let old = 0;
    while (old < marks.length && slotAt(marks, old) <= slot - slotsOfWindow) old += 2;
    if (old > 0) marks.splice(0, old);
    let total = 0;
    for (let at = 1; at < marks.length; at += 2) total += slotAt(marks, at);
    return total;
  }

  function count({ marks }: Entry, slot: number, requests: number): void {
    const last = marks.length - 2;
    if (last >= 0 && marks[last] === slot) marks[last + 1] = slotAt(marks, last + 1) + requests;
    else marks.push(slot, requests);
  }

  /** When enough of the oldest slots have left the window for one request more. */
  function moreAt({ marks }: Entry, total: number, max: number): number {
    let left = total;
    let at = 0;
    do {
      left -= slotAt(marks, at + 1);
      at += 2;
    } while (left >= max && at < marks.length);
    return (slotAt(marks, at - 2) + slotsOfWindow) * slotMs;
  }

  return {
    take(caller, { max, shareEvery }, now) {
      const slot = Math.floor(now / slotMs);
      const entry = entryOf(caller, now);
      const before = clean(entry, slot);
      const isTaken = before < max;
      let toShare = 0;
      if (isTaken) {
        count(entry, slot, 1);
        entry.unshared += 1;
        if (entry.unshared >= shareEvery) {
          toShare = entry.unshared;
          entry.unshared = 0;
        }
      }
      const total = isTaken ? before + 1 : before;
      return { isTaken, remaining: Math.max(0, max - total), moreInMs: moreAt(entry, total, max) - now, toShare };
    },
    add(caller, requests, now) {
      const slot = Math.floor(now / slotMs);
      const entry = entryOf(caller, now);
      clean(entry, slot);
      count(entry, slot, requests);
    },
    size: () => younger.size + older.size,
  };
}

function slotAt(marks: readonly number[], index: number): number {
  return marks[index] as number;
}
