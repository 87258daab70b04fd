import type { AccessClaims } from '@storefront/access-token';

/** The claims of an access token that decide whether it is revoked. */
export type RevocableToken = Pick<AccessClaims, 'sub' | 'sid' | 'ver'> & {
  /** Unix seconds. */
  readonly iat: number;
};

/** Which tokens are revoked, and whether the table is complete. All times are milliseconds since the epoch. */
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
  /** Every revocation before `upTo` has arrived. A time after `now`, from a clock that is ahead, counts as `now`. */
  arrivedUpTo(upTo: number, now: number): void;
  /** Whether `isRevoked` is right for this token: nothing is missing, and nothing since its issue was removed. */
  isCompleteFor(token: RevocableToken, now: number): boolean;
  /** `ageMs` is the age of the newest `arrivedUpTo`; null before the first. */
  status(now: number): { bound: boolean; loaded: boolean; ageMs: number | null; entries: number };
  /** Removes entries that are older than `keptMs`. */
  removeOld(now: number): void;
}

/** `maxAgeMs`: from which age of `arrivedUpTo` the table counts as incomplete. `keptMs`: longer than a token lives. */
export function createRevocations(options: { maxAgeMs: number; keptMs: number }): Revocations {
  const users = new Map<string, { version: number; until: number }>();
  const sessions = new Map<string, number>();
  let bound = false;
  let loaded = false;
  let upTo: number | null = null;

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
    },
    lost() {
      bound = false;
      loaded = false;
    },
    missed() {
      loaded = false;
    },
    snapshotLoaded() {
      loaded = true;
    },
    arrivedUpTo(published, now) {
      upTo = Math.max(upTo ?? 0, Math.min(published, now));
    },
    isCompleteFor: (token, now) =>
      bound && loaded && upTo !== null && now - upTo <= options.maxAgeMs && token.iat * 1000 > now - options.keptMs,
    status: (now) => ({
      bound,
      loaded,
      ageMs: upTo === null ? null : now - upTo,
      entries: users.size + sessions.size,
    }),
    removeOld(now) {
      for (const [id, { until }] of users) if (until < now) users.delete(id);
      for (const [id, until] of sessions) if (until < now) sessions.delete(id);
    },
  };
}
