import { fact, identityEvents, userDataKeepers } from '@storefront/contracts';
import type { UserDataKeeper } from '@storefront/contracts';
import { changed, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';

/** What was asked of every service that keeps data about people; a user has at most one of each kind. */
interface DataRequest {
  readonly id: string;
  readonly userId: string;
  readonly requestedAt: Date;
  /** Those that have not answered yet. */
  readonly waitingFor: readonly UserDataKeeper[];
}

/** The erasure of a user. It is gone when the user is. */
export type Erasure = DataRequest;

/** An export of a user's data. */
export interface Export extends DataRequest {
  readonly exportId: string;
  /** What has been handed in, by service. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly readyAt: Date | null;
  /** From then on it is gone. */
  readonly expiresAt: Date;
}

export function erasureOf(userId: string): string {
  return `erasure/${userId}`;
}

export function exportOf(userId: string): string {
  return `export/${userId}`;
}

const day = 24 * 60 * 60 * 1000;
const keptMs = 7 * day;
// Whatever keeps a service from answering for so long: asking again is worth a try.
const patienceMs = day;

export function newErasure(userId: string, now: Date): Erasure {
  return { id: erasureOf(userId), userId, requestedAt: now, waitingFor: userDataKeepers };
}

/** A service has erased its part. */
export function erasedBy(current: Erasure | null, keeper: UserDataKeeper): Decision<Erasure, Erasure | null> {
  if (!current?.waitingFor.includes(keeper)) return unchanged(current);
  return changed({ ...current, waitingFor: without(current.waitingFor, keeper) }, []);
}

/**
 * Asks for everything that is kept about the user. While one export is being made, it is that one; so it is, made or not,
 * under the id that it has.
 */
export function requestExport(
  current: Export | null,
  { userId, email, exportId }: { userId: string; email: string; exportId: string },
  now: Date,
): Decision<Export, Export> {
  if (current?.exportId === exportId) return unchanged(current);
  if (current && current.readyAt === null && now.getTime() - current.requestedAt.getTime() < patienceMs)
    return unchanged(current);
  const asked: Export = {
    id: exportOf(userId),
    userId,
    exportId,
    requestedAt: now,
    waitingFor: userDataKeepers,
    parts: {},
    readyAt: null,
    expiresAt: new Date(now.getTime() + keptMs),
  };
  return changed(asked, [fact(identityEvents.userExportRequested, userId, { exportId, email })]);
}

/** A service has handed in its part; with the last one the export is ready, and the user hears of it. */
export function handedIn(
  current: Export | null,
  part: { readonly exportId: string; readonly keeper: UserDataKeeper; readonly data: Record<string, unknown> },
  own: { readonly data: unknown; readonly person: { email: string; firstName: string; lastName: string } },
  now: Date,
): Decision<Export, null> {
  if (current?.exportId !== part.exportId || !current.waitingFor.includes(part.keeper)) return unchanged(null);
  const waitingFor = without(current.waitingFor, part.keeper);
  const parts = { ...current.parts, [part.keeper]: part.data };
  if (waitingFor.length > 0) return changed({ ...current, waitingFor, parts }, [], null);
  return changed(
    {
      ...current,
      waitingFor,
      parts: { identity: own.data, ...parts },
      readyAt: now,
      expiresAt: new Date(now.getTime() + keptMs),
    },
    [fact(identityEvents.userExportReady, current.userId, { ...own.person, exportId: current.exportId })],
    null,
  );
}

function without(keepers: readonly UserDataKeeper[], keeper: UserDataKeeper): readonly UserDataKeeper[] {
  return keepers.filter((other) => other !== keeper);
}
