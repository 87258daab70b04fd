import { audited, withFacts } from '@storefront/contracts';
import type { Actor } from '@storefront/contracts';
import { logOutEverywhere } from '../domain/revocation.ts';
import type { Revocation } from '../domain/revocation.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly now: () => Date;
}

/** Ends all sessions of the user, on every device. */
export async function logOut(
  { users, sessions, now }: Needs,
  userId: string,
  actor: Actor,
): Promise<{ revokedAt: Date; revocation: Revocation }> {
  const revokedAt = now();
  const { result: revocation } = await users.change(userId, (current) =>
    withFacts(
      logOutEverywhere(current, revokedAt),
      audited('identity', actor, 'logout', { object: { type: 'user', id: userId } }),
    ),
  );
  await sessions.removeBelow(userId, revocation.tokenVersion);
  return { revokedAt, revocation };
}
