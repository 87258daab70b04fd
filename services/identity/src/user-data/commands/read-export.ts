import { joinExportPages } from '@storefront/contracts';
import { exportIdOf, findExport, type StoredPages, type UserExport } from '../domain/data-request.ts';
import type { Exports } from '../store/data-requests.ts';
import type { ExportPages } from '../store/export-pages.ts';
import type { CallerSession } from '../../domain/caller.ts';
import type { FactorsArea } from '../../factors/factors.ts';

interface Needs {
  readonly factors: Pick<FactorsArea, 'requireFreshProof'>;
  readonly now: () => Date;
  readonly exports: Exports;
  readonly exportPages: ExportPages;
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
