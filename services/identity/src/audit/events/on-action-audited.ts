import { auditEvents, derivedId } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { recordWithinLimits, type AuditNeeds } from '../commands/record-within-limits.ts';

/** A service has changed something that the audit log keeps. The entry's id is made from the event's. */
export function onActionAudited(needs: AuditNeeds) {
  return Object.values(auditEvents).map((contract) =>
    on(contract, ({ id, time, data: record }) =>
      recordWithinLimits(needs, { id: derivedId('aud', id, 'entry'), at: new Date(time), record }),
    ),
  );
}
