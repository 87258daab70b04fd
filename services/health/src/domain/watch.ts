/** What is remembered about a service from one look to the next. */
export interface Memory {
  /** When the current series of failed looks began. null where the last look succeeded. */
  readonly failingSince: Date | null;
  readonly failures: number;
  /** Whether the service was ready since this instance watches it. */
  readonly wasReady: boolean;
}

export const nothingSeen: Memory = { failingSince: null, failures: 0, wasReady: false };

/**
 * The result of a look. `down`: the service has been away since that time. `up`: the service is ready. `wait`: there is
 * nothing to record yet.
 */
export type Verdict =
  | { readonly kind: 'down'; readonly since: Date; readonly reason: string }
  | { readonly kind: 'up' }
  | { readonly kind: 'wait' };

// A single lost answer is no incident.
const failuresOfAnIncident = 2;
// Where a whole system starts, a service that was never ready may still be starting.
const startMs = 60_000;

/** Judges one look at a service. `reason` is null where the service was ready. */
export function judge(memory: Memory, reason: string | null, at: Date): { memory: Memory; verdict: Verdict } {
  if (reason === null) return { memory: { ...nothingSeen, wasReady: true }, verdict: { kind: 'up' } };
  const since = memory.failingSince ?? at;
  const failures = memory.failures + 1;
  const isStarting = !memory.wasReady && at.getTime() - since.getTime() < startMs;
  return {
    memory: { ...memory, failingSince: since, failures },
    verdict: isStarting || failures < failuresOfAnIncident ? { kind: 'wait' } : { kind: 'down', since, reason },
  };
}
