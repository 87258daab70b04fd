import { audited, changed, newId, operator, Refusal, unchanged, type PasswordRules } from '@storefront/contracts';
import { ConfigError } from '@storefront/process';
import type { Logger } from 'pino';
import type { IdentityConfig } from '../../config.ts';
import { assertPasswordAllowed } from '../../domain/password-policy.ts';
import { newAdministrator } from '../../domain/user.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';

export interface CreateAdministratorNeeds {
  readonly emails: Emails;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly passwordRules: PasswordRules;
  readonly now: () => Date;
}

/**
 * Creates an administrator unless the email has an account of any kind. Returns whether an administrator was created.
 * Any number of instances may call this function at the same time.
 */
export async function createAdministrator(
  { emails, users, passwords, passwordRules, now }: CreateAdministratorNeeds,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const owner = await emails.ownerOf(email);
  if (owner && (await users.load(owner))) return false;
  assertPasswordAllowed('/password', password, {}, passwordRules);
  const passwordHash = await passwords.hash(password);
  const userId = await emails.claim(email, newId('user'));
  const { result } = await users.change(userId, (current) => {
    if (current) return unchanged(false);
    const fact = audited('identity', operator, 'administrator-created', { object: { type: 'user', id: userId } });
    return changed(newAdministrator(userId, { email, passwordHash }, now()), [fact], true);
  });
  return result;
}

/** Creates the administrator that the configuration names, if it names one. Throws ConfigError for a weak password. */
export async function createFirstAdministrator(
  needs: CreateAdministratorNeeds & { readonly logger: Logger },
  { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: Pick<IdentityConfig, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'>,
): Promise<void> {
  if (!email) return;
  if (!password)
    throw new ConfigError('The configuration is not valid:\n  ADMIN_PASSWORD: is required with ADMIN_EMAIL');
  try {
    if (await createAdministrator(needs, { email, password }))
      needs.logger.info({ email }, 'made the first administrator');
  } catch (error) {
    if (!(error instanceof Refusal) || !error.fields) throw error;
    const reasons = error.fields.map(({ message }) => `  ADMIN_PASSWORD: ${message}`);
    throw new ConfigError(`The configuration is not valid:\n${reasons.join('\n')}`, { cause: error });
  }
}
