import type { AccountNeeds } from './account-needs.ts';

/**
 * Proves that the client made a registration: the registration's secret id or, on another device, email and password.
 */
export type RegistrationSecret =
  | { readonly registrationId: string }
  | { readonly email: string; readonly password: string };

/**
 * The digest of the registration that the secret belongs to; null where no registration has that email and password.
 */
export async function findRegistration(needs: AccountNeeds, secret: RegistrationSecret): Promise<string | null> {
  if ('registrationId' in secret) return needs.flowIds.digestOf(secret.registrationId);
  const { email, password } = secret;
  const found = await needs.registrations.findNewest(email, needs.passwordTags.of(email, password), needs.now());
  // The tag only finds a candidate, since another password may have the same tag.
  const isRight = await needs.passwords.verify(found?.passwordHash ?? null, password);
  return found && isRight ? found.id : null;
}
