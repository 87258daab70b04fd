import { randomUUID } from 'node:crypto';
import { allPages, toExportPages, type ExportPage } from '@storefront/contracts';
import { exportEntries } from '../../audit/commands/export-entries.ts';
import type { ReadEntriesNeeds } from '../../audit/commands/read-entries.ts';
import { activityOf } from '../../audit/domain/activity.ts';
import type { ControlChanges } from '../../factors/store/control-changes.ts';
import type { FactorStore } from '../../factors/store/factors.ts';
import type { ExportedData, UserExport } from '../domain/data-request.ts';
import { showAccount, showSession } from '../domain/own-data.ts';
import type { User } from '../../domain/user.ts';
import type { ExportPages } from '../store/export-pages.ts';
import type { Sessions } from '../../sessions/store/sessions.ts';

export interface OwnDataNeeds extends ReadEntriesNeeds {
  readonly sessions: Sessions;
  readonly factors: FactorStore;
  readonly controlChanges: Pick<ControlChanges, 'openOf'>;
  readonly exportPages: ExportPages;
  readonly now: () => Date;
}

const readAtOnce = 200;

/**
 * Collects what identity keeps about the user: one page as it is, several as pages that are stored. `signal` ends it between
 * two pages. Where it fails it leaves no pages, unless the database is away; then they stay until the export expires.
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

async function* ownParts(needs: OwnDataNeeds, user: User): AsyncGenerator<object, void> {
  const [known, changes] = await Promise.all([
    needs.factors.load(user.id),
    needs.controlChanges.openOf(user.id, needs.now()),
  ]);
  yield showAccount(user, known?.state ?? null, changes);
  for await (const sessions of allPages((slice) => needs.sessions.all(user.id, slice), readAtOnce))
    yield { sessions: sessions.map(showSession) };
  for await (const entries of exportEntries(needs, { user: user.id }, 'newest'))
    yield { activity: entries.map((entry) => activityOf(entry, user.id)) };
}
