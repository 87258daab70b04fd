import { setPassword, wrongCurrentPassword } from '../domain/password.ts';
import { assertPasswordAllowed, personalWordsOf } from '../domain/password-policy.ts';
import type { PasswordRules } from '../domain/password-policy.ts';
import type { Revocation } from '../domain/revocation.ts';
import type { Device } from '../domain/session.ts';
import { checkCurrentPassword } from './check-current-password.ts';
import type { PasswordCheckNeeds } from './check-current-password.ts';
import { openSession } from './open-session.ts';
import type { SessionNeeds, TokenPair } from './open-session.ts';

interface Needs extends PasswordCheckNeeds, SessionNeeds {
  readonly passwordRules: PasswordRules;
}

/** Sets a new password by the current one. Only this device stays logged in, with new tokens. */
export async function changePassword(
  needs: Needs,
  userId: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  device: Device,
): Promise<{ tokens: TokenPair; revocation: Revocation }> {
  const user = (await needs.users.load(userId))?.state;
  if (!user) throw wrongCurrentPassword();
  assertPasswordAllowed('/newPassword', newPassword, personalWordsOf(user), needs.passwordRules);
  await checkCurrentPassword(needs, { email: user.email, user }, currentPassword, device, () => wrongCurrentPassword());
  const hash = await needs.passwords.hash(newPassword);
  const { result } = await needs.users.change(userId, (current) =>
    setPassword(current, user.passwordHash, hash, needs.now()),
  );
  await needs.sessions.removeBelow(userId, result.revocation.tokenVersion);
  const { tokens } = await openSession(needs, result.user, device);
  return { tokens, revocation: result.revocation };
}
