import type { Attempt } from './delivery.ts';
import { unreachableDelay } from './retry-delays.ts';

/** What a sender knows about the mail server. */
export interface Outage {
  /** How often in a row the mail server could not be reached; 0 where it is not away. */
  readonly failures: number;
  /** No mail is tried before. In milliseconds of the clock that `afterAttempt` is given. */
  readonly pausedUntil: number;
}

export const noOutage: Outage = { failures: 0, pausedUntil: 0 };

/** What an attempt shows about the mail server. Several that fail together count as one failure. */
export function afterAttempt(outage: Outage, outcome: Attempt['outcome'], at: number): Outage {
  if (outcome !== 'unreachable') return noOutage;
  if (at < outage.pausedUntil) return outage;
  const failures = outage.failures + 1;
  return { failures, pausedUntil: at + unreachableDelay(failures) };
}

/** How many mails may be sent at once: while the mail server is away, one at a time finds out whether it is back. */
export function allowedAtOnce(outage: Outage, concurrency: number, at: number): number {
  if (outage.failures === 0) return concurrency;
  return at < outage.pausedUntil ? 0 : 1;
}
