import {
  identityHttp,
  queues,
  type identityInternalOperations,
  type identityOperations,
  type PasswordRules,
} from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import type { Area, Resources } from '@storefront/service';
import type { AccountsArea } from '../accounts/accounts.ts';
import type { AuditLog } from '../audit/audit.ts';
import type { IdentityConfig } from '../config.ts';
import type { FactorsArea } from '../factors/factors.ts';
import { createOpaqueTokens } from '../secrets/opaque-tokens.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { SessionsArea } from '../sessions/sessions.ts';
import type { Emails } from '../store/emails.ts';
import type { Users } from '../store/users.ts';
import { createFirstAdministrator } from './commands/create-administrator.ts';
import { onPurchaseMade } from './events/on-purchase-made.ts';
import { apiTokenHandlers } from './routes/api-tokens.ts';
import { staffHandlers } from './routes/staff.ts';
import { tradeAccountHandlers } from './routes/trade-accounts.ts';
import { userDirectoryHandlers } from './routes/user-directory.ts';
import { apiTokens, openApiTokens } from './store/api-tokens.ts';
import { openPurchases, purchases } from './store/purchases.ts';
import { staffChanges, openStaff } from './store/staff.ts';

export { createAdministrator } from './commands/create-administrator.ts';
export { changeRole, logStaffOut, reviewStaff } from './commands/review-staff.ts';
export { assertStaff } from './domain/staff-member.ts';
export { openStaff, type Staff } from './store/staff.ts';

export const administrationCollections = [apiTokens, purchases, staffChanges];

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
 * Lets staff find accounts and review trade accounts, and administrators manage the staff. Creates the administrator that
 * the configuration names, if it names one. Throws ConfigError for a weak password.
 */
export async function openAdministration(
  resources: Resources,
  config: IdentityConfig,
  ports: Ports,
): Promise<Area<typeof identityOperations & typeof identityInternalOperations>> {
  const { cursors, database, logger, now } = resources;
  const needs = {
    ...ports,
    staff: openStaff({ ...resources, ...ports }),
    purchases: openPurchases(database),
    cursors,
    logger,
    now,
  };
  await createFirstAdministrator(needs, config);
  return {
    handlers: {
      ...staffHandlers(needs),
      ...apiTokenHandlers({
        ...needs,
        apiTokens: openApiTokens({ ...resources, ...ports }),
        newTokens: createOpaqueTokens(identityHttp.apiTokenPrefix),
        accessSeconds: config.ACCESS_TOKEN_SECONDS,
      }),
      ...tradeAccountHandlers(needs),
      ...userDirectoryHandlers(needs),
    },
    subscriptions: [subscription(queues.identity.onPurchaseMade, onPurchaseMade(needs))],
    userData: {
      // The services that own orders and invoices export them.
      async *collect() {},
      erase: ({ userId }) => needs.purchases.removeOf(userId),
    },
  };
}
