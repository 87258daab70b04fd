import { audited, changed, newId, operator, unchanged } from '@storefront/contracts';
import { assertPasswordAllowed, type PasswordRules } from '../../domain/password-policy.ts';
import { newAdministrator } from '../../domain/user.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';

export interface CreateAdministratorNeeds {
  readonly emails: Emails;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly passwordRules: PasswordRules;
  readonly now: () => Date;
}

/**
 * Creates an administrator unless the email has an account of any kind: then nothing changes, least of all the password.
 * Returns whether one was created. Any number of instances may call it at once.
 */
export async function createAdministrator(
  { emails, users, passwords, passwordRules, now }: CreateAdministratorNeeds,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const owner = await emails.ownerOf(email);
  if (owner && (await users.load(owner))) return false;
  assertPasswordAllowed('/password', password, {}, passwordRules);
  const passwordHash = await passwords.hash(password);
  const userId = await emails.claim(email, newId('user'));
  const { result } = await users.change(userId, (current) => {
    if (current) return unchanged(false);
    const fact = audited('identity', operator, 'administrator-created', { object: { type: 'user', id: userId } });
    return changed(newAdministrator(userId, { email, passwordHash }, now()), [fact], true);
  });
  return result;
}
