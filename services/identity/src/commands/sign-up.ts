import { randomUUID } from 'node:crypto';
import { codeTimes } from '../domain/code.ts';
import { registerRetail } from '../domain/registration.ts';
import type { Registration } from '../domain/registration.ts';
import type { Applicant } from '../domain/user.ts';
import type { Codes } from '../secrets/codes.ts';
import type { Passwords } from '../secrets/passwords.ts';
import { ownerOrNew } from './constant-work.ts';
import type { ConstantWorkNeeds } from './constant-work.ts';

export interface RegistrationNeeds extends ConstantWorkNeeds {
  readonly passwords: Passwords;
  readonly codes: Codes;
}

export type RegistrationForm = Omit<Applicant, 'passwordHash'> & { readonly password: string };

/**
 * Registers a consumer; returns when the code expires and when the next one may be requested. The result and the work are
 * the same whether the email has an account or not. Repeated with the same `registrationId`, it changes nothing more.
 */
export async function signUp(
  needs: RegistrationNeeds,
  form: RegistrationForm,
  registrationId: string = randomUUID(),
): Promise<{ expiresAt: Date; resendAfter: Date }> {
  const { applicant, registration } = await prepareRegistration(needs, form, registrationId);
  await needs.users.change(registration.userId, (current) => registerRetail(current, applicant, registration));
  return codeTimes(registration.now);
}

/** Hashes the password, makes a code and finds the user's id: the same work whether the email has an account or not. */
export async function prepareRegistration(
  needs: RegistrationNeeds,
  { password, ...person }: RegistrationForm,
  id: string,
): Promise<{ applicant: Applicant; registration: Registration }> {
  const [passwordHash, code] = await Promise.all([needs.passwords.hash(password), needs.codes.create()]);
  const userId = await ownerOrNew(needs, person.email);
  return { applicant: { ...person, passwordHash }, registration: { id, userId, code, now: needs.now() } };
}
