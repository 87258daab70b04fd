import type { Proof } from './caller.ts';
import { sessionRoleOf, type User } from './user.ts';

/** Whether administrators need a second factor. */
export type AdminMfa = 'optional' | 'required';

/** Whether the user must not be without a second factor. */
export function needsSecondFactor({ role }: Pick<User, 'role'>, adminMfa: AdminMfa): boolean {
  return role === 'admin' && adminMfa === 'required';
}

/**
 * The role of the session's tokens. An administrator who needs a second factor and has not proved one in this session has the
 * role `enrolling`, which may only set one up or prove it.
 */
export function roleOfSession(
  user: User,
  { secondFactorAt }: Pick<Proof, 'secondFactorAt'>,
  adminMfa: AdminMfa,
): ReturnType<typeof sessionRoleOf> | 'enrolling' {
  return needsSecondFactor(user, adminMfa) && !secondFactorAt ? 'enrolling' : sessionRoleOf(user);
}
