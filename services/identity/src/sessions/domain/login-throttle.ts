import { changed, fact, identityEvents, unchanged, type Decision, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { personOf, type User } from '../../domain/user.ts';

/**
 * The logins with one email from one client within the last 15 minutes: the failed ones, and those being checked now. A
 * client is an address, or a device that has logged in before.
 */
export const storedAttempts = z.object({
  /** Milliseconds since 1970, oldest first. */
  failures: z.array(z.number()),
  underWay: z.array(z.object({ id: z.string(), since: z.number() })),
});
export type LoginAttempts = StateOf<typeof storedAttempts>;

/**
 * Whether a login may be checked: yes (`admitted`), only after some seconds (`wait`), or not while too many others are
 * being checked (`busy`).
 */
export type AttemptOutcome =
  | { readonly kind: 'admitted'; readonly attempts: LoginAttempts }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'busy' };

export const windowMs = 15 * 60 * 1000;
export const freeFailures = 5;
export const noAttempts: LoginAttempts = { failures: [], underWay: [] };
const longestWaitSeconds = 60;
const keptFailures = 20;
// Longer than a request may take. So the process that began an older attempt must have crashed.
const abandonedAfterMs = 15_000;

/**
 * Begins an attempt before its password is checked, so that simultaneous logins get no more guesses than consecutive
 * ones.
 */
export function beginAttempt(before: LoginAttempts, id: string, now: number): AttemptOutcome {
  const attempts = recent(before, now);
  const seconds = waitSeconds(attempts, now);
  if (seconds > 0) return { kind: 'wait', seconds };
  const free = Math.max(1, freeFailures - attempts.failures.length);
  if (attempts.underWay.length >= free) return { kind: 'busy' };
  return { kind: 'admitted', attempts: { ...attempts, underWay: [...attempts.underWay, { id, since: now }] } };
}

/** Ends an attempt whose password was wrong: the attempt counts as a failure. */
export function attemptFailed(before: LoginAttempts, id: string, now: number): LoginAttempts {
  const attempts = without(recent(before, now), id);
  return { ...attempts, failures: [...attempts.failures, now].slice(-keptFailures) };
}

/** Ends an attempt whose password was right: earlier failures no longer count. */
export function attemptSucceeded(before: LoginAttempts, id: string, now: number): LoginAttempts {
  return { ...without(recent(before, now), id), failures: [] };
}

/** Ends an attempt whose password was not checked after all: the attempt does not count. */
export function attemptCancelled(before: LoginAttempts, id: string, now: number): LoginAttempts {
  return without(recent(before, now), id);
}

/**
 * Seconds until the next attempt is allowed: 1, 2, 4 and so on, at most 60, after the 5th, 6th, 7th and each later
 * failure.
 */
export function waitSeconds(attempts: LoginAttempts, now: number): number {
  const { failures } = recent(attempts, now);
  const last = failures.at(-1);
  if (last === undefined || failures.length < freeFailures) return 0;
  const wait = Math.min(2 ** (failures.length - freeFailures), longestWaitSeconds);
  return Math.max(0, (last + wait * 1000 - now) / 1000);
}

/** The failed logins with one email from all clients within one window of 15 minutes. */
export const allFailures = z.object({
  count: z.int(),
  /** Milliseconds since 1970. */
  last: z.number(),
});
export type AllFailures = StateOf<typeof allFailures>;

/**
 * After this number of failures, unknown clients have to wait. One stranger who tries 30 passwords a minute does not
 * reach the number. A client that has logged in to the account within 30 days never has to wait because of others.
 */
const allFailuresLimit = 500;

/** Seconds until an unknown client may try again, after the failures of all clients together. */
export function waitForAllSeconds({ count, last }: AllFailures, now: number): number {
  if (count < allFailuresLimit) return 0;
  return Math.max(0, (last + longestWaitSeconds * 1000 - now) / 1000);
}

/** Has the owner informed of `failures` failed logins, at most once in 15 minutes. */
export function reportFailures(current: User | null, failures: number, now: Date): Decision<User, void> {
  if (!current || current.status === 'erasing') return unchanged(undefined);
  if (current.throttleTold && now.getTime() - current.throttleTold.getTime() < windowMs) return unchanged(undefined);
  const throttled = fact(identityEvents.loginThrottled, current.id, { ...personOf(current), failures });
  return changed({ ...current, throttleTold: now }, [throttled], undefined);
}

function recent(attempts: LoginAttempts, now: number): LoginAttempts {
  return {
    failures: attempts.failures.filter((at) => now - at < windowMs),
    underWay: attempts.underWay.filter(({ since }) => now - since < abandonedAfterMs),
  };
}

function without(attempts: LoginAttempts, id: string): LoginAttempts {
  return { ...attempts, underWay: attempts.underWay.filter((other) => other.id !== id) };
}
