import { unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { invalidCode } from './errors.ts';
import type { Identity } from './ports.ts';
import type { Purpose, User } from './user.ts';

// Of the form of an id, and nobody's: a look for it takes as long as one for somebody.
const nobody = 'user_00000000000000000000000000';

/**
 * Changes who has the email. Where nobody has it, or nothing is to be changed, as much is read and written for nobody: how
 * long it takes does not tell, however busy the database is.
 */
export async function changeOrPretend(
  { emails, users }: Identity,
  email: string,
  decide: (current: User) => Decision<User, void>,
): Promise<void> {
  let isChange = false;
  await users.change((await emails.ownerOf(email)) ?? nobody, (current) => {
    const decision = current ? decide(current) : unchanged(undefined);
    isChange = decision.kind !== 'unchanged';
    return decision;
  });
  if (!isChange) await users.pretendChange();
}

/** Whose the email is: who has it already, or a new user who gets it. Either is a look and a write. */
export async function claimOrPretend({ emails, users, newId }: Identity, email: string): Promise<string> {
  const owner = await emails.ownerOf(email);
  if (owner === null) return emails.claim(email, newId('user'));
  await users.pretendChange();
  return owner;
}

/**
 * Counts a try of the code of who has the email, and answers them. Throws `invalid_code`, after as much work, where there is
 * none to count.
 */
export async function countTryOrPretend(
  { emails, users, now }: Identity,
  email: string,
  purpose: Purpose,
): Promise<User> {
  const user = await users.countCodeTry((await emails.ownerOf(email)) ?? nobody, purpose, now());
  if (user) return user;
  await users.pretendChange();
  throw invalidCode();
}
