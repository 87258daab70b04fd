import {
  changed,
  fact,
  identityErrors,
  identityEvents,
  notFound,
  type Decision,
  type Fact,
} from '@storefront/contracts';
import type { z } from 'zod';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { personOf, type User } from '../../domain/user.ts';

type Change = z.infer<typeof identityEvents.administratorChanged.data>['change'];

interface Reviewed {
  readonly reason: string | null;
  readonly now: Date;
}

/** Throws `not_found` where the user is no administrator. */
export function assertAdministrator(user: User | null): asserts user is User {
  if (user?.role !== 'admin') throw notFound('administrator');
}

/** Disables an administrator and revokes all tokens. Throws `invalid_transition` where they are disabled already. */
export function disableAdministrator(
  current: User | null,
  { reason, now }: Reviewed,
): Decision<User, { user: User; revocation: Revocation }> {
  assertAdministrator(current);
  if (current.status !== 'active') throw identityErrors.invalidTransition('disable', current.status);
  const disabled: User = { ...current, status: 'disabled', updatedAt: now };
  const { user, fact: revoked, revocation } = revokeAll(disabled, 'disabled', now);
  return changed(user, [administratorFact(user, 'disabled', reason), revoked], { user, revocation });
}

/** Enables an administrator again. Throws `invalid_transition` where they are not disabled. */
export function enableAdministrator(
  current: User | null,
  { reason, now }: Reviewed,
): Decision<User, { user: User; revocation: null }> {
  assertAdministrator(current);
  if (current.status !== 'disabled') throw identityErrors.invalidTransition('enable', current.status);
  const user: User = { ...current, status: 'active', updatedAt: now };
  return changed(user, [administratorFact(user, 'enabled', reason)], { user, revocation: null });
}

/** Logs an administrator out on every device. */
export function endAdministratorSessions(current: User | null, now: Date): Decision<User, Revocation> {
  assertAdministrator(current);
  const { user, fact: revoked, revocation } = revokeAll(current, 'ended-by-administrator', now);
  return changed(user, [administratorFact(user, 'sessions-ended', null), revoked], revocation);
}

function administratorFact(user: User, change: Change, reason: string | null): Fact {
  return fact(identityEvents.administratorChanged, user.id, { ...personOf(user), change, reason });
}
