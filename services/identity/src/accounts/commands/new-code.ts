import type { Decoys } from '../store/decoys.ts';
import type { Codes } from '../../secrets/codes.ts';
import type { CodeCounts } from '../store/code-counts.ts';

interface Needs {
  readonly codeCounts: CodeCounts;
  readonly decoys: Decoys;
}

/** Counts a code that is mailed to the email. Returns whether it may have six digits. */
export async function countCode({ codeCounts, decoys }: Needs, email: string, isMailed: boolean): Promise<boolean> {
  if (isMailed) return codeCounts.take(email);
  // The same work where no code is mailed: the time of the answer tells nothing.
  await decoys.write();
  return false;
}

/** Makes a code for the email and counts it. One that is not mailed costs the same work. */
export async function newCode(
  { codes, ...needs }: Needs & { readonly codes: Codes },
  email: string,
  isMailed: boolean,
) {
  const mayHaveDigits = await countCode(needs, email, isMailed);
  return codes.create(mayHaveDigits || !isMailed ? 'digits' : 'long');
}
