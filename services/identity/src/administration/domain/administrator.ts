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

const transitions = {
  disable: { from: 'active', to: 'disabled', change: 'disabled' },
  enable: { from: 'disabled', to: 'active', change: 'enabled' },
} as const;

/** Throws `not_found` where the user is no administrator. */
export function assertAdministrator(user: User | null): asserts user is User {
  if (user?.role !== 'admin') throw notFound('administrator');
}

/**
 * Disables an administrator, which revokes all tokens of this user, or enables a disabled administrator. Throws
 * `invalid_transition` where the administrator already is disabled, or enabled.
 */
export function disableOrEnable(
  current: User | null,
  action: 'disable' | 'enable',
  { reason, now }: { readonly reason: string | null; readonly now: Date },
): Decision<User, { user: User; revocation: Revocation | null }> {
  assertAdministrator(current);
  const { from, to, change } = transitions[action];
  if (current.status !== from) throw identityErrors.invalidTransition(action, current.status);
  const next: User = { ...current, status: to, updatedAt: now };
  const reviewed = administratorFact(next, change, reason);
  if (action === 'enable') return changed(next, [reviewed], { user: next, revocation: null });
  const { user, fact: revoked, revocation } = revokeAll(next, 'disabled', now);
  return changed(user, [reviewed, revoked], { user, revocation });
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
