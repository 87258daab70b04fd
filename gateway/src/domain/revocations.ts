import type { AccessClaims } from '@storefront/access-token';

/** What a token says that decides whether it was revoked. */
export type TokenFacts = Pick<AccessClaims, 'sub' | 'sid' | 'ver'> & {
  /** Unix seconds. */
  readonly iat: number;
};

/** Which tokens are dead, and whether that knowledge is complete. All times are milliseconds since the epoch. */
export interface Revocations {
  /** All tokens of the user below `version` are dead. */
  revokeUser(userId: string, version: number, now: number): void;
  revokeSession(sessionId: string, now: number): void;
  isRevoked(token: TokenFacts): boolean;
  /** Facts arrive from now on. What was published before is unknown until a snapshot taken from here on is in. */
  bound(): void;
  /** Facts are missed from now on. */
  lost(): void;
  /** A fact could not be read: only a new snapshot makes the knowledge complete again. */
  missed(): void;
  snapshotLoaded(): void;
  /** Everything revoked before `upTo` has arrived. A clock ahead of ours gives no credit for later. */
  arrivedUpTo(upTo: number, now: number): void;
  /** Whether `isRevoked` can be relied on: nothing is missing, and nothing of the token's lifetime was forgotten. */
  knowsAll(token: TokenFacts, now: number): boolean;
  status(now: number): { bound: boolean; loaded: boolean; ageMs: number | null; entries: number };
  /** Lets go of what is older than any token. */
  forget(now: number): void;
}

/** `maxAgeMs`: how old knowledge may be; `keptMs`: how long entries stay, at least an access token's lifetime. */
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
    knowsAll: (token, now) =>
      bound && loaded && upTo !== null && now - upTo <= options.maxAgeMs && token.iat * 1000 > now - options.keptMs,
    status: (now) => ({
      bound,
      loaded,
      ageMs: upTo === null ? null : now - upTo,
      entries: users.size + sessions.size,
    }),
    forget(now) {
      for (const [id, { until }] of users) if (until < now) users.delete(id);
      for (const [id, until] of sessions) if (until < now) sessions.delete(id);
    },
  };
}
