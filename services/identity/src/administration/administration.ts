import { queues, type identityOperations, type PasswordRules } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import type { Area, Resources } from '@storefront/service';
import type { AccountsArea } from '../accounts/accounts.ts';
import type { AuditLog } from '../audit/audit.ts';
import type { IdentityConfig } from '../config.ts';
import type { FactorsArea } from '../factors/factors.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { SessionsArea } from '../sessions/sessions.ts';
import type { Emails } from '../store/emails.ts';
import type { Users } from '../store/users.ts';
import { createFirstAdministrator } from './commands/create-administrator.ts';
import { onPurchaseMade } from './events/on-purchase-made.ts';
import { administratorHandlers } from './routes/administrators.ts';
import { tradeAccountHandlers } from './routes/trade-accounts.ts';
import { userDirectoryHandlers } from './routes/user-directory.ts';
import { administratorChanges, openAdministrators } from './store/administrators.ts';
import { openPurchases, purchases } from './store/purchases.ts';

export { createAdministrator } from './commands/create-administrator.ts';
export { logAdministratorOut, reviewAdministrator } from './commands/review-administrator.ts';
export { assertAdministrator } from './domain/administrator.ts';
export { openAdministrators, type Administrators } from './store/administrators.ts';

export const administrationCollections = [administratorChanges, purchases];

interface Ports {
  readonly auditLog: AuditLog;
  readonly emails: Emails;
  readonly factors: FactorsArea;
  readonly passwordRules: PasswordRules;
  readonly passwords: Passwords;
  readonly registrations: AccountsArea['registrations'];
  readonly sessions: SessionsArea;
  readonly users: Users;
}

/**
 * Lets administrators find accounts, review trade accounts and manage administrators. Creates the administrator that
 * the configuration names, if it names one. Throws ConfigError for a weak password.
 */
export async function openAdministration(
  resources: Resources,
  config: IdentityConfig,
  ports: Ports,
): Promise<Area<typeof identityOperations>> {
  const { cursors, database, logger, now } = resources;
  const needs = {
    ...ports,
    administrators: openAdministrators({ ...resources, ...ports }),
    purchases: openPurchases(database),
    cursors,
    logger,
    now,
  };
  await createFirstAdministrator(needs, config);
  return {
    handlers: { ...administratorHandlers(needs), ...tradeAccountHandlers(needs), ...userDirectoryHandlers(needs) },
    subscriptions: [subscription(queues.identity.onPurchaseMade, onPurchaseMade(needs))],
    userData: {
      // The services that own orders and invoices export them.
      async *collect() {},
      erase: ({ userId }) => needs.purchases.removeOf(userId),
    },
  };
}
