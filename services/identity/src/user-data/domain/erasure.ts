import {
  changed,
  deleted,
  fact,
  identityErrors,
  identityEvents,
  isStaff,
  unchanged,
  type Decision,
} from '@storefront/contracts';
import { erasureRequested } from './data-request.ts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import type { User } from '../../domain/user.ts';
import { wrongCurrentPassword } from '../../domain/password-policy.ts';

export interface ErasureStarted {
  readonly requestedAt: Date;
  readonly revocation: Revocation;
}

/**
 * Starts the erasure of the user: revokes all tokens and requests every service to erase its part. Repeated, it changes
 * nothing and returns the same result. `registrations` are the registrations of the user's email. `checkedHash` is the
 * hash that the password was checked against: throws where another request has changed the password since. Throws
 * `staff_not_erasable` for somebody who works for the shop.
 */
export function startErasure(
  current: User | null,
  { checkedHash, registrations }: { readonly checkedHash: string; readonly registrations: readonly string[] },
  now: Date,
): Decision<User, ErasureStarted> {
  if (!current || current.passwordHash !== checkedHash) throw wrongCurrentPassword('/password');
  if (isStaff(current.role)) throw identityErrors.staffNotErasable();
  if (current.status === 'erasing') {
    const revocation = { userId: current.id, tokenVersion: current.tokenVersion, sessionId: null };
    return unchanged({ requestedAt: current.updatedAt, revocation });
  }
  const { user, fact: revoked, revocation } = revokeAll({ ...current, status: 'erasing' }, 'erased', now);
  return changed({ ...user, updatedAt: now }, [erasureRequested(user, registrations), revoked], {
    requestedAt: now,
    revocation,
  });
}

/** Deletes the user: the last step of an erasure. */
export function eraseUser(current: User | null): Decision<User, null> {
  return current ? deleted([fact(identityEvents.userErased, current.id, {})], null) : unchanged(null);
}
