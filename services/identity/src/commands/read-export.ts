import { joinExportPages } from '@storefront/contracts';
import { exportIdOf, findExport } from '../domain/data-request.ts';
import type { StoredPages, UserExport } from '../domain/data-request.ts';
import type { Exports } from '../store/data-requests.ts';
import type { ExportPages } from '../store/export-pages.ts';

interface Needs {
  readonly exports: Exports;
  readonly exportPages: ExportPages;
  readonly now: () => Date;
}

/** The user's export. Throws `not_found` where it has expired, was replaced, or is another user's. */
export async function readExport({ exports, now }: Needs, userId: string, exportId: string): Promise<UserExport> {
  const found = await exports.load(exportIdOf(userId));
  return findExport(found?.state ?? null, exportId, now());
}

/** The data of an export that is ready, as JSON, in chunks that are read as they are asked for. */
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
