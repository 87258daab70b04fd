import {
  changed,
  deleted,
  derivedId,
  fact,
  identityEvents,
  notFound,
  unchanged,
  userDataKeepers,
  type Decision,
  type Fact,
  type UserDataKeeper,
} from '@storefront/contracts';
import { personOf, type User } from '../../domain/user.ts';

/** A request to every service that keeps data about people. A user has at most one of each kind. */
export interface UserDataRequest {
  readonly id: string;
  readonly userId: string;
  readonly requestedAt: Date;
  /** The services that have not answered yet. */
  readonly waitingFor: readonly UserDataKeeper[];
  /** How often the request was published. */
  readonly asks: number;
  /** Missing until the request is first checked. */
  readonly watch?: Watch | undefined;
}

/** When a waiting request was first checked, and when it is due next. In the database's time. */
interface Watch {
  readonly since: Date;
  readonly nextAt: Date;
}

/** The erasure of a user. It is deleted together with the user. */
export type UserErasure = UserDataRequest;

/** An export of a user's data. */
export interface UserExport extends UserDataRequest {
  readonly exportId: string;
  /** The data of each service that has answered in one piece; of all such services once the export is ready. */
  readonly parts: Readonly<Record<string, unknown>>;
  /** For each service whose data is stored in pages: which pages. */
  readonly paged?: Readonly<Record<string, StoredPages>> | undefined;
  readonly readyAt: Date | null;
  readonly expiresAt: Date;
}

/** The pages of one reading of a service's data. */
export interface StoredPages {
  readonly collection: string;
  readonly pages: number;
}

/** The data of one service, in one piece or in pages that are stored already. */
export type ExportedData = { readonly data: Readonly<Record<string, unknown>> } | { readonly paged: StoredPages };

/** The part of one service in an export. */
export type ExportPart = ExportedData & { readonly exportId: string; readonly keeper: UserDataKeeper };

/** The id under which a user's erasure is stored. */
export function erasureIdOf(userId: string): string {
  return `erasure/${userId}`;
}

/** The id under which a user's export is stored. */
export function exportIdOf(userId: string): string {
  return `export/${userId}`;
}

const dayMs = 24 * 60 * 60 * 1000;
const exportKeptMs = 7 * dayMs;
// A service that has not answered for so long may have lost the request, so a new one is allowed.
const unansweredMs = dayMs;

export function newErasure(userId: string, now: Date): UserErasure {
  return { id: erasureIdOf(userId), userId, requestedAt: now, waitingFor: userDataKeepers, asks: 1 };
}

/**
 * The event that requests the erasure of a user. A repeated request is the same event, so that no service erases twice;
 * `waitingFor` then names the services that have to answer. `registrations` are those of the email.
 */
export function erasureRequested(
  { id, email, role }: Pick<User, 'id' | 'email' | 'role'>,
  registrations: readonly string[],
  waitingFor?: readonly UserDataKeeper[],
): Fact {
  const data = { email, role, registrations: [...registrations], ...(waitingFor && { waitingFor: [...waitingFor] }) };
  return { ...fact(identityEvents.userErasureRequested, id, data), id: derivedId('evt', id, 'erasure-requested') };
}

/** Records that a service has erased its part. */
export function recordErased(
  current: UserErasure | null,
  keeper: UserDataKeeper,
): Decision<UserErasure, UserErasure | null> {
  if (!current?.waitingFor.includes(keeper)) return unchanged(current);
  return changed({ ...current, waitingFor: without(current.waitingFor, keeper) }, []);
}

/**
 * Requests everything that is kept about the user. Changes nothing, and returns the present export, where that is still being made
 * or has this id already.
 */
export function startExport(
  current: UserExport | null,
  { userId, email, exportId }: { userId: string; email: string; exportId: string },
  now: Date,
): Decision<UserExport, UserExport> {
  if (current?.exportId === exportId) return unchanged(current);
  if (current && current.readyAt === null && now.getTime() - current.requestedAt.getTime() < unansweredMs)
    return unchanged(current);
  const requested: UserExport = {
    id: exportIdOf(userId),
    userId,
    exportId,
    requestedAt: now,
    waitingFor: userDataKeepers,
    asks: 1,
    parts: {},
    readyAt: null,
    expiresAt: exportExpiry(now),
  };
  return changed(requested, [fact(identityEvents.userExportRequested, userId, { exportId, email })]);
}

/** Whether the export waits for the part of that service. */
export function awaitsPart(
  current: UserExport | null,
  { exportId, keeper }: Pick<ExportPart, 'exportId' | 'keeper'>,
): current is UserExport {
  return current?.exportId === exportId && current.waitingFor.includes(keeper);
}

/**
 * Adds the part of a service. With the last part it also adds identity's own part, `own`, and the export is ready. Where `own` is
 * missing then, adds nothing and returns true.
 */
export function addPart(
  current: UserExport | null,
  part: ExportPart,
  own: (ExportedData & { readonly user: User }) | null,
  now: Date,
): Decision<UserExport, boolean> {
  if (!awaitsPart(current, part)) return unchanged(false);
  const waitingFor = without(current.waitingFor, part.keeper);
  const added = withData({ ...current, waitingFor }, part.keeper, part);
  if (waitingFor.length > 0) return changed(added, [], false);
  if (own === null) return unchanged(true);
  const ready: UserExport = { ...withData(added, 'identity', own), readyAt: now, expiresAt: exportExpiry(now) };
  const data = { ...personOf(own.user), exportId: current.exportId };
  return changed(ready, [fact(identityEvents.userExportReady, current.userId, data)], false);
}

/** When an export that is requested now, or becomes ready now, is deleted. */
export function exportExpiry(now: Date): Date {
  return new Date(now.getTime() + exportKeptMs);
}

function withData(current: UserExport, service: string, data: ExportedData): UserExport {
  return 'data' in data
    ? { ...current, parts: { ...current.parts, [service]: data.data } }
    : { ...current, paged: { ...current.paged, [service]: data.paged } };
}

/** The export with that id. Throws `not_found` where it has expired, was replaced, or is another user's. */
export function findExport(current: UserExport | null, exportId: string, now: Date): UserExport {
  if (current?.exportId !== exportId || current.expiresAt <= now) throw notFound('export');
  return current;
}

/** Deletes a request, if it is still there. */
export function deleteRequest(current: UserDataRequest | null): Decision<never, null> {
  return current ? deleted([], null) : unchanged(null);
}

function without(keepers: readonly UserDataKeeper[], keeper: UserDataKeeper): readonly UserDataKeeper[] {
  return keepers.filter((other) => other !== keeper);
}
