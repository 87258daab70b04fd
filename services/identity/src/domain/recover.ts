import { changeOrPretend } from './as-much-work.ts';
import { checkCurrentPassword } from './log-in.ts';
import { wrongCurrentPassword } from './errors.ts';
import { changePassword, requestReset, resetPassword } from './password.ts';
import { checkPassword } from './password-policy.ts';
import type { Identity } from './ports.ts';
import type { Revocation } from './revocation.ts';
import type { Device } from './session.ts';
import { openSession } from './tokens.ts';
import type { TokenPair } from './tokens.ts';
import { tryCode } from './try-code.ts';
import type { User } from './user.ts';

/** Sends a code to who forgot the password, if there is an account. */
export async function forgot(identity: Identity, email: string): Promise<void> {
  const code = await identity.codes.fresh();
  await changeOrPretend(identity, email, (current) => requestReset(current, code, identity.now()));
}

/** Sets another password by a code that was mailed, and logs out everywhere. */
export async function reset(
  identity: Identity,
  { email, code, newPassword }: { email: string; code: string; newPassword: string },
): Promise<{ revokedAt: Date; revocation: Revocation }> {
  checkPassword(newPassword, '/newPassword', { email }, identity.rules);
  const { user, codeId } = await tryCode(identity, email, 'reset', code);
  // Only now, since these words would tell a stranger the owner's name.
  checkPassword(newPassword, '/newPassword', personalWords(user), identity.rules);
  const hash = await identity.passwords.hash(newPassword);
  const revokedAt = identity.now();
  const { result } = await identity.users.change(user.id, (current) => resetPassword(current, codeId, hash, revokedAt));
  await identity.sessions.removeBelow(user.id, result.revocation.tokenVersion);
  return { revokedAt, revocation: result.revocation };
}

/** Sets another password by the current one; only the device that asks stays logged in, with new tokens. */
export async function change(
  identity: Identity,
  userId: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  device: Device,
): Promise<{ tokens: TokenPair; revocation: Revocation }> {
  const user = (await identity.users.load(userId))?.state;
  if (!user) throw wrongCurrentPassword();
  checkPassword(newPassword, '/newPassword', personalWords(user), identity.rules);
  await checkCurrentPassword(identity, user.email, user, currentPassword, () => wrongCurrentPassword());
  const hash = await identity.passwords.hash(newPassword);
  const { result } = await identity.users.change(userId, (current) =>
    changePassword(current, user.passwordHash, hash, identity.now()),
  );
  await identity.sessions.removeBelow(userId, result.revocation.tokenVersion);
  return { tokens: await openSession(identity, result.user, device), revocation: result.revocation };
}

function personalWords({ email, firstName, lastName, trade }: User) {
  return { email, firstName, lastName, ...(trade ? { businessName: trade.businessName } : {}) };
}
