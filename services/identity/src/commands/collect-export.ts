import { addPart, awaitsPart, deleteRequest, exportExpiry, exportIdOf } from '../domain/data-request.ts';
import type { ExportPart, UserExport } from '../domain/data-request.ts';
import type { User } from '../domain/user.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Users } from '../store/users.ts';
import { collectOwnData } from './collect-own-data.ts';
import type { OwnDataNeeds } from './collect-own-data.ts';

interface Needs extends OwnDataNeeds {
  readonly users: Users;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** One page of what a service hands in. */
interface ReceivedPage extends Pick<ExportPart, 'exportId' | 'keeper'> {
  readonly collection: string;
  readonly page: number;
  readonly pages?: number | undefined;
  readonly data: object;
}

/** A service has sent its part of an export. It may be repeated, in any order. */
export async function collectExport(needs: Needs, userId: string, part: ExportPart): Promise<void> {
  const awaited = await findAwaited(needs, userId, part);
  if (!awaited) return;
  const { exports, exportPages, now } = needs;
  const add = (own: Parameters<typeof addPart>[2]) =>
    exports.change(exportIdOf(userId), (current) => addPart(current, part, own, now()));
  // Only the last part makes it necessary to read what identity keeps itself.
  if (!(await add(null)).result) return;
  const own = await collectOwnData(needs, awaited.user, awaited.export);
  await exportPages.keepUntil(part.exportId, exportExpiry(now()));
  await add(own);
}

/** A service has sent a page of its part. With the last page to come, the part is complete. */
export async function collectExportPage(needs: Needs, userId: string, received: ReceivedPage): Promise<void> {
  const awaited = await findAwaited(needs, userId, received);
  if (!awaited) return;
  const { exportId, keeper, ...page } = received;
  await needs.exportPages.add({ ...page, userId, exportId, pages: page.pages }, awaited.export.expiresAt);
  const pages = await needs.exportPages.complete(exportId, page.collection);
  if (pages === null) return;
  await collectExport(needs, userId, { exportId, keeper, paged: { collection: page.collection, pages } });
}

/** The export that waits for that part, and its user; null where there is none, or where the user is being erased. */
async function findAwaited(
  { users, exports }: Needs,
  userId: string,
  part: Pick<ExportPart, 'exportId' | 'keeper'>,
): Promise<{ readonly export: UserExport; readonly user: User } | null> {
  const [known, found] = await Promise.all([users.load(userId), exports.load(exportIdOf(userId))]);
  const user = known?.state;
  if (!user || user.status === 'erasing') {
    await exports.change(exportIdOf(userId), deleteRequest);
    return null;
  }
  const current = found?.state ?? null;
  return awaitsPart(current, part) ? { export: current, user } : null;
}
