import { changed, deleted, fact, identityEvents, notFound, unchanged, userDataKeepers } from '@storefront/contracts';
import type { Decision, UserDataKeeper } from '@storefront/contracts';
import { personOf } from './user.ts';
import type { User } from './user.ts';

/** A request to every service that keeps data about people. A user has at most one of each kind. */
interface UserDataRequest {
  readonly id: string;
  readonly userId: string;
  readonly requestedAt: Date;
  /** The services that have not answered yet. */
  readonly waitingFor: readonly UserDataKeeper[];
}

/** The erasure of a user. It is deleted together with the user. */
export type UserErasure = UserDataRequest;

/** An export of a user's data. */
export interface UserExport extends UserDataRequest {
  readonly exportId: string;
  /** The data of each service that has answered; of all services once the export is ready. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly readyAt: Date | null;
  readonly expiresAt: Date;
}

/** The data of one service for an export. */
export interface ExportPart {
  readonly exportId: string;
  readonly keeper: UserDataKeeper;
  readonly data: Readonly<Record<string, unknown>>;
}

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
// A service that has not answered for so long may have lost the request: a new one is worth a try.
const unansweredMs = dayMs;

export function newErasure(userId: string, now: Date): UserErasure {
  return { id: erasureIdOf(userId), userId, requestedAt: now, waitingFor: userDataKeepers };
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
 * Requests everything that is kept about the user. Returns the export that is being made, if there is one, and the export
 * that already has this id, ready or not.
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
    parts: {},
    readyAt: null,
    expiresAt: new Date(now.getTime() + exportKeptMs),
  };
  return changed(requested, [fact(identityEvents.userExportRequested, userId, { exportId, email })]);
}

/** Adds the part of a service. With the last part the export is ready, and gets identity's own part, `own`. */
export function addPart(
  current: UserExport | null,
  part: ExportPart,
  own: { readonly data: unknown; readonly user: User },
  now: Date,
): Decision<UserExport, null> {
  if (current?.exportId !== part.exportId || !current.waitingFor.includes(part.keeper)) return unchanged(null);
  const waitingFor = without(current.waitingFor, part.keeper);
  const parts = { ...current.parts, [part.keeper]: part.data };
  if (waitingFor.length > 0) return changed({ ...current, waitingFor, parts }, [], null);
  const ready: UserExport = {
    ...current,
    waitingFor,
    parts: { identity: own.data, ...parts },
    readyAt: now,
    expiresAt: new Date(now.getTime() + exportKeptMs),
  };
  const data = { ...personOf(own.user), exportId: current.exportId };
  return changed(ready, [fact(identityEvents.userExportReady, current.userId, data)], null);
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
