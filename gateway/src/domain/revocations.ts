import type { AccessClaims } from '@storefront/access-token';

/** The claims of an access token that decide whether it is revoked. */
export type RevocableToken = Pick<AccessClaims, 'sub' | 'sid' | 'ver'>;

/**
 * Which tokens are revoked, and whether the table is complete. `now` is always the time in milliseconds of one clock
 * that only goes forward: nothing here depends on the time of another machine.
 */
export interface Revocations {
  /** Revokes all tokens of the user below `version`. */
  revokeUser(userId: string, version: number, now: number): void;
  revokeSession(sessionId: string, now: number): void;
  isRevoked(token: RevocableToken): boolean;
  /** The queue is bound: events arrive. A snapshot loaded after this has what was published before. */
  bound(): void;
  /** The queue is gone: events are missed. */
  lost(): void;
  /** An event could not be read: the table is incomplete until the next snapshot. */
  missed(): void;
  snapshotLoaded(): void;
  /** Returns the number of a check that is about to be sent. */
  nextCheck(now: number): number;
  /** The answer to a check has arrived on the queue, and before it everything revoked until that check was sent. */
  checkAnswered(check: number): void;
  /** Whether nothing is missing that was revoked more than `maxAgeMs` ago. */
  isComplete(now: number): boolean;
  /** Whether `isRevoked` is right for a token of that age: the table is complete, and nothing since its issue was removed. */
  isCompleteFor(tokenAgeMs: number, now: number): boolean;
  /** `ageMs`: how long ago the newest check that is answered was sent; null before the first. */
  status(now: number): { bound: boolean; loaded: boolean; ageMs: number | null; entries: number };
  /** Removes entries that are older than `keptMs`. */
  removeOld(now: number): void;
}

// A token's age is measured by two clocks: identity's at its issue, and this gateway's.
const clockDifferenceMs = 30_000;

/**
 * `maxAgeMs`: from which age of the newest answered check the table counts as incomplete. `keptMs`: longer than a token lives, by
 * half a minute for clocks that differ.
 */
export function createRevocations(options: { maxAgeMs: number; keptMs: number }): Revocations {
  const users = new Map<string, { version: number; until: number }>();
  const sessions = new Map<string, number>();
  // When each check was sent that may still be answered in time, the oldest first.
  const sent = new Map<number, number>();
  let checks = 0;
  let bound = false;
  let loaded = false;
  let completeUpTo: number | null = null;

  // What was sent before a queue was bound says nothing about that queue.
  function forgetChecks(): void {
    sent.clear();
    completeUpTo = null;
  }

  const isComplete = (now: number) =>
    bound && loaded && completeUpTo !== null && now - completeUpTo <= options.maxAgeMs;

  return {
    revokeUser(userId, version, now) {
      const known = users.get(userId);
      users.set(userId, { version: Math.max(version, known?.version ?? version), until: now + options.keptMs });
    },
    revokeSession(sessionId, now) {
      sessions.set(sessionId, now + options.keptMs);
    },
    isRevoked: (token) => sessions.has(token.sid) || token.ver < (users.get(token.sub)?.version ?? token.ver),
    bound() {
      bound = true;
      loaded = false;
      forgetChecks();
    },
    lost() {
      bound = false;
      loaded = false;
      forgetChecks();
    },
    missed() {
      loaded = false;
    },
    snapshotLoaded() {
      loaded = true;
    },
    nextCheck(now) {
      for (const [check, at] of sent) {
        if (now - at <= options.maxAgeMs) break;
        sent.delete(check);
      }
      checks += 1;
      sent.set(checks, now);
      return checks;
    },
    checkAnswered(check) {
      const at = sent.get(check);
      if (at !== undefined) completeUpTo = Math.max(completeUpTo ?? at, at);
    },
    isComplete,
    isCompleteFor: (tokenAgeMs, now) => isComplete(now) && tokenAgeMs < options.keptMs - clockDifferenceMs,
    status: (now) => ({
      bound,
      loaded,
      ageMs: completeUpTo === null ? null : now - completeUpTo,
      entries: users.size + sessions.size,
    }),
    removeOld(now) {
      for (const [id, { until }] of users) if (until < now) users.delete(id);
      for (const [id, until] of sessions) if (until < now) sessions.delete(id);
    },
  };
}
