import { randomOf, type Random } from './random.ts';

/** A fault that is injected. Times are in milliseconds. */
export type Fault =
  | { readonly kind: 'kill' | 'restart'; readonly target: string }
  | { readonly kind: 'pause'; readonly target: string; readonly ms: number }
  /** A kill, with the restart only after `ms`. */
  | { readonly kind: 'outage'; readonly target: string; readonly ms: number }
  | { readonly kind: 'reset'; readonly target: string }
  | { readonly kind: 'latency'; readonly target: string; readonly ms: number; readonly delayMs: number }
  /** Each chunk is late by a random time of up to `delayMs`. */
  | { readonly kind: 'jitter'; readonly target: string; readonly ms: number; readonly delayMs: number }
  | { readonly kind: 'black-hole' | 'hold'; readonly target: string; readonly ms: number }
  /** The clock jumps by `shiftMs`, and back after `ms`. */
  | { readonly kind: 'clock'; readonly target: string; readonly ms: number; readonly shiftMs: number }
  | { readonly kind: 'full-disk'; readonly target: string; readonly ms: number }
  /** The broker blocks its publishers, because it has too little memory or disk space. */
  | { readonly kind: 'memory-alarm' | 'disk-alarm'; readonly target: string; readonly ms: number }
  /** All servers of a cluster but one are away. */
  | { readonly kind: 'majority-pause' | 'majority-outage'; readonly target: string; readonly ms: number }
  /** Events that were published before are published again. */
  | { readonly kind: 'old-events'; readonly target: 'events'; readonly count: number };

/** A fault, and the number of operations after which it is injected. */
export interface PlannedFault {
  readonly after: number;
  readonly fault: Fault;
}

export interface Targets {
  /** Instances and servers: can be killed, paused and restarted. */
  readonly processes: readonly string[];
  /** Those of them whose clock can be set wrong. */
  readonly clocks: readonly string[];
  /** Servers that are reached through proxies, which can disturb the network of all instances. */
  readonly networks: readonly string[];
  /** The connections of one instance to one server. */
  readonly links: readonly string[];
  /** Servers whose disk can be filled. */
  readonly disks: readonly string[];
  /** Brokers that can be made to block their publishers. */
  readonly brokers: readonly string[];
  /** Clusters of servers that can lose their majority. */
  readonly clusters: readonly string[];
  /**
   * Roles that one server of a cluster has at a time, such as the primary. A fault hits the server that has the role.
   */
  readonly roles: readonly string[];
}

// With roles, every fourth fault is on a role.
const roleInterval = 4;

/**
 * Plans the faults of a run and spreads them over its operations. Every kind of fault comes once on some target, then on every
 * other one, before any is repeated; faults on roles come more often. The same seed and targets give the same plan. With
 * `short`, no fault lasts longer than 8 s.
 */
export function planFaults(
  seed: number,
  { operations, faults, targets, short }: { operations: number; faults: number; targets: Targets; short: boolean },
): PlannedFault[] {
  const random = randomOf(seed, 'faults');
  const moment = () => random.between(1000, 5000);
  const atMost = (longestMs: number) => random.between(1000, short ? 8000 : longestMs);
  const allFaults: (() => Fault)[] = [
    ...targets.processes.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'kill', target }),
      () => ({ kind: 'restart', target }),
      () => ({ kind: 'pause', target, ms: short ? moment() : random.between(5000, 60_000) }),
    ]),
    ...targets.clocks.map((target) => (): Fault => {
      const shiftMs = random.between(1000, 10_000) * random.pick([-1, 1]);
      return { kind: 'clock', target, ms: atMost(30_000), shiftMs };
    }),
    ...targets.networks.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'reset', target }),
      () => ({ kind: 'latency', target, ms: moment(), delayMs: random.between(50, 500) }),
      () => ({ kind: 'jitter', target, ms: moment(), delayMs: random.between(50, 300) }),
      () => ({ kind: 'black-hole', target, ms: random.between(1000, 8000) }),
      () => ({ kind: 'hold', target, ms: moment() }),
    ]),
    // One link stands for all of them, so that links do not outnumber everything else.
    ...targets.networks.flatMap((network): (() => Fault)[] => {
      const link = () => random.pick(targets.links.filter((name) => name.endsWith(` to ${network}`)));
      return [
        () => ({ kind: 'reset', target: link() }),
        () => ({ kind: 'black-hole', target: link(), ms: atMost(30_000) }),
        () => ({ kind: 'hold', target: link(), ms: atMost(30_000) }),
      ];
    }),
    ...targets.disks.map((target) => (): Fault => ({ kind: 'full-disk', target, ms: atMost(20_000) })),
    ...targets.brokers.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'memory-alarm', target, ms: atMost(30_000) }),
      () => ({ kind: 'disk-alarm', target, ms: atMost(30_000) }),
    ]),
    ...targets.clusters.flatMap((target): (() => Fault)[] => [
      () => ({ kind: 'majority-pause', target, ms: short ? moment() : random.between(10_000, 30_000) }),
      () => ({ kind: 'majority-outage', target, ms: short ? moment() : random.between(10_000, 30_000) }),
    ]),
    () => ({ kind: 'old-events', target: 'events', count: 50 }),
    () => ({ kind: 'old-events', target: 'events', count: 50 }),
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

/** The kinds of faults that have no target. */
export function missingFaults({ disks, networks, clusters }: Targets): string[] {
  const isMissing = {
    'full disks': disks.length === 0,
    'disturbed networks to MongoDB': !networks.includes('mongodb'),
    'disturbed networks to RabbitMQ': !networks.includes('rabbitmq'),
    'loss of the majority': clusters.length === 0,
  };
  return Object.entries(isMissing).flatMap(([fault, missing]) => (missing ? [fault] : []));
}

/**
 * Returns a fault at each call, in random order: one of each kind, then the other targets of each kind, before any is repeated.
 */
function cycle(faults: readonly (() => Fault)[], random: Random): () => Fault | undefined {
  let left: Fault[] = [];
  return () => {
    if (left.length === 0) left = oneOfEachKindFirst(random.shuffle(faults).map((fault) => fault()));
    return left.shift();
  };
}

function oneOfEachKindFirst(faults: readonly Fault[]): Fault[] {
  const firsts = new Map(faults.toReversed().map((fault) => [fault.kind, fault]));
  const isFirst = (fault: Fault) => firsts.get(fault.kind) === fault;
  return [...faults.filter(isFirst), ...faults.filter((fault) => !isFirst(fault))];
}

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'latency':
      return `latency of ${fault.delayMs} ms to ${fault.target} for ${fault.ms} ms`;
    case 'jitter':
      return `jitter of up to ${fault.delayMs} ms to ${fault.target} for ${fault.ms} ms`;
    case 'clock':
      return `clock of ${fault.target} wrong by ${fault.shiftMs} ms for ${fault.ms} ms`;
    case 'old-events':
      return `${fault.count} old events again`;
    case 'pause':
    case 'outage':
    case 'black-hole':
    case 'hold':
    case 'full-disk':
    case 'memory-alarm':
    case 'disk-alarm':
    case 'majority-pause':
    case 'majority-outage':
      return `${fault.kind} ${fault.target} for ${fault.ms} ms`;
    case 'kill':
    case 'restart':
    case 'reset':
      return `${fault.kind} ${fault.target}`;
  }
}
