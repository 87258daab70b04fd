import { identityErrors } from '@storefront/contracts';
import type { Session } from '../../sessions/domain/session.ts';
import { sessionRoleOf, type User } from '../../domain/user.ts';
import { hasSecondFactor, methodsOf, type Factors } from './factors.ts';

/** Whether administrators need a second factor. */
export type AdminMfa = 'optional' | 'required';

const freshMs = 5 * 60 * 1000;

/** Until when a proof of now is fresh. */
export function freshUntil(now: Date): Date {
  return new Date(now.getTime() + freshMs);
}

/**
 * Throws `reauthentication_required` unless the session has proved within 5 minutes who is calling: by a second factor where
 * the user has one, else by the password.
 */
export function assertFreshProof(session: Session | null, factors: Factors | null, now: Date): void {
  const provedAt = hasSecondFactor(factors) ? session?.secondFactorAt : session?.authenticatedAt;
  if (provedAt && now.getTime() - provedAt.getTime() < freshMs) return;
  throw proofRequired(factors);
}

/** `reauthentication_required`, with what this user can prove it by. */
export function proofRequired(factors: Factors | null): Error {
  const methods = hasSecondFactor(factors) ? methodsOf(factors) : ['password'];
  return identityErrors.reauthenticationRequired().with({ members: { methods } });
}

/** Whether the user must not be without a second factor. */
export function needsSecondFactor({ role }: Pick<User, 'role'>, adminMfa: AdminMfa): boolean {
  return role === 'admin' && adminMfa === 'required';
}

/**
 * The role of the session's tokens. That of an administrator who needs a second factor and has not proved one in this session
 * may do no more than set one up, or prove it.
 */
export function roleOfSession(
  user: User,
  { secondFactorAt }: Pick<Session, 'secondFactorAt'>,
  adminMfa: AdminMfa,
): ReturnType<typeof sessionRoleOf> | 'enrolling' {
  return needsSecondFactor(user, adminMfa) && !secondFactorAt ? 'enrolling' : sessionRoleOf(user);
}
