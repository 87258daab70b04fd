import {
  changed,
  fact,
  identityErrors,
  identityEvents,
  identityFields,
  invalidFields,
  unchanged,
} from '@storefront/contracts';
import type { Decision, Refusal } from '@storefront/contracts';
import { sealedCode, withCode } from './code.ts';
import type { NewCode } from './code.ts';
import { revokeAll } from './revocation.ts';
import type { Revocation } from './revocation.ts';
import { personOf } from './user.ts';
import type { User } from './user.ts';
import { withVerifiedEmail } from './verification.ts';

interface PasswordReplaced {
  readonly user: User;
  readonly revocation: Revocation;
}

/** Sends a code for a new password. Changes nothing where too many were sent. */
export function sendResetCode(current: User, code: NewCode, now: Date): Decision<User, void> {
  const user = current.status === 'erasing' ? null : withCode(current, 'reset', code, now);
  if (!user) return unchanged(undefined);
  const data = { ...personOf(user), ...sealedCode(code, now) };
  return changed(user, [fact(identityEvents.passwordResetRequested, user.id, data)], undefined);
}

/** Uses up the code, sets the password and revokes all tokens. The code came by mail, so it verifies the email as well. */
export function setPasswordByCode(
  current: User | null,
  codeId: string,
  passwordHash: string,
  now: Date,
): Decision<User, PasswordReplaced> {
  if (!current || current.codes.reset?.id !== codeId) throw identityErrors.invalidCode();
  const used: User = { ...current, passwordHash, codes: { verify: null, reset: null }, codeTries: [], updatedAt: now };
  const verified = withVerifiedEmail(used, now);
  const { user, fact: revoked, revocation } = revokeAll(verified.user, 'password-reset', now);
  const replaced = fact(identityEvents.passwordChanged, user.id, { ...personOf(user), how: 'reset' });
  return changed(user, [...verified.facts, replaced, revoked], { user, revocation });
}

/**
 * Sets the password and revokes all tokens. `checkedHash` is the hash that the current password was checked against:
 * throws where another request has changed the password since.
 */
export function setPassword(
  current: User | null,
  checkedHash: string,
  passwordHash: string,
  now: Date,
): Decision<User, PasswordReplaced> {
  if (!current || current.status === 'erasing' || current.passwordHash !== checkedHash) throw wrongCurrentPassword();
  const codes = { ...current.codes, reset: null };
  const withHash: User = { ...current, passwordHash, codes, updatedAt: now };
  const { user, fact: revoked, revocation } = revokeAll(withHash, 'password-changed', now);
  const replaced = fact(identityEvents.passwordChanged, user.id, { ...personOf(user), how: 'change' });
  return changed(user, [replaced, revoked], { user, revocation });
}

/** The refusal of a wrong current password; `pointer` is its place in the body. */
export function wrongCurrentPassword(pointer = '/currentPassword'): Refusal {
  return invalidFields([identityFields.wrongCurrentPassword(pointer)]);
}
