import { revokeSession } from '../domain/revocation.ts';
import type { Revocation } from '../domain/revocation.ts';
import type { TokenLifetimes } from '../domain/session.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

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
): Promise<Revocation | null> {
  const at = { now: now(), accessSeconds: lifetimes.accessSeconds };
  if (!(await sessions.markEnded(sessionId, user.id, user.ver, at.now))) return null;
  const { result: revocation } = await users.change(user.id, (current) =>
    revokeSession(current, sessionId, reason, at),
  );
  await sessions.remove(sessionId);
  return revocation;
}
