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
/** How long after the first, second and every later publication the request is published again. */
const waitsMs = [5 * minuteMs, 30 * minuteMs, 60 * minuteMs];
/** A request that has waited for longer than this is logged as an error. */
export const overdueMs = 24 * 60 * minuteMs;

/** A due request that was checked. */
export interface CheckedRequest {
  readonly waitingFor: readonly UserDataKeeper[];
  /** The time since the request was first checked, in ms. */
  readonly waitingMs: number;
}

/**
 * If the request is due and a service has not answered, publishes the request again, as the fact that `requestAgain`
 * makes. A request is due 5 minutes after it was made, 30 minutes after that, and then each hour. Of several
 * simultaneous calls only one has a result. `now` is the database's time.
 */
export function repeatWhenDue<Request extends UserDataRequest>(
  current: Request | null,
  now: Date,
  requestAgain: (request: Request) => Fact,
): Decision<Request, CheckedRequest | null> {
  if (!current) return unchanged(null);
  const { asks, watch, waitingFor } = current;
  if (!watch) return changed({ ...current, watch: { since: now, nextAt: timeAfter(asks, now) } }, [], null);
  if (watch.nextAt > now) return unchanged(null);
  const next = { ...current, asks: asks + 1, watch: { ...watch, nextAt: timeAfter(asks + 1, now) } };
  const facts = waitingFor.length > 0 ? [requestAgain(current)] : [];
  return changed(next, facts, { waitingFor, waitingMs: now.getTime() - watch.since.getTime() });
}

/** The event that requests the export again from services that have not answered. */
export function repeatedExportRequest({ userId, exportId, waitingFor }: UserExport, email: string): Fact {
  return fact(identityEvents.userExportRequested, userId, { exportId, email, waitingFor: [...waitingFor] });
}

function timeAfter(asks: number, now: Date): Date {
  return new Date(now.getTime() + (waitsMs[asks - 1] ?? waitsMs.at(-1) ?? 0));
}
