import { randomOf } from './random.ts';
import type { Random } from './random.ts';

/** A fault that is injected. Times are in milliseconds. */
export type Fault =
  | { readonly kind: 'kill' | 'restart'; readonly target: string }
  | { readonly kind: 'pause'; readonly target: string; readonly ms: number }
  /** A kill, with the restart only after `ms`. */
  | { readonly kind: 'outage'; readonly target: string; readonly ms: number }
  | { readonly kind: 'reset'; readonly target: string }
  | { readonly kind: 'latency'; readonly target: string; readonly ms: number; readonly delayMs: number }
  | { readonly kind: 'black-hole' | 'hold'; readonly target: string; readonly ms: number };

/** A fault, and the number of operations after which it is injected. */
export interface PlannedFault {
  readonly after: number;
  readonly fault: Fault;
}

export interface Targets {
  /** Can be killed, paused and restarted. */
  readonly processes: readonly string[];
  /** Servers that are reached through a proxy, which can disturb the network. */
  readonly networks: readonly string[];
  /**
   * Roles that one server of a cluster has at a time, such as the primary. A fault hits the server that has the role.
   */
  readonly roles: readonly string[];
}

// With roles, every fourth fault is on a role.
const roleInterval = 4;

/**
 * Plans the faults of a run and spreads them over its operations. Every kind of fault on every target comes once before
 * any is repeated; faults on roles come more often. The same seed and targets give the same plan.
 */
export function planFaults(
  seed: number,
  { operations, faults, targets }: { operations: number; faults: number; targets: Targets },
): PlannedFault[] {
  const random = randomOf(seed, 'faults');
  const allFaults: (() => Fault)[] = [
    ...targets.processes.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'kill', target }),
      () => ({ kind: 'restart', target }),
      () => ({ kind: 'pause', target, ms: random.between(1000, 5000) }),
    ]),
    ...targets.networks.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'reset', target }),
      () => ({ kind: 'latency', target, ms: random.between(1000, 5000), delayMs: random.between(50, 500) }),
      () => ({ kind: 'black-hole', target, ms: random.between(1000, 8000) }),
      () => ({ kind: 'hold', target, ms: random.between(1000, 5000) }),
    ]),
  ];
  const roleFaults = targets.roles.flatMap((target): (() => Fault)[] => [
    () => ({ kind: 'kill', target }),
    // During the longer ones another server takes the role, and the paused one continues without knowing that.
    () => ({ kind: 'pause', target, ms: random.between(1000, 8000) }),
  ]);
  const nextFault = cycle(allFaults, random);
  const nextRoleFault = cycle(roleFaults, random);
  const chosen = Array.from(
    { length: faults },
    (_, at) => (at % roleInterval === 0 && nextRoleFault()) || nextFault(),
  ).filter((fault) => fault !== undefined);
  // Not at the very beginning, when there is no data yet, nor at the very end, when no operation would notice a fault.
  const spread = (operations * 0.92) / Math.max(1, faults);
  return chosen.map((fault, at) => ({
    after: Math.round(operations * 0.03 + spread * (at + random.next())),
    fault,
  }));
}

/** Returns a fault at each call, in random order: each of them once before any is repeated. */
function cycle(kinds: readonly (() => Fault)[], random: Random): () => Fault | undefined {
  let left: (() => Fault)[] = [];
  return () => {
    if (left.length === 0) left = random.shuffle(kinds);
    return left.shift()?.();
  };
}

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'latency':
      return `latency of ${fault.delayMs} ms to ${fault.target} for ${fault.ms} ms`;
    case 'pause':
    case 'outage':
    case 'black-hole':
    case 'hold':
      return `${fault.kind} ${fault.target} for ${fault.ms} ms`;
    case 'kill':
    case 'restart':
    case 'reset':
      return `${fault.kind} ${fault.target}`;
  }
}
