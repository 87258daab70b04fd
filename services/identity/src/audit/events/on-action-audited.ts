import { auditEvents, derivedId } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { recordEntry, type RecordEntryNeeds } from '../commands/record-entry.ts';

/**
 * Records an action of any service. The entry's id is derived from the event's id, so a second delivery changes
 * nothing.
 */
export function onActionAudited(needs: RecordEntryNeeds) {
  return Object.values(auditEvents).map((contract) =>
    on(contract, ({ id, time, data: record }) =>
      recordEntry(needs, { id: derivedId('aud', id, 'entry'), at: new Date(time), record }),
    ),
  );
}
