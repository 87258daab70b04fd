import { fact, identityEvents } from '@storefront/contracts';
import { changed, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { sealedCode, withCode } from './code.ts';
import type { FreshCode } from './code.ts';
import { invalidCode, wrongCurrentPassword } from './errors.ts';
import { revokeAll } from './revocation.ts';
import type { Revocation } from './revocation.ts';
import { personOf } from './user.ts';
import type { User } from './user.ts';
import { verified } from './verification.ts';

interface Replaced {
  readonly user: User;
  readonly revocation: Revocation;
}

/** Sends a code with which the owner may set another password; too soon or too often, nothing happens. */
export function requestReset(current: User, code: FreshCode, now: Date): Decision<User, void> {
  const user = current.status === 'erasing' ? null : withCode(current, 'reset', code, now);
  if (!user) return unchanged(undefined);
  const data = { ...personOf(user), ...sealedCode(code, now) };
  return changed(user, [fact(identityEvents.passwordResetRequested, user.id, data)], undefined);
}

/** Uses up the code. It came by mail, so it proves the email as well. */
export function resetPassword(
  current: User | null,
  codeId: string,
  passwordHash: string,
  now: Date,
): Decision<User, Replaced> {
  if (!current || current.codes.reset?.id !== codeId) throw invalidCode();
  const used: User = { ...current, passwordHash, codes: { verify: null, reset: null }, codeTries: [], updatedAt: now };
  const proved = verified(used, now);
  const { user, fact: revoked, revocation } = revokeAll(proved.user, 'password-reset', now);
  const told = fact(identityEvents.passwordChanged, user.id, { ...personOf(user), how: 'reset' });
  return changed(user, [...proved.facts, told, revoked], { user, revocation });
}

/** `knownHash` is what the current password was checked against: somebody faster makes it the wrong one. */
export function changePassword(
  current: User | null,
  knownHash: string,
  passwordHash: string,
  now: Date,
): Decision<User, Replaced> {
  if (!current || current.status === 'erasing' || current.passwordHash !== knownHash) throw wrongCurrentPassword();
  const {
    user,
    fact: revoked,
    revocation,
  } = revokeAll(
    { ...current, passwordHash, codes: { ...current.codes, reset: null }, updatedAt: now },
    'password-changed',
    now,
  );
  const told = fact(identityEvents.passwordChanged, user.id, { ...personOf(user), how: 'change' });
  return changed(user, [told, revoked], { user, revocation });
}
