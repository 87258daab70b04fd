import { isStaff } from '@storefront/contracts';
import type { Proof } from './caller.ts';
import { sessionRoleOf, type User } from './user.ts';

/** Whether staff need a second factor. */
export type AdminMfa = 'optional' | 'required';

/** Whether the user has to have a second factor. */
export function needsSecondFactor({ role }: Pick<User, 'role'>, adminMfa: AdminMfa): boolean {
  return isStaff(role) && adminMfa === 'required';
}

/**
 * The role of the session's tokens. If a member of the staff needs a second factor and has not proved one in this session,
 * the role is `enrolling`. This role may only set up a second factor or prove one.
 */
export function roleOfSession(
  user: User,
  { secondFactorAt }: Pick<Proof, 'secondFactorAt'>,
  adminMfa: AdminMfa,
): ReturnType<typeof sessionRoleOf> | 'enrolling' {
  return needsSecondFactor(user, adminMfa) && !secondFactorAt ? 'enrolling' : sessionRoleOf(user);
}
