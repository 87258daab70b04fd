import { auditRecord, joinExportPages, type Actor } from '@storefront/contracts';
import { exportIdOf, findExport, type StoredPages, type UserExport } from '../domain/data-request.ts';
import type { Exports } from '../store/data-requests.ts';
import type { ExportPages } from '../store/export-pages.ts';
import type { CallerSession } from '../../domain/caller.ts';
import type { AuditLog } from '../../audit/audit.ts';
import type { FactorsArea } from '../../factors/factors.ts';

interface Needs {
  readonly factors: Pick<FactorsArea, 'requireFreshProof'>;
  readonly now: () => Date;
  readonly exports: Exports;
  readonly exportPages: ExportPages;
  readonly auditLog: Pick<AuditLog, 'record'>;
}

/**
 * The user's export. Once the export has data, the caller needs a fresh proof, since the export may be read long after
 * it was requested. Throws `not_found` where it has expired, was replaced, or belongs to another user.
 */
export async function readExport(needs: Needs, caller: CallerSession, exportId: string): Promise<UserExport> {
  const loaded = await needs.exports.load(exportIdOf(caller.sub));
  const found = findExport(loaded?.state ?? null, exportId, needs.now());
  if (found.readyAt !== null) await needs.factors.requireFreshProof(caller);
  return found;
}

/**
 * The export of that user, for an administrator. Once it has data, reading it needs a fresh proof of the administrator
 * and is an entry of the audit log. Throws `not_found` as `readExport`.
 */
export async function readExportByStaff(
  needs: Needs,
  caller: CallerSession,
  { userId, exportId }: { readonly userId: string; readonly exportId: string },
  actor: Actor,
): Promise<UserExport> {
  const loaded = await needs.exports.load(exportIdOf(userId));
  const found = findExport(loaded?.state ?? null, exportId, needs.now());
  if (found.readyAt === null) return found;
  await needs.factors.requireFreshProof(caller);
  await needs.auditLog.record(auditRecord(actor, 'export-read', { object: { type: 'user', id: userId } }));
  return found;
}

/** The data of a finished export, as JSON, in chunks that are read one by one. */
export async function* exportedJson(
  { exportPages }: Pick<Needs, 'exportPages'>,
  { exportId, parts, paged = {} }: UserExport,
): AsyncGenerator<string, void> {
  let before = '{';
  for (const [service, data] of Object.entries(parts)) {
    yield `${before}${JSON.stringify(service)}:${JSON.stringify(data)}`;
    before = ',';
  }
  for (const [service, pages] of Object.entries(paged)) {
    yield `${before}${JSON.stringify(service)}:`;
    yield* joinExportPages(read(pages));
    before = ',';
  }
  yield before === '{' ? '{}' : '}';

  async function* read({ collection, pages }: StoredPages) {
    for (let page = 1; page <= pages; page += 1) yield await exportPages.read(exportId, collection, page);
  }
}
