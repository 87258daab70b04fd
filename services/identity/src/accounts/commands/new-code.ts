import type { NewCode } from '../../domain/code.ts';
import type { AccountNeeds } from './account-needs.ts';

type Needs = Pick<AccountNeeds, 'codeCounts' | 'codes' | 'decoys'>;

/** Counts a code that is mailed to the email. Returns whether the code may have six digits. */
export async function countCode({ codeCounts, decoys }: Needs, email: string, isMailed: boolean): Promise<boolean> {
  if (isMailed) return codeCounts.take(email);
  // Where no code is mailed, the same work is done, so that the time of the answer reveals nothing.
  await decoys.write();
  return false;
}

/** Makes a code for the email and counts the code. A code that is not mailed takes the same work. */
export async function newCode(needs: Needs, email: string, isMailed: boolean): Promise<NewCode> {
  const mayHaveDigits = await countCode(needs, email, isMailed);
  return needs.codes.create(mayHaveDigits || !isMailed ? 'digits' : 'long');
}
