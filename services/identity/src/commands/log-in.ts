import { identityErrors } from '@storefront/contracts';
import { assertMayLogIn } from '../domain/admission.ts';
import type { Device } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import type { Emails } from '../store/emails.ts';
import { checkCurrentPassword } from './check-current-password.ts';
import type { PasswordCheckNeeds } from './check-current-password.ts';
import { openSession } from './open-session.ts';
import type { SessionNeeds, TokenPair } from './open-session.ts';

interface Needs extends PasswordCheckNeeds, SessionNeeds {
  readonly emails: Emails;
}

/** Logs in by password. Only after the right password does the refusal show the status of the account. */
export async function logIn(
  needs: Needs,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<{ tokens: TokenPair; user: User }> {
  const userId = await needs.emails.ownerOf(email);
  const user = (userId && (await needs.users.load(userId))?.state) || null;
  await checkCurrentPassword(needs, email, user, password, identityErrors.invalidCredentials);
  if (!user) throw identityErrors.invalidCredentials();
  assertMayLogIn(user);
  return { tokens: await openSession(needs, user, device), user };
}
