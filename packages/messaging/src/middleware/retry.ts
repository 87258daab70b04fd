import type { Outcome } from '../bus.ts';
import type { Tries } from './dead-letter.ts';

export type Decision =
  | { readonly do: 'finish' }
  | { readonly do: 'delay'; readonly delayMs: number }
  | { readonly do: 'deadLetter'; readonly because?: string };

export interface RetryRules {
  /** The waits before the second and each further try, in milliseconds. */
  readonly retryDelaysMs: readonly number[];
  /** How many milliseconds after it was first seen an `unknown` event is still tried again. */
  readonly unknownForMs: number;
}

/**
 * Decides what happens to a delivery after a try; `tries` includes this try. After `retry` there is one further try for
 * each delay. `later` waits the second delay each time, without a limit. `unknown` waits the third delay each time,
 * until `unknownForMs` have passed since the event was first seen.
 */
export function decide(outcome: Outcome, tries: Tries, rules: RetryRules, now: Date): Decision {
  const { retryDelaysMs: delaysMs, unknownForMs } = rules;
  switch (outcome) {
    case 'done':
      return { do: 'finish' };
    case 'reject':
      return { do: 'deadLetter' };
    case 'retry':
      return delayOf(delaysMs[tries.attempts - 1]);
    case 'later':
      return delayOf(nthOrLast(delaysMs, 2));
    case 'unknown':
      if (now.getTime() - Date.parse(tries.firstSeen) < unknownForMs) return delayOf(nthOrLast(delaysMs, 3));
      return { do: 'deadLetter', because: `still unknown ${duration(unknownForMs)} after it was first seen` };
  }
}

// Well below 20, the lowest limit of a broker, so that this count decides and not the broker's.
const returnsUntilMoved = 5;
const returnsUntilDead = 100;

/**
 * Decides about a message before it is handled, by how often it was returned because its consumer was lost before it
 * answered. `now` counts the returns since the message was last moved, `before` the returns until then.
 * A lost connection looks like a crash, so a healthy message may be returned too. With fewer than 5 returns the result
 * is undefined: the message is handled. From 5 returns the message waits the third delay, and the broker starts
 * counting anew. After 100 returns in total it becomes a dead letter, because its handler probably ends the process
 * each time.
 */
export function decideReturned(now: number, before: number, delaysMs: readonly number[]): Decision | undefined {
  if (now < returnsUntilMoved) return undefined;
  if (now + before < returnsUntilDead) return delayOf(nthOrLast(delaysMs, 3));
  return { do: 'deadLetter' };
}

function delayOf(delayMs: number | undefined): Decision {
  return delayMs === undefined ? { do: 'deadLetter' } : { do: 'delay', delayMs };
}

function nthOrLast(delaysMs: readonly number[], nth: number): number | undefined {
  return delaysMs[Math.min(nth, delaysMs.length) - 1];
}

const hourMs = 3_600_000;

function duration(ms: number): string {
  return ms % hourMs === 0 ? `${ms / hourMs} h` : `${ms} ms`;
}
