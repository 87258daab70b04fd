import {
  changed,
  derivedId,
  fact,
  identityEvents,
  notFound,
  readingOf,
  unchanged,
  userDataKeepers,
  type Decision,
  type Fact,
  type Reading,
  type StateOf,
  type UserDataKeeper,
} from '@storefront/contracts';
import { z } from 'zod';
import { personOf, type User } from '../../domain/user.ts';

/** A request to every service that keeps data about people. A user has at most one request of each kind. */
const dataRequest = z.object({
  id: z.string(),
  userId: z.string(),
  requestedAt: z.date(),
  /** An administrator has requested it, not the user. */
  byStaff: z.boolean().optional(),
  /** The services that have not answered yet. */
  waitingFor: z.array(z.enum(userDataKeepers)),
  /** How often the request was published. */
  asks: z.int(),
  /**
   * When the waiting request was first checked, and when its next check is due, by the database's clock. Missing until
   * the request is first checked.
   */
  watch: z.object({ since: z.date(), nextAt: z.date() }).optional(),
});
export type UserDataRequest = StateOf<typeof dataRequest>;

/** The erasure of a user. It is deleted together with the user. */
export type UserErasure = UserDataRequest;

/** The stored pages of one reading of a service's data. `collection` identifies the reading. */
const storedPages = z.object({ collection: z.string(), pages: z.int() });
export type StoredPages = StateOf<typeof storedPages>;

/** An export of a user's data. */
const userExport = dataRequest.extend({
  exportId: z.string(),
  /** The data of each service that has sent its data in one piece. Complete once the export is ready. */
  parts: z.custom<Record<string, unknown>>(),
  /** The stored pages of each service that has sent its data in pages. */
  paged: z.record(z.string(), storedPages).optional(),
  readyAt: z.date().nullable(),
  expiresAt: z.date(),
});
export type UserExport = StateOf<typeof userExport>;

/** Erasures and exports are stored together. Only exports have the fields from `exportId` on. */
export const storedDataRequest = userExport.partial({ exportId: true, parts: true, readyAt: true, expiresAt: true });

/** The data of one service, in one piece or in pages that are stored already. */
export type ExportedData = { readonly data: Readonly<Record<string, unknown>> } | { readonly paged: StoredPages };

/** The part of one service in an export. */
export type ExportPart = ExportedData & { readonly exportId: string; readonly keeper: UserDataKeeper };

/** Who requests an erasure or an export. The user's mail about it says which. */
export type RequestedBy = 'user' | 'staff';
const byStaffIf = (by: RequestedBy) => (by === 'staff' ? { byStaff: true } : {});

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
// A service that has not answered after this time may have lost the request, so the user may request a new export.
const unansweredMs = dayMs;

export function newErasure(userId: string, now: Date, by: RequestedBy = 'user'): UserErasure {
  const request = { id: erasureIdOf(userId), userId, requestedAt: now, waitingFor: userDataKeepers, asks: 1 };
  return { ...request, ...byStaffIf(by) };
}

/**
 * The event that requests the erasure of a user. A repeated request is the same event, so that no service erases twice;
 * `waitingFor` then names the services that have to answer. `registrations` are the registrations of the user's email.
 */
export function erasureRequested(
  { id, email, role, ...more }: Pick<User, 'id' | 'email' | 'role'> & Reading,
  registrations: readonly string[],
  { by, waitingFor }: { readonly by: RequestedBy; readonly waitingFor?: readonly UserDataKeeper[] },
): Fact {
  const person = { email, role, ...readingOf(more) };
  const data = {
    ...person,
    registrations: [...registrations],
    ...byStaffIf(by),
    ...(waitingFor && { waitingFor: [...waitingFor] }),
  };
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
 * Requests all data that is kept about the user. If the present export is still being made or already has this id,
 * changes nothing and returns the present export.
 */
export function startExport(
  current: UserExport | null,
  { userId, email, exportId, by }: { userId: string; email: string; exportId: string; by: RequestedBy },
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
    ...byStaffIf(by),
  };
  return changed(requested, [fact(identityEvents.userExportRequested, userId, { exportId, email })]);
}

/** Whether the export still waits for the part of this service. */
export function awaitsPart(
  current: UserExport | null,
  { exportId, keeper }: Pick<ExportPart, 'exportId' | 'keeper'>,
): current is UserExport {
  return current?.exportId === exportId && current.waitingFor.includes(keeper);
}

/**
 * Adds the part of a service. With the last part, identity's own part `own` is added too, and the export is ready. If
 * `own` is null then, adds nothing and returns true: call it again with `own`.
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
  const data = { ...personOf(own.user), exportId: current.exportId, ...(current.byStaff && { byStaff: true }) };
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

/** The export with that id. Throws `not_found` where it has expired, was replaced, or belongs to another user. */
export function findExport(current: UserExport | null, exportId: string, now: Date): UserExport {
  if (current?.exportId !== exportId || current.expiresAt <= now) throw notFound('export');
  return current;
}

function without(keepers: readonly UserDataKeeper[], keeper: UserDataKeeper): readonly UserDataKeeper[] {
  return keepers.filter((other) => other !== keeper);
}
