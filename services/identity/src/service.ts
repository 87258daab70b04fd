import { identityInternalOperations, identityOperations } from '@storefront/contracts';
import { openCollections, servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { accountsCollections, openAccounts } from './accounts/accounts.ts';
import { administrationCollections, openAdministration } from './administration/administration.ts';
import { auditCollections, openAudit } from './audit/audit.ts';
import { configSchema, type IdentityConfig } from './config.ts';
import { factorsCollections, openFactors } from './factors/factors.ts';
import { createCodes } from './secrets/codes.ts';
import { createPasswordRules, createPasswords } from './secrets/passwords.ts';
import { openSessions, sessionsCollections } from './sessions/sessions.ts';
import { emails, openEmails } from './store/emails.ts';
import { openUsers, users } from './store/users.ts';
import { openUserData, userDataCollections } from './user-data/user-data.ts';

export const collections: readonly CollectionDefinition[] = [
  users,
  emails,
  ...auditCollections,
  ...sessionsCollections,
  ...factorsCollections,
  ...accountsCollections,
  ...administrationCollections,
  ...userDataCollections,
  ...servedCollections,
];

/** Keeps the users and their registration, logins and tokens, and the approval of trade accounts. */
export const service = defineService({ name: 'identity', config: configSchema, collections, start });

async function start(config: IdentityConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('identity', config, overrides);
  await openCollections(resources.database, collections);
  const audit = openAudit(resources, config);
  const shared = {
    auditLog: audit.log,
    users: openUsers(resources),
    emails: openEmails(resources.database),
    codes: createCodes(config.CODE_SECRET, config.CODE_SEALING_KEY),
    passwords: await createPasswords(),
    passwordRules: createPasswordRules(config.PASSWORD_MIN_LENGTH),
  };
  const sessions = await openSessions(resources, config, shared);
  const factors = openFactors(resources, config, { ...shared, sessions });
  const accounts = openAccounts(resources, config, { ...shared, sessions, factors });
  const ports = { ...shared, sessions, factors, registrations: accounts.registrations };
  const administration = await openAdministration(resources, config, ports);
  const userData = openUserData(resources, ports, [accounts, administration, factors, sessions, audit]);
  return await serve(resources, {
    operations: { ...identityOperations, ...identityInternalOperations },
    areas: [audit, sessions, factors, accounts, administration, userData],
  });
}
