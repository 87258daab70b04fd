import { audited, withFacts, type Actor } from '@storefront/contracts';
import { newCode } from './new-code.ts';
import { sendCodeAgain, sendsAgain } from '../domain/registration.ts';
import { findRegistration, type FindNeeds, type RegistrationSecret } from './find-registration.ts';
import type { RegisterNeeds } from './register.ts';

/** Has another code mailed for the registration of whoever holds its secret. */
export async function resendCode(
  needs: FindNeeds & RegisterNeeds,
  secret: RegistrationSecret,
  actor: Actor,
): Promise<void> {
  const { registrations, decoys, now } = needs;
  const id = await findRegistration(needs, secret);
  const registration = id === null ? null : ((await registrations.load(id))?.state ?? null);
  if (!registration || !sendsAgain(registration, now())) {
    await decoys.write();
    return;
  }
  const code = await newCode(needs, registration.email, registration.purpose.kind !== 'none');
  await registrations.change(registration.id, (current) =>
    withFacts(
      sendCodeAgain(current, code, now()),
      audited('identity', actor, 'code-requested', { object: { type: 'registration', id: registration.id } }),
    ),
  );
}
