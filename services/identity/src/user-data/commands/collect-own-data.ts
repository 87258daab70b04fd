import { randomUUID } from 'node:crypto';
import { toExportPages, type ExportPage } from '@storefront/contracts';
import type { PersonalData } from '@storefront/user-data';
import type { User } from '../../domain/user.ts';
import type { ExportedData, UserExport } from '../domain/data-request.ts';
import type { ExportPages } from '../store/export-pages.ts';

export interface OwnDataNeeds {
  /** How each area of identity collects its data, in the order of the export. */
  readonly kept: readonly PersonalData[];
  readonly exportPages: ExportPages;
}

/**
 * Collects identity's own data about the user. One page is returned directly; several pages are stored. An aborted
 * `signal` ends the work between two pages. After a failure the stored pages are removed. If the database is away they
 * stay until the export expires.
 */
export async function collectOwnData(
  needs: OwnDataNeeds,
  user: User,
  { exportId, expiresAt }: UserExport,
  signal: AbortSignal,
): Promise<ExportedData & { readonly user: User }> {
  const { exportPages } = needs;
  const collection = randomUUID();
  const store = (page: number, data: ExportPage, pages?: number) =>
    exportPages.add({ userId: user.id, exportId, collection, page, pages, data }, expiresAt);
  let [page, held]: [number, ExportPage] = [0, {}];
  try {
    for await (const data of toExportPages(ownParts(needs, user))) {
      signal.throwIfAborted();
      if (page > 0) await store(page, held);
      [page, held] = [page + 1, data];
    }
    if (page === 1) return { user, data: held };
    await store(page, held, page);
  } catch (error) {
    if (page > 1) await exportPages.remove(exportId, collection).catch(() => undefined);
    throw error;
  }
  return { user, paged: { collection, pages: page } };
}

async function* ownParts({ kept }: OwnDataNeeds, { id: userId, email }: User): AsyncGenerator<object, void> {
  for (const { collect } of kept) yield* collect({ userId, email });
}
