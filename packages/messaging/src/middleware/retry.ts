import type { Outcome } from '../bus.ts';

export type Decision =
  | { readonly do: 'finish' }
  | { readonly do: 'delay'; readonly delayMs: number }
  | { readonly do: 'deadLetter' };

/**
 * Decides what happens to a delivery after try number `attempt` (1 for the first). There is one further try for each of
 * `delaysMs`. `later` is not counted as a try: each time it waits the second delay, without a limit.
 */
export function decide(outcome: Outcome, attempt: number, delaysMs: readonly number[]): Decision {
  if (outcome === 'done') return { do: 'finish' };
  const laterMs = delaysMs[Math.min(1, delaysMs.length - 1)];
  if (outcome === 'later' && laterMs !== undefined) return { do: 'delay', delayMs: laterMs };
  const delayMs = outcome === 'retry' ? delaysMs[attempt - 1] : undefined;
  return delayMs === undefined ? { do: 'deadLetter' } : { do: 'delay', delayMs };
}
