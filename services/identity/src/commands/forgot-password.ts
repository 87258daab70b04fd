import { sendResetCode } from '../domain/password.ts';
import type { Codes } from '../secrets/codes.ts';
import { changeByEmail } from './constant-work.ts';
import type { ConstantWorkNeeds } from './constant-work.ts';

interface Needs extends ConstantWorkNeeds {
  readonly codes: Codes;
}

/** Sends a code for a new password, if the email has an account. */
export async function forgotPassword(needs: Needs, email: string): Promise<void> {
  const code = await needs.codes.create();
  await changeByEmail(needs, email, (current) => sendResetCode(current, code, needs.now()));
}
