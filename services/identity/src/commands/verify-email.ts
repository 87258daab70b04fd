import { assertMayLogIn } from '../domain/admission.ts';
import type { Device } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import { confirmEmail } from '../domain/verification.ts';
import { checkCode } from './check-code.ts';
import type { CodeCheckNeeds } from './check-code.ts';
import { openSession } from './open-session.ts';
import type { SessionNeeds, TokenPair } from './open-session.ts';

/** Verifies the email and logs in. A trade account that is not approved yet has its email verified, but gets a refusal. */
export async function verifyEmail(
  needs: CodeCheckNeeds & SessionNeeds,
  { email, code }: { email: string; code: string },
  device: Device,
): Promise<{ tokens: TokenPair; user: User }> {
  const checked = await checkCode(needs, email, 'verify', code);
  const { result: user } = await needs.users.change(checked.user.id, (current) =>
    confirmEmail(current, checked.codeId, needs.now()),
  );
  assertMayLogIn(user);
  return { tokens: await openSession(needs, user, device), user };
}
