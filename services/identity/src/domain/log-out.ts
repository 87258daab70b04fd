import { changed, unchanged } from '@storefront/outbox/decision';
import { invalidCredentials } from './errors.ts';
import type { Identity } from './ports.ts';
import { revokeAll, revokeSession } from './revocation.ts';
import type { Revocation } from './revocation.ts';

/** Ends everything the user is logged in with, on every device. */
export async function logOut(identity: Identity, userId: string): Promise<{ revokedAt: Date; revocation: Revocation }> {
  const revokedAt = identity.now();
  const { result: revocation } = await identity.users.change(userId, (current) => {
    if (!current) throw invalidCredentials();
    const revoked = revokeAll(current, 'logout', revokedAt);
    return changed(revoked.user, [revoked.fact], revoked.revocation);
  });
  await identity.sessions.removeBelow(userId, revocation.tokenVersion);
  return { revokedAt, revocation };
}

/**
 * Ends one session of the user; null where there is no such session. In three steps of which each may be the last before
 * a crash: it takes no refresh token, its access tokens are revoked, it is gone. Ending it again goes on from there.
 */
export async function endSession(
  identity: Identity,
  { userId, ver }: { userId: string; ver: number },
  sessionId: string,
  reason: 'session-ended' | 'refresh-reuse',
): Promise<Revocation | null> {
  const now = identity.now();
  if (!(await identity.sessions.end(sessionId, userId, ver, now))) return null;
  const { result: revocation } = await identity.users.change(userId, (current) => {
    if (!current) return unchanged(null);
    if (current.endedSessions.some((ended) => ended.id === sessionId))
      return unchanged({ userId, tokenVersion: current.tokenVersion, sessionId });
    const revoked = revokeSession(current, sessionId, reason, { now, accessSeconds: identity.rules.accessSeconds });
    return changed(revoked.user, [revoked.fact], revoked.revocation);
  });
  await identity.sessions.remove(sessionId);
  return revocation;
}
