import { auditEvents, derivedId } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { recordEntry, type RecordEntryNeeds } from '../commands/record-entry.ts';

/** A service has changed something that the audit log keeps. The entry's id is made from the event's. */
export function onActionAudited(needs: RecordEntryNeeds) {
  return Object.values(auditEvents).map((contract) =>
    on(contract, ({ id, time, data: record }) =>
      recordEntry(needs, { id: derivedId('aud', id, 'entry'), at: new Date(time), record }),
    ),
  );
}
