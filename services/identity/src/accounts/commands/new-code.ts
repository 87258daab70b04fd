import type { NewCode } from '../../domain/code.ts';
import type { AccountNeeds } from './account-needs.ts';

type Needs = Pick<AccountNeeds, 'codeCounts' | 'codes' | 'decoys'>;

/** Counts a code that is mailed to the email. Returns whether it may have six digits. */
export async function countCode({ codeCounts, decoys }: Needs, email: string, isMailed: boolean): Promise<boolean> {
  if (isMailed) return codeCounts.take(email);
  // The same work where no code is mailed: the time of the answer tells nothing.
  await decoys.write();
  return false;
}

/** Makes a code for the email and counts it. One that is not mailed costs the same work. */
export async function newCode(needs: Needs, email: string, isMailed: boolean): Promise<NewCode> {
  const mayHaveDigits = await countCode(needs, email, isMailed);
  return needs.codes.create(mayHaveDigits || !isMailed ? 'digits' : 'long');
}
