import { changed, fact, identityErrors, identityEvents, type Decision } from '@storefront/contracts';
import { wrongCurrentPassword } from '../../domain/password-policy.ts';
import { revertLinkFields, type RevertLink } from '../../domain/revert-link.ts';
import { mayKeepSession } from '../../domain/admission.ts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { personOf, type User } from '../../domain/user.ts';

interface PasswordReplaced {
  readonly user: User;
  readonly revocation: Revocation;
}

/**
 * Sets the password by a code that was mailed, and revokes all tokens. `factorsDropped` says whether new factors were
 * removed.
 */
export function setPasswordByCode(
  current: User | null,
  { passwordHash, factorsDropped }: { readonly passwordHash: string; readonly factorsDropped: boolean },
  now: Date,
): Decision<User, PasswordReplaced> {
  if (!current || current.status === 'erasing') throw identityErrors.invalidCode();
  const {
    user,
    fact: revoked,
    revocation,
  } = revokeAll({ ...current, passwordHash, updatedAt: now }, 'password-reset', now);
  const replaced = fact(identityEvents.passwordChanged, user.id, { ...personOf(user), how: 'reset', factorsDropped });
  return changed(user, [replaced, revoked], { user, revocation });
}

/**
 * Sets the password and revokes all tokens. `checkedHash` is the hash that the current password was checked against:
 * throws where another request has changed the password since.
 */
export function setPassword(
  current: User | null,
  checkedHash: string,
  passwordHash: string,
  revertLink: RevertLink | null,
  now: Date,
): Decision<User, PasswordReplaced> {
  if (!current || !mayKeepSession(current) || current.passwordHash !== checkedHash) throw wrongCurrentPassword();
  const withHash: User = { ...current, passwordHash, updatedAt: now };
  const { user, fact: revoked, revocation } = revokeAll(withHash, 'password-changed', now);
  const data = { ...personOf(user), how: 'change', ...revertLinkFields(revertLink) } as const;
  const replaced = fact(identityEvents.passwordChanged, user.id, data);
  return changed(user, [replaced, revoked], { user, revocation });
}
