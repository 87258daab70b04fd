import { audited, withFacts, type Actor } from '@storefront/contracts';
import { logOutEverywhere, type Revocation } from '../../domain/revocation.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly now: () => Date;
}

/** Ends all sessions of the user, on every device. One that began after the caller's token was revoked goes on. */
export async function logOut(
  { users, sessions, now }: Needs,
  caller: { readonly sub: string; readonly ver: number },
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
