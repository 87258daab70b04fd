import { countTryOrPretend } from './as-much-work.ts';
import { invalidCode } from './errors.ts';
import type { Identity } from './ports.ts';
import type { Purpose, User } from './user.ts';

/**
 * Compares a code with the one that was sent, having counted the try first: fifty at once are compared no more often than
 * five in a row. Throws `invalid_code` whatever is wrong. The code is not used up by this.
 */
export async function tryCode(
  identity: Identity,
  email: string,
  purpose: Purpose,
  digits: string,
): Promise<{ user: User; codeId: string }> {
  const user = await countTryOrPretend(identity, email, purpose);
  const code = user.codes[purpose];
  if (!code || !identity.codes.matches(user, purpose, digits)) throw invalidCode();
  return { user, codeId: code.id };
}
