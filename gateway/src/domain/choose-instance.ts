/** How one instance of a service has answered. Times are in milliseconds of one clock. */
export interface Health {
  /** Failures since the instance's last answer. */
  readonly failures: number;
  /** After a failure the instance gets no request until this time. */
  readonly leftOutUntil: number;
}

export interface InstanceState extends Health {
  /** Requests that have no complete answer yet. */
  readonly underWay: number;
}

export const healthy: Health = { failures: 0, leftOutUntil: 0 };

/**
 * Returns the index of the instance that gets the next request: of the instances that answer, the one with the fewest
 * requests under way. Instances with equally few take turns, as `turn` grows. An instance that failed is left out for a
 * time. After that it gets one request at a time until it has answered. If no instance is left, all instances are
 * candidates.
 */
export function chooseInstance(states: readonly InstanceState[], turn: number, now: number): number {
  const answers = ({ failures, leftOutUntil, underWay }: InstanceState) =>
    failures === 0 || (now >= leftOutUntil && underWay === 0);
  const inTurn = states.map((_, step) => (turn + step) % states.length);
  const answering = inTurn.filter((at) => answers(states[at] as InstanceState));
  const candidates = answering.length > 0 ? answering : inTurn;
  const load = (at: number) => states[at]?.underWay ?? 0;
  return candidates.reduce((best, at) => (load(at) < load(best) ? at : best));
}

const shortestMs = 1000;
const longestMs = 10_000;

/**
 * Returns the health after a failure. The instance is left out for 1 s, and twice as long after each further failure,
 * at most 10 s.
 */
export function afterFailure(health: Health, now: number): Health {
  // When an instance ends, all its requests fail together. They count as one failure.
  if (now < health.leftOutUntil) return health;
  const leftOutMs = Math.min(longestMs, shortestMs * 2 ** health.failures);
  return { failures: health.failures + 1, leftOutUntil: now + leftOutMs };
}
