import { changed, fact, identityErrors, identityEvents, type Decision } from '@storefront/contracts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { personOf, withEmail, type User } from '../../domain/user.ts';
import type { ControlChain, ControlChangeKind } from '../../factors/factors.ts';

/** The kinds of the undone changes, each kind once. */
export function kindsOf(chain: ControlChain): ControlChangeKind[] {
  return [...new Set(chain.map(({ kind }) => kind))];
}

/**
 * Restores the email from before the changes, and revokes all tokens. Replaces the password hash by `unknownHash`, the
 * hash of a password that nobody knows. Throws `invalid_revert_token` where the user is being erased.
 */
export function putAccountBack(
  current: User | null,
  chain: ControlChain,
  unknownHash: string,
  now: Date,
): Decision<User, Revocation> {
  if (!current || current.status === 'erasing') throw identityErrors.invalidRevertToken();
  const next: User = {
    ...withEmail(current, chain[0].before),
    passwordHash: unknownHash,
    emailVerifiedAt: now,
    updatedAt: now,
  };
  const { user, fact: revoked, revocation } = revokeAll(next, 'changes-reverted', now);
  const data = { ...personOf(user), previousEmail: current.email, undone: kindsOf(chain) };
  return changed(user, [fact(identityEvents.changesReverted, user.id, data), revoked], revocation);
}
