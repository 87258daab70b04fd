/** How one instance of a service has answered. Times are in milliseconds of one clock. */
export interface Health {
  /** Failures since its last answer. */
  readonly failures: number;
  /** After a failure it gets no request until then. */
  readonly leftOutUntil: number;
}

export interface InstanceState extends Health {
  /** Requests that have no complete answer yet. */
  readonly underWay: number;
}

export const healthy: Health = { failures: 0, leftOutUntil: 0 };

/**
 * The index of the instance that gets the next request: among those that answer, the one with the fewest requests under
 * way; among several such ones each in turn, as `turn` grows. An instance that failed is left out for a time, and then
 * gets one request at a time until it has answered. Where this leaves none, all instances are candidates.
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

/** The health after a failure: left out for 1 s, twice as long after each further one, 10 s at most. */
export function afterFailure(health: Health, now: number): Health {
  // All requests under way fail together when an instance ends: that is one failure.
  if (now < health.leftOutUntil) return health;
  const leftOutMs = Math.min(longestMs, shortestMs * 2 ** health.failures);
  return { failures: health.failures + 1, leftOutUntil: now + leftOutMs };
}
