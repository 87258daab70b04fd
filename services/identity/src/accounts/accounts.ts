import type { identityOperations, PasswordRules } from '@storefront/contracts';
import type { Area, Resources } from '@storefront/service';
import type { AuditLog } from '../audit/audit.ts';
import type { IdentityConfig } from '../config.ts';
import { exportedUser } from '../domain/user.ts';
import type { FactorsArea } from '../factors/factors.ts';
import type { Codes } from '../secrets/codes.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { SessionsArea } from '../sessions/sessions.ts';
import type { Emails } from '../store/emails.ts';
import type { Users } from '../store/users.ts';
import { passwordHandlers } from './routes/passwords.ts';
import { registrationHandlers } from './routes/registration.ts';
import { userHandlers } from './routes/users.ts';
import { createFlowIds } from './secrets/flow-ids.ts';
import { createPasswordTags } from './secrets/password-tags.ts';
import { codeCounts, openCodeCounts } from './store/code-counts.ts';
import { decoys, openDecoys } from './store/decoys.ts';
import { emailChanges, openEmailChanges } from './store/email-changes.ts';
import { openRecoveries, recoveries } from './store/recoveries.ts';
import { openRegistrations, registrations, type Registrations } from './store/registrations.ts';
import { openReversals } from './store/reversals.ts';
import { openSenderBudgets, senderBudgets } from './store/sender-budgets.ts';

export { readSnapshots } from './commands/read-snapshots.ts';
export type { Registration } from './domain/registration.ts';
export { openRegistrations, type Registrations } from './store/registrations.ts';

export const accountsCollections = [registrations, recoveries, codeCounts, senderBudgets, decoys, emailChanges];

export interface AccountsArea extends Area<typeof identityOperations> {
  readonly registrations: Pick<Registrations, 'unprovedTrade' | 'idsOf'>;
}

interface Ports {
  readonly auditLog: AuditLog;
  readonly codes: Codes;
  readonly emails: Emails;
  readonly factors: FactorsArea;
  readonly passwordRules: PasswordRules;
  readonly passwords: Passwords;
  readonly sessions: SessionsArea;
  readonly users: Users;
}

/**
 * Lets users manage their accounts: registration, login by password, recovery, and changes of profile, password and
 * email.
 */
export function openAccounts(resources: Resources, { CODE_SECRET }: IdentityConfig, ports: Ports): AccountsArea {
  const { controlChanges } = ports.factors;
  const opened = openRegistrations(resources, ports);
  const stores = { ...ports, controlChanges, recoveries: openRecoveries(resources, { ...ports, controlChanges }) };
  const changes = openEmailChanges(resources, stores);
  const needs = {
    ...stores,
    now: resources.now,
    registrations: opened,
    emailChanges: changes,
    reversals: openReversals(resources, { ...stores, emailChanges: changes }),
    codeCounts: openCodeCounts(resources, CODE_SECRET),
    senderBudgets: openSenderBudgets(resources, CODE_SECRET),
    decoys: openDecoys(resources),
    flowIds: createFlowIds(CODE_SECRET),
    passwordTags: createPasswordTags(CODE_SECRET),
  };
  const load = async (userId: string) => (await ports.users.load(userId))?.state;
  return {
    registrations: opened,
    handlers: { ...registrationHandlers(needs), ...passwordHandlers(needs), ...userHandlers(needs) },
    userData: {
      async *collect({ userId }) {
        const user = await load(userId);
        if (user) yield { user: exportedUser(user) };
      },
      async erase({ userId }) {
        const user = await load(userId);
        if (!user) return;
        await Promise.all([
          needs.codeCounts.forget(user.email),
          needs.recoveries.erase(userId),
          needs.registrations.erase(user.email),
          needs.emailChanges.erase(userId),
          needs.reversals.erase(user, needs.now()),
        ]);
      },
    },
  };
}
