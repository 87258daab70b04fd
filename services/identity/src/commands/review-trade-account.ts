import type { Revocation } from '../domain/revocation.ts';
import { review } from '../domain/trade-account.ts';
import type { ReviewAction } from '../domain/trade-account.ts';
import type { User } from '../domain/user.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly now: () => Date;
}

interface Review {
  readonly userId: string;
  readonly action: ReviewAction;
  /** The id of the administrator. */
  readonly by: string;
  readonly reason: string | null;
}

/** An administrator's action on a trade account. `assertVersion` throws where the client has read another version. */
export async function reviewTradeAccount(
  { users, sessions, now }: Needs,
  { userId, action, by, reason }: Review,
  assertVersion: (version: number) => void,
): Promise<{ user: User; version: number; revocation: Revocation | null }> {
  const { result, version } = await users.change(userId, (current, currentVersion) => {
    assertVersion(currentVersion);
    return review(current, action, { by, reason, now: now() });
  });
  if (result.revocation) await sessions.removeBelow(userId, result.revocation.tokenVersion);
  return { ...result, version };
}
