import { identityErrors, newId, unchanged } from '@storefront/contracts';
import type { Decision } from '@storefront/contracts';
import type { CodePurpose, User } from '../domain/user.ts';
import type { Decoys } from '../store/decoys.ts';
import type { Emails } from '../store/emails.ts';
import type { Users } from '../store/users.ts';

export interface ConstantWorkNeeds {
  readonly emails: Emails;
  readonly users: Users;
  readonly decoys: Decoys;
  readonly now: () => Date;
}

// These functions read and write as much for an email without an account as for one with an account, so that the duration
// of an answer does not show which it is, however busy the database is.

// Has the form of an id, but belongs to nobody: it takes as long to look up as a user's.
const unusedId = 'user_00000000000000000000000000';

/** Changes the user who has the email. Does as much work where nobody has it, or where nothing is to be changed. */
export async function changeByEmail(
  { emails, users, decoys }: ConstantWorkNeeds,
  email: string,
  decide: (current: User) => Decision<User, void>,
): Promise<void> {
  let isChanged = false;
  await users.change((await emails.ownerOf(email)) ?? unusedId, (current) => {
    const decision = current ? decide(current) : unchanged(undefined);
    isChanged = decision.kind !== 'unchanged';
    return decision;
  });
  if (!isChanged) await decoys.write();
}

/** The id of the user who has the email, or of a new user who has it from now on. Both take one read and one write. */
export async function ownerOrNew({ emails, decoys }: ConstantWorkNeeds, email: string): Promise<string> {
  const owner = await emails.ownerOf(email);
  if (owner === null) return emails.claim(email, newId('user'));
  await decoys.write();
  return owner;
}

/** Counts a try of the code of the user who has the email. Throws `invalid_code`, after as much work, if there is none. */
export async function countCodeTry(
  { emails, users, decoys, now }: ConstantWorkNeeds,
  email: string,
  purpose: CodePurpose,
): Promise<User> {
  const user = await users.countCodeTry((await emails.ownerOf(email)) ?? unusedId, purpose, now());
  if (user) return user;
  await decoys.write();
  throw identityErrors.invalidCode();
}
