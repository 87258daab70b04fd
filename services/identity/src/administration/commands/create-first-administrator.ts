import { Refusal } from '@storefront/contracts';
import { ConfigError } from '@storefront/process';
import type { Logger } from 'pino';
import type { IdentityConfig } from '../../config.ts';
import { createAdministrator, type CreateAdministratorNeeds } from './create-administrator.ts';

interface Needs extends CreateAdministratorNeeds {
  readonly logger: Logger;
}

/** Creates the administrator that the configuration names, if it names one. Throws ConfigError for a weak password. */
export async function createFirstAdministrator(
  needs: Needs,
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
