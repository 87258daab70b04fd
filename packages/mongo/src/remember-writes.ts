import type { Loaded } from './repository.ts';

const forMs = 10_000;
const atMost = 500;

/**
 * The states that this process has written last, each for 10 s, 500 at most. Another process may have written a newer one
 * meanwhile, so only a write of the next version proves that a state is up to date.
 */
export interface WrittenStates<State> {
  get(id: string): Loaded<State> | undefined;
  /** Returns the state and forgets it, so that another attempt reads. */
  take(id: string): Loaded<State> | undefined;
  /** An older version than the remembered one is left out. */
  set(id: string, written: Loaded<State>): void;
  forget(id: string): void;
}

export function rememberWrites<State>(monotonicNow = () => performance.now()): WrittenStates<State> {
  const remembered = new Map<string, { readonly written: Loaded<State>; readonly until: number }>();

  function get(id: string): Loaded<State> | undefined {
    const found = remembered.get(id);
    return found && monotonicNow() < found.until ? found.written : undefined;
  }

  return {
    get,
    take(id) {
      const found = get(id);
      remembered.delete(id);
      return found;
    },
    set(id, written) {
      if ((remembered.get(id)?.written.version ?? 0) > written.version) return;
      remembered.delete(id);
      const now = monotonicNow();
      remembered.set(id, { written, until: now + forMs });
      for (const [oldest, { until }] of remembered) {
        if (until > now && remembered.size <= atMost) break;
        remembered.delete(oldest);
      }
    },
    forget(id) {
      remembered.delete(id);
    },
  };
}

/** For repositories whose documents are seldom changed again soon. */
export const nothingWritten: WrittenStates<never> = {
  get: () => undefined,
  take: () => undefined,
  set() {},
  forget() {},
};
