import { ConfigError, Problem } from '@storefront/service-kit';
import type { Logger } from 'pino';
import type { IdentityConfig } from './config.ts';
import { createAdministrator } from './domain/administrator.ts';
import type { Identity } from './domain/ports.ts';

/** Makes the administrator that the configuration names, unless somebody has the email. */
export async function makeFirstAdministrator(
  identity: Identity,
  { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: IdentityConfig,
  logger: Logger,
): Promise<void> {
  if (!email) return;
  if (!password)
    throw new ConfigError('The configuration is not valid:\n  ADMIN_PASSWORD: is required with ADMIN_EMAIL');
  try {
    if (await createAdministrator(identity, { email, password }))
      logger.info({ email }, 'made the first administrator');
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error;
    const reasons = error.errors.map(({ message }) => `  ADMIN_PASSWORD: ${message}`);
    throw new ConfigError(`The configuration is not valid:\n${reasons.join('\n')}`, { cause: error });
  }
}
