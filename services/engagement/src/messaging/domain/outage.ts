import type { Attempt } from './delivery.ts';
import { lossDelay, unreachableDelay } from './retry-delays.ts';

/** What a sender knows about the mail server: whether it is away, and when to try again. */
export interface Outage {
  /** How many failures in a row there were; 0 where the mail server is not away. */
  readonly failures: number;
  /**
   * How many connections in a row were lost while a mail was handed over. Until a pause begins, a repeated loss with
   * the same mail does not count.
   */
  readonly losses: number;
  /** No mail is tried before this time, in milliseconds of the clock that also gives `at` to `afterAttempt`. */
  readonly pausedUntil: number;
}

export const noOutage: Outage = { failures: 0, losses: 0, pausedUntil: 0 };

/** The facts about an attempt that show something about the mail server. */
interface Shown {
  readonly outcome: Attempt['outcome'];
  /** Whether the same mail was deferred before, or the connection was lost during an earlier attempt. */
  readonly isRepeated: boolean;
}

/**
 * Returns what is known about the mail server after an attempt. Several attempts that fail together count as one
 * failure. A lost connection is blamed on its mail, unless the connection is lost with many mails in a row.
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

/**
 * Returns how many mails may be sent at once. While the mail server is away, only one mail at a time is tried, to find
 * out whether the server is back.
 */
export function allowedAtOnce(outage: Outage, concurrency: number, at: number): number {
  if (outage.failures === 0) return concurrency;
  return at < outage.pausedUntil ? 0 : 1;
}
