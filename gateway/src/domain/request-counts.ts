/** A budget: at most `max` requests in a window of time. */
interface Quota {
  readonly max: number;
  /** Counted requests are published to the other gateways after every `shareEvery` requests. */
  readonly shareEvery: number;
}

/** The outcome for one request. */
export interface Taken {
  /** Whether the budget had room; a request that is refused is not counted. */
  readonly isTaken: boolean;
  /** How many more requests the budget allows now. */
  readonly remaining: number;
  /** Milliseconds until the budget allows more requests. */
  readonly moreInMs: number;
  /** How many counted requests must be published to the other gateways now. */
  readonly toShare: number;
}

/** Counts the requests of each caller within the window that ends now. All times are milliseconds of one clock. */
export interface RequestCounts {
  /** Counts a request of the caller if the quota has room. */
  take(caller: string, quota: Quota, now: number): Taken;
  /** Adds requests of the caller that another gateway has counted, even if the quota has no room. */
  add(caller: string, count: number, now: number): void;
  /** The number of callers in memory; at most `remembered`. */
  size(): number;
}

interface Entry {
  /** Pairs of slot and number of requests in the slot, the oldest slot first. Empty slots are left out. */
  readonly marks: number[];
  unshared: number;
}

const slotsOfWindow = 12;

/**
 * Counts in slots of a twelfth of the window. A request counts until its slot is as old as the window: never longer
 * than the window, and at most one slot shorter. The window slides, because each gateway has its own window. Fixed
 * windows that began at different times would grant the budget once for each gateway.
 *
 * Beyond `remembered` callers, those with the oldest requests are forgotten. Callers without a request for two windows
 * are forgotten too.
 */
export function createRequestCounts(options: { windowMs: number; remembered: number }): RequestCounts {
  const slotMs = options.windowMs / slotsOfWindow;
  // Entries live in two generations. A used entry moves to the younger one; the older one is dropped as a whole.
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

  /** Removes slots that have left the window. Returns how many requests are left. */
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

  /** Returns the time at which enough old slots will have left the window for one more request. */
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
