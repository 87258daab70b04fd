import type { Outcome } from '../bus.ts';

export interface Verdict {
  readonly outcome: Outcome;
  readonly reason?: string;
}

export type Decision =
  | { readonly do: 'finish' }
  | { readonly do: 'wait'; readonly waitMs: number }
  | { readonly do: 'bury' };

/**
 * What becomes of a delivery after its try number `attempt` (1 for the first): there is one further try for each wait.
 * `later` is not a try: it waits the second wait, any number of times.
 */
export function decide(outcome: Outcome, attempt: number, waitsMs: readonly number[]): Decision {
  if (outcome === 'done') return { do: 'finish' };
  const patience = waitsMs[Math.min(1, waitsMs.length - 1)];
  if (outcome === 'later' && patience !== undefined) return { do: 'wait', waitMs: patience };
  const waitMs = outcome === 'retry' ? waitsMs[attempt - 1] : undefined;
  return waitMs === undefined ? { do: 'bury' } : { do: 'wait', waitMs };
}
