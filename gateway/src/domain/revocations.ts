import type { AccessClaims } from '@storefront/access-token';

/** The claims of an access token that decide whether it is revoked. */
export type RevocableToken = Pick<AccessClaims, 'sub' | 'sid' | 'ver'>;

/**
 * Knows which tokens are revoked, and whether this table is complete. `now` is always the time in milliseconds of one
 * clock that only goes forward, so the clocks of other machines do not matter.
 */
export interface Revocations {
  /** Revokes all tokens of the user below `version`. */
  revokeUser(userId: string, version: number, now: number): void;
  revokeSession(sessionId: string, now: number): void;
  isRevoked(token: RevocableToken): boolean;
  /**
   * Call this when the queue is bound, so events arrive. A snapshot loaded afterwards holds everything published
   * before.
   */
  bound(): void;
  /** Call this when the queue is lost, so events are missed. */
  lost(): void;
  /** Call this when an event could not be read: the table is then incomplete until the next snapshot. */
  missed(): void;
  snapshotLoaded(): void;
  /** Call this when somebody needs the table: a token is being checked, or a live stream is open. */
  used(now: number): void;
  /**
   * Whether a check is due at one of the regular times for checks: at each of them while the table is in use, but only
   * every 5 s after a minute in which nobody needed it. The table is then too old, so the next token is checked with
   * identity.
   */
  isCheckDue(now: number): boolean;
  /** Whether nobody has needed the table for a minute. */
  isAtRest(now: number): boolean;
  /** Returns the number of a check that is about to be sent. */
  nextCheck(now: number): number;
  /**
   * Call this when the answer to a check has arrived on the queue. Every revocation from before that check was sent has
   * arrived before its answer.
   */
  checkAnswered(check: number): void;
  /** Whether the table has every revocation that is older than `maxAgeMs`. */
  isComplete(now: number): boolean;
  /**
   * Whether `isRevoked` is reliable for a token of this age: the table is complete, and no revocation since the token's
   * issue was removed.
   */
  isCompleteFor(tokenAgeMs: number, now: number): boolean;
  /**
   * How often the table may have missed revocations until now. What was verified before the last time has to be verified
   * again.
   */
  gaps(): number;
  /** `ageMs`: how many milliseconds ago the newest answered check was sent; null before the first answer. */
  status(now: number): { bound: boolean; loaded: boolean; ageMs: number | null; entries: number };
  /** Removes entries that are older than `keptMs`. */
  removeOld(now: number): void;
}

// A token's age depends on two clocks: identity's clock at its issue, and this gateway's clock. They may differ by this
// much.
const clockDifferenceMs = 30_000;
const restAfterMs = 60_000;
const restingCheckMs = 5_000;

/**
 * `maxAgeMs`: the table counts as incomplete when the newest answered check is older than this. `keptMs`: how long a
 * revocation is kept, at least the lifetime of a token plus half a minute for clocks that differ.
 */
export function createRevocations(options: { maxAgeMs: number; keptMs: number }): Revocations {
  const users = new Map<string, { version: number; until: number }>();
  const sessions = new Map<string, number>();
  // The sending time of each check whose answer would still be in time, the oldest first.
  const sent = new Map<number, number>();
  let checks = 0;
  let checkedAt = -Infinity;
  let usedAt: number | null = null;
  let bound = false;
  let loaded = false;
  let completeUpTo: number | null = null;
  let gaps = 0;

  // Checks that were sent before a queue was bound say nothing about this queue.
  function forgetChecks(): void {
    sent.clear();
    completeUpTo = null;
  }

  // The first minute after the start counts as use.
  const isAtRest = (now: number) => now - (usedAt ??= now) > restAfterMs;
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
      gaps += 1;
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
      gaps += 1;
      loaded = false;
    },
    snapshotLoaded() {
      loaded = true;
    },
    used(now) {
      usedAt = now;
    },
    isCheckDue: (now) => !isAtRest(now) || now - checkedAt >= restingCheckMs,
    isAtRest,
    nextCheck(now) {
      checkedAt = now;
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
    gaps: () => gaps,
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
