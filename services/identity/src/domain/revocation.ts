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

/** Revokes all tokens of the user: the changed user, the event, and what is revoked. */
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
 * Logs the user out on every device by a token of version `ver`. Where all tokens of that version are revoked already, it
 * changes nothing and returns that revocation: a repeated or late logout ends no session that began since.
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
 * Revokes the tokens of one session; `accessSeconds` is the lifetime of an access token. Repeated, it changes nothing and
 * returns the same. The result is null where there is no user any more.
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

// Four clocks take part: of the instances that record the revocation, read it and have issued the token, and of the gateway that
// checks the expiry. Where each is 10 s ahead or behind, 40 s are needed.
const clockDifferencesMs = 60_000;

/** How long a revocation is kept, in ms: the lifetime of an access token, and a minute for clocks that differ. */
export function revocationKeptMs(accessSeconds: number): number {
  return accessSeconds * 1000 + clockDifferencesMs;
}
