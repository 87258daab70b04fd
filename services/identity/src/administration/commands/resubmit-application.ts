import { audited, withFacts, type Actor } from '@storefront/contracts';
import { resubmit, type Resubmission } from '../domain/trade-account.ts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly now: () => Date;
}

/**
 * An applicant who was asked for more submits the application again. `assertVersion` throws where the client has read
 * another version.
 */
export async function resubmitApplication(
  { users, now }: Needs,
  userId: string,
  resubmission: Resubmission,
  actor: Actor,
  assertVersion: (version: number) => void,
): Promise<{ user: User; version: number }> {
  const fact = audited('identity', actor, 'trade-account-resubmitted', { object: { type: 'user', id: userId } });
  const { result: user, version } = await users.change(userId, (current, currentVersion) => {
    assertVersion(currentVersion);
    return withFacts(resubmit(current, resubmission, now()), fact);
  });
  return { user, version };
}
