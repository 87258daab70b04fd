import { setProfile, type ProfileChange } from '../domain/profile.ts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';

interface Needs {
  readonly users: Users;
  readonly now: () => Date;
}

/** Changes names, phone, language and time zone. `assertVersion` throws where the client has read another version. */
export async function changeProfile(
  { users, now }: Needs,
  userId: string,
  change: ProfileChange,
  assertVersion: (version: number) => void,
): Promise<{ user: User; version: number }> {
  const { result: user, version } = await users.change(userId, (current, currentVersion) => {
    assertVersion(currentVersion);
    return setProfile(current, change, now());
  });
  return { user, version };
}
