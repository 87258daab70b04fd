import type { Attempt } from './delivery.ts';
import { lossDelay, unreachableDelay } from './retry-delays.ts';

/** What a sender knows about the mail server. */
export interface Outage {
  /** How often in a row the mail server could not be reached; 0 where it is not away. */
  readonly failures: number;
  /** How many conversations in a row broke off, each about another mail. */
  readonly losses: number;
  /** No mail is tried before. In milliseconds of the clock that `afterAttempt` is given. */
  readonly pausedUntil: number;
}

export const noOutage: Outage = { failures: 0, losses: 0, pausedUntil: 0 };

/** An attempt, as far as it shows something about the mail server. */
interface Shown {
  readonly outcome: Attempt['outcome'];
  /** Whether the same mail was deferred before, or an earlier conversation about it broke off. */
  readonly isRepeated: boolean;
}

/**
 * What an attempt shows about the mail server. Several that fail together count as one failure. A conversation that
 * breaks off is due to its mail, unless those about many mails do.
 */
export function afterAttempt(outage: Outage, { outcome, isRepeated }: Shown, at: number): Outage {
  switch (outcome) {
    case 'unreachable': {
      if (at < outage.pausedUntil) return outage;
      const failures = outage.failures + 1;
      return { ...outage, failures, pausedUntil: at + unreachableDelay(failures) };
    }
    case 'interrupted':
    case 'in_doubt': {
      if (at < outage.pausedUntil) return outage;
      const isPaused = lossDelay(outage.losses) !== null;
      const losses = outage.losses + (isRepeated && !isPaused ? 0 : 1);
      const delay = lossDelay(losses);
      return delay === null
        ? { failures: 0, losses, pausedUntil: 0 }
        : { failures: outage.failures + 1, losses, pausedUntil: at + delay };
    }
    case 'accepted':
    case 'deferred':
    case 'refused':
      return noOutage;
  }
}

/** How many mails may be sent at once: while the mail server is away, one at a time finds out whether it is back. */
export function allowedAtOnce(outage: Outage, concurrency: number, at: number): number {
  if (outage.failures === 0) return concurrency;
  return at < outage.pausedUntil ? 0 : 1;
}
