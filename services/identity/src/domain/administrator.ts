import { randomUUID } from 'node:crypto';
import { changed, unchanged } from '@storefront/outbox/decision';
import { checkPassword } from './password-policy.ts';
import type { Identity } from './ports.ts';
import { newUser } from './user.ts';

/**
 * Makes an administrator unless somebody has the email, whoever that is: then nothing changes, least of all a password.
 * Answers whether one was made. Any number may try at once.
 */
export async function createAdministrator(
  identity: Pick<Identity, 'emails' | 'users' | 'passwords' | 'rules' | 'now' | 'newId'>,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const owner = await identity.emails.ownerOf(email);
  if (owner && (await identity.users.load(owner))) return false;
  checkPassword(password, '/password', { email: '' }, identity.rules);
  const passwordHash = await identity.passwords.hash(password);
  const userId = await identity.emails.claim(email, identity.newId('user'));
  const now = identity.now();
  const { result } = await identity.users.change(userId, (current) => {
    if (current) return unchanged(false);
    const applicant = { email, firstName: 'Store', lastName: 'Administrator', phone: null, passwordHash };
    const user = newUser(userId, applicant, randomUUID(), now);
    return changed({ ...user, role: 'admin', status: 'active', emailVerifiedAt: now }, [], true);
  });
  return result;
}
