import { resubmit } from '../domain/trade-account.ts';
import type { Resubmission } from '../domain/trade-account.ts';
import type { User } from '../domain/user.ts';
import type { Users } from '../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly now: () => Date;
}

/** An applicant who was asked for more submits the application again. */
export async function resubmitApplication(
  { users, now }: Needs,
  userId: string,
  resubmission: Resubmission,
): Promise<{ user: User; version: number }> {
  const { result: user, version } = await users.change(userId, (current) => resubmit(current, resubmission, now()));
  return { user, version };
}
