/** The logins of one account within the last quarter of an hour: those that failed, and those under way. */
export interface Tries {
  /** Milliseconds since 1970, oldest first. */
  readonly failures: readonly number[];
  readonly underWay: readonly { readonly id: string; readonly since: number }[];
}

/** May be looked at; or not before some seconds; or not while so many others are looked at. */
export type Turn =
  | { readonly kind: 'admitted'; readonly tries: Tries }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'busy' };

export const windowMs = 15 * 60 * 1000;
export const freeFailures = 5;
export const noTries: Tries = { failures: [], underWay: [] };
const longestWaitSeconds = 60;
const keptFailures = 20;
// Longer than a request may take: whoever began it has died.
const lostAfterMs = 15_000;

/**
 * A login takes its turn before the password is looked at, so that many at once get no more guesses than one after the
 * other would.
 */
export function takeTurn(before: Tries, id: string, now: number): Turn {
  const tries = current(before, now);
  const seconds = waitSeconds(tries, now);
  if (seconds > 0) return { kind: 'wait', seconds };
  const free = Math.max(1, freeFailures - tries.failures.length);
  if (tries.underWay.length >= free) return { kind: 'busy' };
  return { kind: 'admitted', tries: { ...tries, underWay: [...tries.underWay, { id, since: now }] } };
}

/** The login was refused: it counts. */
export function turnFailed(before: Tries, id: string, now: number): Tries {
  const tries = without(current(before, now), id);
  return { ...tries, failures: [...tries.failures, now].slice(-keptFailures) };
}

/** The password was right: what failed before is forgotten. */
export function turnSucceeded(before: Tries, id: string, now: number): Tries {
  return { ...without(current(before, now), id), failures: [] };
}

/** The login was not looked at after all. */
export function turnGivenBack(before: Tries, id: string, now: number): Tries {
  return without(current(before, now), id);
}

/** Seconds until the next try is looked at: 1, 2, 4 … 60 after the fifth failure, the sixth, the seventh … */
export function waitSeconds(tries: Tries, now: number): number {
  const { failures } = current(tries, now);
  const last = failures.at(-1);
  if (last === undefined || failures.length < freeFailures) return 0;
  const wait = Math.min(2 ** (failures.length - freeFailures), longestWaitSeconds);
  return Math.max(0, (last + wait * 1000 - now) / 1000);
}

function current(tries: Tries, now: number): Tries {
  return {
    failures: tries.failures.filter((at) => now - at < windowMs),
    underWay: tries.underWay.filter(({ since }) => now - since < lostAfterMs),
  };
}

function without(tries: Tries, id: string): Tries {
  return { ...tries, underWay: tries.underWay.filter((other) => other.id !== id) };
}
