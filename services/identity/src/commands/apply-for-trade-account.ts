import { randomUUID } from 'node:crypto';
import { registerTrade } from '../domain/registration.ts';
import type { TradeDetails } from '../domain/trade-account.ts';
import { prepareRegistration } from './sign-up.ts';
import type { RegistrationForm, RegistrationNeeds } from './sign-up.ts';

/** Registers a business. As for `signUp`, an email with an account makes no difference, nor does a repeated request. */
export async function applyForTradeAccount(
  needs: RegistrationNeeds,
  form: RegistrationForm,
  details: TradeDetails,
  registrationId: string = randomUUID(),
): Promise<{ submittedAt: Date }> {
  const { applicant, registration } = await prepareRegistration(needs, form, registrationId);
  await needs.users.change(registration.userId, (current) => registerTrade(current, applicant, details, registration));
  return { submittedAt: registration.now };
}
