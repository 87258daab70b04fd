import { audited, withFacts, type Actor } from '@storefront/contracts';
import { revokeSession, type Revocation } from '../../domain/revocation.ts';
import type { TokenLifetimes } from '../domain/session.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../../store/users.ts';

export interface EndSessionNeeds {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly lifetimes: TokenLifetimes;
  readonly now: () => Date;
}

/**
 * Ends one session of the user; returns null where there is none with that id. It is three writes: the session is marked as
 * ended, its access tokens are revoked, it is deleted. After a crash in between, ending it again does the rest.
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
