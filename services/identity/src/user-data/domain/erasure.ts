import {
  changed,
  deleted,
  fact,
  identityErrors,
  identityEvents,
  isStaff,
  notFound,
  unchanged,
  type Decision,
} from '@storefront/contracts';
import { erasureRequested, type RequestedBy } from './data-request.ts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import type { User } from '../../domain/user.ts';
import { wrongCurrentPassword } from '../../domain/password-policy.ts';

export interface ErasureStarted {
  readonly requestedAt: Date;
  readonly revocation: Revocation;
}

interface Requested {
  readonly by: RequestedBy;
  /** The hash that the user's password was checked against; null where the password is not what allows the erasure. */
  readonly checkedHash: string | null;
  /** The registrations of the user's email. */
  readonly registrations: readonly string[];
}

/**
 * Starts the erasure of the user: revokes all tokens and requests every service to erase its part. Repeated, it changes
 * nothing and returns the same result. Throws where another request has changed the password since it was checked, and
 * `staff_not_erasable` for somebody who works for the shop.
 */
export function startErasure(
  current: User | null,
  { by, checkedHash, registrations }: Requested,
  now: Date,
): Decision<User, ErasureStarted> {
  if (checkedHash !== null && current?.passwordHash !== checkedHash) throw wrongCurrentPassword('/password');
  if (!current) throw notFound('user');
  if (isStaff(current.role)) throw identityErrors.staffNotErasable();
  if (current.status === 'erasing') {
    const revocation = { userId: current.id, tokenVersion: current.tokenVersion, sessionId: null };
    return unchanged({ requestedAt: current.updatedAt, revocation });
  }
  const { user, fact: revoked, revocation } = revokeAll({ ...current, status: 'erasing' }, 'erased', now);
  return changed({ ...user, updatedAt: now }, [erasureRequested(user, registrations, { by }), revoked], {
    requestedAt: now,
    revocation,
  });
}

/** Deletes the user: the last step of an erasure. */
export function eraseUser(current: User | null): Decision<User, null> {
  return current ? deleted([fact(identityEvents.userErased, current.id, {})], null) : unchanged(null);
}
