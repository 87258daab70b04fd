import {
  changed,
  fact,
  identityErrors,
  identityEvents,
  isStaff,
  notFound,
  unchanged,
  type Decision,
  type Fact,
  type StaffRole,
} from '@storefront/contracts';
import type { z } from 'zod';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { personOf, type User } from '../../domain/user.ts';

type Change = z.infer<typeof identityEvents.staffChanged.data>['change'];

/** A role that an administrator may give to somebody: one of staff, or that of a consumer. */
export type GivenRole = StaffRole | 'retail';

/** A user after a change by an administrator; with the revoked tokens, where the change has revoked any. */
export interface ChangedMember {
  readonly user: User;
  readonly revocation: Revocation | null;
}

const transitions = {
  disable: { from: 'active', to: 'disabled', change: 'disabled' },
  enable: { from: 'disabled', to: 'active', change: 'enabled' },
} as const;

/** Throws `not_found` where the user is no member of the staff. */
export function assertStaff(user: User | null): asserts user is User {
  if (!isStaff(user?.role)) throw notFound('member of the staff');
}

/**
 * Disables a member of the staff, which revokes all tokens of this user, or enables a disabled one. Throws
 * `invalid_transition` where the member already is disabled, or enabled.
 */
export function disableOrEnable(
  current: User | null,
  action: 'disable' | 'enable',
  { reason, now }: { readonly reason: string | null; readonly now: Date },
): Decision<User, ChangedMember> {
  assertStaff(current);
  const { from, to, change } = transitions[action];
  if (current.status !== from) throw identityErrors.invalidTransition(action, current.status);
  const next: User = { ...current, status: to, updatedAt: now };
  const reviewed = staffFact(next, change, reason);
  if (action === 'enable') return changed(next, [reviewed], { user: next, revocation: null });
  const { user, fact: revoked, revocation } = revokeAll(next, 'disabled', now);
  return changed(user, [reviewed, revoked], { user, revocation });
}

/**
 * Gives the user another role, and revokes all tokens, since they carry the former one. The role that the user already has
 * changes nothing. A trade account keeps its role, so that nobody is a customer on account and staff at once.
 */
export function giveRole(
  current: User | null,
  role: GivenRole,
  { reason, now }: { readonly reason: string | null; readonly now: Date },
): Decision<User, ChangedMember> {
  if (!current) throw notFound('user');
  if (current.role === role) return unchanged({ user: current, revocation: null });
  if (current.role === 'trade') throw identityErrors.tradeAccountNotStaff();
  if (current.status !== 'active') throw identityErrors.invalidTransition('change-role', current.status);
  const { user, fact: revoked, revocation } = revokeAll({ ...current, role, updatedAt: now }, 'role-changed', now);
  return changed(user, [staffFact(user, 'role-changed', reason), revoked], { user, revocation });
}

/** Logs a member of the staff out on every device. */
export function endStaffSessions(current: User | null, now: Date): Decision<User, Revocation> {
  assertStaff(current);
  const { user, fact: revoked, revocation } = revokeAll(current, 'ended-by-administrator', now);
  return changed(user, [staffFact(user, 'sessions-ended', null), revoked], revocation);
}

function staffFact(user: User, change: Change, reason: string | null): Fact {
  return fact(identityEvents.staffChanged, user.id, { ...personOf(user), role: user.role, change, reason });
}
