import type { AccountNeeds } from './account-needs.ts';

/** What shows that somebody made a registration: its secret id; or, on another device, the email with the password. */
export type RegistrationSecret =
  | { readonly registrationId: string }
  | { readonly email: string; readonly password: string };

/** The digest of the registration of whoever holds the secret; null where the email and password are of none. */
export async function findRegistration(needs: AccountNeeds, secret: RegistrationSecret): Promise<string | null> {
  if ('registrationId' in secret) return needs.flowIds.digestOf(secret.registrationId);
  const { email, password } = secret;
  const found = await needs.registrations.findNewest(email, needs.passwordTags.of(email, password), needs.now());
  // The tag only finds it: another password may have the same.
  const isRight = await needs.passwords.verify(found?.passwordHash ?? null, password);
  return found && isRight ? found.id : null;
}
