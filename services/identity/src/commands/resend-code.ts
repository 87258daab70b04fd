import { sendCodeAgain } from '../domain/registration.ts';
import type { Codes } from '../secrets/codes.ts';
import { changeByEmail } from './constant-work.ts';
import type { ConstantWorkNeeds } from './constant-work.ts';

interface Needs extends ConstantWorkNeeds {
  readonly codes: Codes;
}

/** Sends another code to an email that waits for its verification. */
export async function resendCode(needs: Needs, email: string): Promise<void> {
  const code = await needs.codes.create();
  await changeByEmail(needs, email, (current) => sendCodeAgain(current, code, needs.now()));
}
