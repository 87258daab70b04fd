import { randomOf } from './random.ts';
import type { Random } from './random.ts';

/** Something that is done to the system. Times are in milliseconds. */
export type Fault =
  | { readonly kind: 'kill' | 'restart'; readonly target: string }
  | { readonly kind: 'halt'; readonly target: string; readonly ms: number }
  /** Killed, and started again only after a while. */
  | { readonly kind: 'away'; readonly target: string; readonly ms: number }
  | { readonly kind: 'reset'; readonly target: string }
  | { readonly kind: 'latency'; readonly target: string; readonly ms: number; readonly delayMs: number }
  | { readonly kind: 'black-hole' | 'hold'; readonly target: string; readonly ms: number };

/** A fault and how many operations have begun when it strikes. */
export interface PlannedFault {
  readonly after: number;
  readonly fault: Fault;
}

export interface Targets {
  /** Can be killed, halted and restarted. */
  readonly processes: readonly string[];
  /** Are reached through a network that can be made bad. */
  readonly networks: readonly string[];
  /** Parts that one member of a cluster plays at a time, such as its primary: struck whoever plays them. */
  readonly roles: readonly string[];
}

/** With roles, one fault of so many strikes one of them. */
const roleEvery = 4;

/**
 * The faults of a run, spread over its operations: every kind on every target once before any comes again, and the roles
 * of clusters more often. The same seed and targets make the same plan.
 */
export function planFaults(
  seed: number,
  { operations, faults, targets }: { operations: number; faults: number; targets: Targets },
): PlannedFault[] {
  const random = randomOf(seed, 'faults');
  const everyKind: (() => Fault)[] = [
    ...targets.processes.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'kill', target }),
      () => ({ kind: 'restart', target }),
      () => ({ kind: 'halt', target, ms: random.between(1000, 5000) }),
    ]),
    ...targets.networks.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'reset', target }),
      () => ({ kind: 'latency', target, ms: random.between(1000, 5000), delayMs: random.between(50, 500) }),
      () => ({ kind: 'black-hole', target, ms: random.between(1000, 8000) }),
      () => ({ kind: 'hold', target, ms: random.between(1000, 5000) }),
    ]),
  ];
  const everyRole = targets.roles.flatMap((target): (() => Fault)[] => [
    () => ({ kind: 'kill', target }),
    // The longer ones end with a successor in place and a predecessor that wakes up without knowing of it.
    () => ({ kind: 'halt', target, ms: random.between(1000, 8000) }),
  ]);
  const onAny = inTurn(everyKind, random);
  const onRoles = inTurn(everyRole, random);
  const chosen = Array.from({ length: faults }, (_, at) => (at % roleEvery === 0 && onRoles()) || onAny()).filter(
    (fault) => fault !== undefined,
  );
  // Not in the very first and last operations: there is nothing to break yet, or nothing left to notice it.
  const spread = (operations * 0.92) / Math.max(1, faults);
  return chosen.map((fault, at) => ({
    after: Math.round(operations * 0.03 + spread * (at + random.next())),
    fault,
  }));
}

/** Answers one of them at each call, in an order of chance: all of them once before any comes again. */
function inTurn(kinds: readonly (() => Fault)[], random: Random): () => Fault | undefined {
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
    case 'halt':
    case 'away':
    case 'black-hole':
    case 'hold':
      return `${fault.kind} ${fault.target} for ${fault.ms} ms`;
    case 'kill':
    case 'restart':
    case 'reset':
      return `${fault.kind} ${fault.target}`;
  }
}
