import { queues, type identityOperations } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import type { Area, Resources } from '@storefront/service';
import type { AccountsArea } from '../accounts/accounts.ts';
import type { AuditLog } from '../audit/audit.ts';
import type { FactorsArea } from '../factors/factors.ts';
import type { SessionsArea } from '../sessions/sessions.ts';
import type { Emails } from '../store/emails.ts';
import type { Users } from '../store/users.ts';
import { onUserDataAnswered, onUserDataPageExported } from './events/on-user-data-answered.ts';
import { watchDataRequests } from './jobs/watch-data-requests.ts';
import { userDataHandlers } from './routes/user-data.ts';
import { dataRequests, openDataRequests } from './store/data-requests.ts';
import { exportPages, openExportPages } from './store/export-pages.ts';

export { eraseAgain } from './commands/erase-again.ts';
export { openDataRequests } from './store/data-requests.ts';

export const userDataCollections = [dataRequests, exportPages];

interface Ports {
  readonly auditLog: AuditLog;
  readonly emails: Emails;
  readonly factors: FactorsArea;
  readonly registrations: AccountsArea['registrations'];
  readonly sessions: SessionsArea;
  readonly users: Users;
}

/**
 * Erases and exports the data of a user in all services. `areas` are the areas of identity that keep such data, in the
 * order of the export.
 */
export function openUserData(
  resources: Resources,
  ports: Ports,
  areas: readonly Area<typeof identityOperations>[],
): Area<typeof identityOperations> {
  const { database, logger, metrics, now, opened } = resources;
  const needs = {
    ...ports,
    ...openDataRequests(resources, ports.users),
    exportPages: openExportPages(database),
    kept: areas.flatMap(({ userData }) => userData ?? []),
    logger,
    metrics,
    now,
  };
  const watch = watchDataRequests(needs);
  opened.defer(() => watch.stop());
  return {
    handlers: userDataHandlers(needs),
    subscriptions: [
      subscription(queues.identity.onUserDataAnswered, onUserDataAnswered(needs)),
      subscription(queues.identity.onUserDataPageExported, onUserDataPageExported(needs)),
    ],
    // Overdue requests are only reported. The service stays ready, since it can still serve requests.
    readiness: { dataRequests: () => ({ ok: true, overdue: watch.overdue() }) },
  };
}
