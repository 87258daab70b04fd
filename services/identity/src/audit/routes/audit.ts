import { auditRecord, isId, type identityHttp, type identityOperations } from '@storefront/contracts';
import { csvMediaType } from '@storefront/csv';
import { actorOf, streamPages, type Cursors, type Handlers } from '@storefront/http';
import type { AuditLog } from '../commands/audit-log.ts';
import { exportEntries, readEntries, type EntryQuery, type ReadEntriesNeeds } from '../commands/read-entries.ts';
import { activityOf } from '../domain/activity.ts';
import { auditCsv } from '../domain/export-lines.ts';
import type { AuditEntry } from '../domain/entry.ts';

type Parts = ReadEntriesNeeds & { readonly cursors: Cursors; readonly auditLog: AuditLog; readonly now: () => Date };
type Filters = Pick<EntryQuery, 'action' | 'outcome' | 'user' | 'from' | 'to'> & {
  readonly object?: string | undefined;
};

type Lines = ReturnType<typeof auditCsv>;

const ndjson: Lines = {
  head: '',
  lines: (entries) => entries.map((entry) => `${JSON.stringify(showEntry(entry))}\n`).join(''),
};

/** Staff read and export the log; users read the entries that concern them. */
export function auditHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'listAudit' | 'exportAudit' | 'listActivity'> {
  const { cursors, auditLog, now } = parts;
  return {
    listAudit({ caller, query }) {
      const { limit: _limit, cursor: _cursor, ...filters } = query;
      return cursors.page(
        { list: 'audit', owner: caller.sub, query },
        (slice) => readEntries(parts, queryOf(filters), slice),
        showEntry,
      );
    },

    async exportAudit(request, reply) {
      const { format, dialect, to = now(), ...filters } = request.query;
      // `to` is the present time by default, so that later entries are left out. Otherwise the export of a busy log
      // would never end.
      await auditLog.record(auditRecord(actorOf(request), 'audit-exported', { object: { type: 'audit', id: null } }));
      const entries = exportEntries(parts, queryOf({ ...filters, to }), 'oldest');
      const { head, lines } = format === 'csv' ? auditCsv(dialect) : ndjson;
      const text = await streamPages(head, entries, lines);
      return reply
        .header('content-disposition', `attachment; filename="audit.${format}"`)
        .type(format === 'csv' ? csvMediaType : 'application/x-ndjson; charset=utf-8')
        .send(text);
    },

    listActivity: ({ caller: { sub }, query }) =>
      cursors.page(
        { list: 'activity', owner: sub, query },
        (slice) => readEntries(parts, { user: sub }, slice),
        (entry) => showActivity(entry, sub),
      ),
  };
}

function queryOf({ object, ...filters }: Filters): EntryQuery {
  return object === undefined ? filters : { ...filters, object: { id: object, isUser: isId('user', object) } };
}

function showEntry({ at, actor, addressHash, ...entry }: AuditEntry): identityHttp.AuditEntryBody {
  const { id, action, outcome, reason, object, about, details, erased } = entry;
  return {
    id,
    at: at.toISOString(),
    action,
    outcome,
    reason,
    who: { ...actor, addressHash },
    object,
    about,
    details,
    erased,
  };
}

function showActivity(entry: AuditEntry, userId: string): identityHttp.ActivityEntryBody {
  const { at, ...activity } = activityOf(entry, userId);
  return { ...activity, at: at.toISOString() };
}
