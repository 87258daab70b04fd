import { queues, type identityOperations } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { defineBudgets, openBudgets } from '@storefront/mongo';
import type { Area, Resources } from '@storefront/service';
import type { IdentityConfig } from '../config.ts';
import { createAuditLog, type AuditLog } from './commands/audit-log.ts';
import { exportEntries } from './commands/read-entries.ts';
import { activityOf } from './domain/activity.ts';
import { onActionAudited } from './events/on-action-audited.ts';
import { auditHandlers } from './routes/audit.ts';
import { createPersonCipher } from './secrets/person-cipher.ts';
import { auditEntries, openEntries } from './store/entries.ts';
import { auditKeys, openPersonKeys } from './store/person-keys.ts';

export type { AuditLog } from './commands/audit-log.ts';

/** Counts the entries of each kind on each day. The name of a count is stored as a keyed hash. */
const auditFloods = defineBudgets('audit_floods');

export const auditCollections = [auditEntries, auditFloods, auditKeys];

export interface AuditArea extends Area<typeof identityOperations> {
  /** Records actions that change no document with an outbox. */
  readonly log: AuditLog;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The audit log of all services: who did what to which object, from which address and device, and when. */
export function openAudit(resources: Resources, config: IdentityConfig): AuditArea {
  const { cursors, database, logger, now, opened } = resources;
  const cipher = createPersonCipher(config.KEY_ENCRYPTION_SECRET);
  const stores = {
    entries: openEntries(database),
    floods: openBudgets(database, auditFloods, { windowMs: dayMs, idOf: (name) => cipher.hash('flood', name) }),
    personKeys: openPersonKeys(resources, cipher),
    hashAddress: (ip: string) => cipher.hash('address', ip),
  };
  const log = createAuditLog({ ...stores, logger, now });
  opened.defer(() => log.close());
  return {
    log,
    handlers: auditHandlers({ ...stores, cursors, now, auditLog: log }),
    subscriptions: [subscription(queues.identity.onActionAudited, onActionAudited(stores))],
    userData: {
      async *collect({ userId }) {
        for await (const entries of exportEntries(stores, { user: userId }, 'newest'))
          yield { activity: entries.map((entry) => activityOf(entry, userId)) };
      },
      erase: ({ userId }) => stores.personKeys.forget(userId),
    },
  };
}
