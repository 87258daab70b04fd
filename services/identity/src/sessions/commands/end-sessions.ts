import { audited, withFacts, type Actor } from '@storefront/contracts';
import type { CallerSession } from '../../domain/caller.ts';
import { logOutEverywhere, revokeSession, type Revocation } from '../../domain/revocation.ts';
import type { Users } from '../../store/users.ts';
import type { TokenLifetimes } from '../domain/session.ts';
import type { SessionStore } from '../store/sessions.ts';

export interface EndSessionNeeds {
  readonly users: Users;
  readonly sessions: SessionStore;
  readonly lifetimes: TokenLifetimes;
  readonly now: () => Date;
}

/**
 * Ends one session of the user; returns null where there is no session with that id. Ending a session takes three
 * writes: the session is marked as ended, its access tokens are revoked, and the session is deleted. After a crash in
 * between, a second call does the remaining writes.
 */
export async function endSession(
  { users, sessions, lifetimes, now }: EndSessionNeeds,
  user: { readonly id: string; readonly ver: number },
  sessionId: string,
  reason: 'session-ended' | 'refresh-reuse',
  actor: Actor,
): Promise<Revocation | null> {
  const at = { now: now(), accessSeconds: lifetimes.accessSeconds };
  if (!(await sessions.markEnded(sessionId, user.id, user.ver, at.now))) return null;
  const ended = audited('identity', actor, reason === 'session-ended' ? reason : 'refresh-token-reused', {
    object: { type: 'session', id: sessionId },
    about: user.id,
  });
  const { result: revocation } = await users.change(user.id, (current) =>
    withFacts(revokeSession(current, sessionId, reason, at), ended),
  );
  await sessions.remove(sessionId);
  return revocation;
}

/**
 * Ends all sessions of the user, on every device. If the caller's token was already revoked, sessions that began after
 * that revocation continue.
 */
export async function logOut(
  { users, sessions, now }: Pick<EndSessionNeeds, 'users' | 'sessions' | 'now'>,
  caller: Pick<CallerSession, 'sub' | 'ver'>,
  actor: Actor,
): Promise<{ revokedAt: Date; revocation: Revocation }> {
  const { result } = await users.change(caller.sub, (current) =>
    withFacts(
      logOutEverywhere(current, caller.ver, now()),
      audited('identity', actor, 'logout', { object: { type: 'user', id: caller.sub } }),
    ),
  );
  await sessions.removeBelow(caller.sub, result.revocation.tokenVersion);
  return result;
}
