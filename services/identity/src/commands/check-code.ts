import { identityErrors } from '@storefront/contracts';
import type { CodePurpose, User } from '../domain/user.ts';
import type { Codes } from '../secrets/codes.ts';
import { countCodeTry } from './constant-work.ts';
import type { ConstantWorkNeeds } from './constant-work.ts';

export interface CodeCheckNeeds extends ConstantWorkNeeds {
  readonly codes: Codes;
}

/**
 * Compares the digits with the code that was sent. The try is counted first, so that many at once are not compared more
 * often than many in a row. Throws `invalid_code` for all that may be wrong. It does not use up the code.
 */
export async function checkCode(
  needs: CodeCheckNeeds,
  email: string,
  purpose: CodePurpose,
  digits: string,
): Promise<{ user: User; codeId: string }> {
  const user = await countCodeTry(needs, email, purpose);
  const code = user.codes[purpose];
  if (!code || !needs.codes.matches(user, purpose, digits)) throw identityErrors.invalidCode();
  return { user, codeId: code.id };
}
