import { setPasswordByCode } from '../domain/password.ts';
import { assertPasswordAllowed, personalWordsOf } from '../domain/password-policy.ts';
import type { PasswordRules } from '../domain/password-policy.ts';
import type { Revocation } from '../domain/revocation.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { Sessions } from '../store/sessions.ts';
import { checkCode } from './check-code.ts';
import type { CodeCheckNeeds } from './check-code.ts';

interface Needs extends CodeCheckNeeds {
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly passwordRules: PasswordRules;
}

/** Sets a new password by a code that was mailed, and logs out everywhere. */
export async function resetPassword(
  needs: Needs,
  { email, code, newPassword }: { email: string; code: string; newPassword: string },
): Promise<{ revokedAt: Date; revocation: Revocation }> {
  const { user, codeId } = await checkCode(needs, email, 'reset', code);
  // Not before the code is right: the refusal would show the owner's names to a stranger.
  assertPasswordAllowed('/newPassword', newPassword, personalWordsOf(user), needs.passwordRules);
  const hash = await needs.passwords.hash(newPassword);
  const revokedAt = needs.now();
  const { result } = await needs.users.change(user.id, (current) =>
    setPasswordByCode(current, codeId, hash, revokedAt),
  );
  await needs.sessions.removeBelow(user.id, result.revocation.tokenVersion);
  return { revokedAt, revocation: result.revocation };
}
