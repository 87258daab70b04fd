import { deletedIfAny } from '@storefront/contracts';
import {
  addPart,
  awaitsPart,
  exportExpiry,
  exportIdOf,
  type ExportPart,
  type UserExport,
} from '../domain/data-request.ts';
import type { User } from '../../domain/user.ts';
import type { Exports } from '../store/data-requests.ts';
import type { Users } from '../../store/users.ts';
import { collectOwnData, type OwnDataNeeds } from './collect-own-data.ts';

interface Needs extends OwnDataNeeds {
  readonly users: Users;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** One page of a service's part of an export. */
interface ReceivedPage extends Pick<ExportPart, 'exportId' | 'keeper'> {
  readonly collection: string;
  readonly page: number;
  readonly pages?: number | undefined;
  readonly data: object;
}

/**
 * Adds a service's part to an export. Parts may arrive in any order and more than once. An aborted `signal` ends the
 * work between two pages.
 */
export async function collectExport(
  needs: Needs,
  userId: string,
  part: ExportPart,
  signal: AbortSignal,
): Promise<void> {
  const awaited = await findAwaited(needs, userId, part);
  if (!awaited) return;
  const { exports, exportPages, now } = needs;
  const add = (own: Parameters<typeof addPart>[2]) =>
    exports.change(exportIdOf(userId), (current) => addPart(current, part, own, now()));
  // Identity's own data is read only after the last part has come.
  if (!(await add(null)).result) return;
  const own = await collectOwnData(needs, awaited.user, awaited.export, signal);
  await exportPages.keepUntil(part.exportId, exportExpiry(now()));
  await add(own);
  await findUser(needs, userId);
}

/**
 * Adds a page of a service's part to an export. With the last missing page the part is complete. `signal` is used as in
 * `collectExport`.
 */
export async function collectExportPage(
  needs: Needs,
  userId: string,
  received: ReceivedPage,
  signal: AbortSignal,
): Promise<void> {
  const awaited = await findAwaited(needs, userId, received);
  if (!awaited) return;
  const { exportId, keeper, ...page } = received;
  await needs.exportPages.add({ ...page, userId, exportId, pages: page.pages }, awaited.export.expiresAt);
  if (!(await findUser(needs, userId))) return;
  const pages = await needs.exportPages.complete(exportId, page.collection);
  if (pages === null) return;
  await collectExport(needs, userId, { exportId, keeper, paged: { collection: page.collection, pages } }, signal);
}

/**
 * The export that waits for this part, and its user. Null where no export waits for it, or where the user is being
 * erased.
 */
async function findAwaited(
  needs: Needs,
  userId: string,
  part: Pick<ExportPart, 'exportId' | 'keeper'>,
): Promise<{ readonly export: UserExport; readonly user: User } | null> {
  const [user, found] = await Promise.all([findUser(needs, userId), needs.exports.load(exportIdOf(userId))]);
  const current = found?.state ?? null;
  return user && awaitsPart(current, part) ? { export: current, user } : null;
}

/**
 * The user. Null where there is no such user or the erasure has begun: then the export is deleted. Call this function
 * after each write, too. The erasure may have ended after the user was looked up, and does not erase data that is
 * stored later.
 */
async function findUser({ users, exports, exportPages }: Needs, userId: string): Promise<User | null> {
  const user = (await users.load(userId))?.state;
  if (user && user.status !== 'erasing') return user;
  await exports.change(exportIdOf(userId), deletedIfAny);
  await exportPages.erase(userId);
  return null;
}
