import {
  changed,
  fact,
  identityErrors,
  identityEvents,
  unchanged,
  type Decision,
  type Fact,
} from '@storefront/contracts';
import type { z } from 'zod';
import type { User } from './user.ts';

type RevocationReason = z.infer<typeof identityEvents.tokensRevoked.data>['reason'];

/** Which tokens are revoked: all tokens of the user below `tokenVersion`, or only those of one session. */
export interface Revocation {
  readonly userId: string;
  readonly tokenVersion: number;
  readonly sessionId: string | null;
}

/** Revokes all tokens of the user. Returns the changed user, the event and the revocation. */
export function revokeAll(
  user: User,
  reason: RevocationReason,
  now: Date,
): { user: User; fact: Fact; revocation: Revocation } {
  const tokenVersion = user.tokenVersion + 1;
  return {
    user: { ...user, tokenVersion, tokensRevokedAt: now, endedSessions: [] },
    fact: fact(identityEvents.tokensRevoked, user.id, { tokenVersion, sessionId: null, reason }),
    revocation: { userId: user.id, tokenVersion, sessionId: null },
  };
}

/**
 * Logs the user out on every device, by a token of version `ver`. If all tokens of that version are already revoked,
 * changes nothing and returns the earlier revocation. So a repeated or late logout ends no session that began after it.
 */
export function logOutEverywhere(
  current: User | null,
  ver: number,
  now: Date,
): Decision<User, { revokedAt: Date; revocation: Revocation }> {
  if (!current) throw identityErrors.invalidCredentials();
  const { id: userId, tokenVersion, tokensRevokedAt } = current;
  if (ver < tokenVersion)
    return unchanged({ revokedAt: tokensRevokedAt ?? now, revocation: { userId, tokenVersion, sessionId: null } });
  const { user, fact: revoked, revocation } = revokeAll(current, 'logout', now);
  return changed(user, [revoked], { revokedAt: now, revocation });
}

/**
 * Revokes the tokens of one session. `accessSeconds` is the lifetime of an access token. Repeated, it changes nothing
 * and returns the same revocation. The result is null where the user no longer exists.
 */
export function revokeSession(
  current: User | null,
  sessionId: string,
  reason: 'session-ended' | 'refresh-reuse',
  { now, accessSeconds }: { now: Date; accessSeconds: number },
): Decision<User, Revocation | null> {
  if (!current) return unchanged(null);
  const { id: userId, tokenVersion } = current;
  const revocation = { userId, tokenVersion, sessionId };
  if (current.endedSessions.some((ended) => ended.id === sessionId)) return unchanged(revocation);
  const others = current.endedSessions.filter(({ until }) => until > now);
  const until = new Date(now.getTime() + revocationKeptMs(accessSeconds));
  return changed(
    { ...current, endedSessions: [...others, { id: sessionId, until }] },
    [fact(identityEvents.tokensRevoked, userId, { tokenVersion, sessionId, reason })],
    revocation,
  );
}

// Four clocks take part: of the instance that records the revocation, of the one that reads it, of the one that issued
// the token, and of the gateway that checks the expiry. If each clock is wrong by 10 s, 40 s are needed.
const clockDifferencesMs = 60_000;

/** How long a revocation is kept, in ms: the lifetime of an access token, and a minute since clocks may differ. */
export function revocationKeptMs(accessSeconds: number): number {
  return accessSeconds * 1000 + clockDifferencesMs;
}
