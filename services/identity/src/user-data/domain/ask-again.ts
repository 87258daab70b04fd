import {
  changed,
  fact,
  identityEvents,
  unchanged,
  type Decision,
  type Fact,
  type UserDataKeeper,
} from '@storefront/contracts';
import type { UserDataRequest, UserExport } from './data-request.ts';

const minuteMs = 60 * 1000;
/** How long after the first, second and every later time services are asked again. */
const waitsMs = [5 * minuteMs, 30 * minuteMs, 60 * minuteMs];
/** A request that waits for longer is an alarm. */
export const overdueMs = 24 * 60 * minuteMs;

/** What came of looking at a request whose time has come. */
export interface Looked {
  readonly waitingFor: readonly UserDataKeeper[];
  /** Since the request was first looked at. */
  readonly waitingMs: number;
}

/**
 * Asks the services again that have not answered, by the fact that `ask` makes, where it is time for it: 5 minutes after
 * the request, 30 minutes after that, then each hour. Of many calls at one time one has a result. `now` is the database's.
 */
export function lookAgain<Request extends UserDataRequest>(
  current: Request | null,
  now: Date,
  ask: (request: Request) => Fact,
): Decision<Request, Looked | null> {
  if (!current) return unchanged(null);
  const { asks, watch, waitingFor } = current;
  if (!watch) return changed({ ...current, watch: { since: now, nextAt: afterAsks(asks, now) } }, [], null);
  if (watch.nextAt > now) return unchanged(null);
  const next = { ...current, asks: asks + 1, watch: { ...watch, nextAt: afterAsks(asks + 1, now) } };
  const facts = waitingFor.length > 0 ? [ask(current)] : [];
  return changed(next, facts, { waitingFor, waitingMs: now.getTime() - watch.since.getTime() });
}

/** The fact that asks for the export again. */
export function exportRequestedAgain({ userId, exportId, waitingFor }: UserExport, email: string): Fact {
  return fact(identityEvents.userExportRequested, userId, { exportId, email, waitingFor: [...waitingFor] });
}

function afterAsks(asks: number, now: Date): Date {
  return new Date(now.getTime() + (waitsMs[asks - 1] ?? waitsMs.at(-1) ?? 0));
}
