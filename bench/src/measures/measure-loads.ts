import { load } from '../load/load.ts';
import type { LoadResult, Request } from '../load/plan.ts';
import type { Share } from '../report.ts';

/** What is put on, and who is watched meanwhile. */
export interface Load {
  readonly url: string;
  readonly clients: readonly Request[][];
  /** So many requests make one of what is measured. */
  readonly length: number;
  /** The CPU seconds used so far. */
  readonly cpuNow: () => Partial<Record<Share, number>>;
}

export interface Measured extends Pick<LoadResult, 'p50' | 'p99'> {
  readonly perSecond: number;
  /** CPU seconds for 1,000. */
  readonly cpu: Partial<Record<Share, number>>;
}

interface Turn extends LoadResult {
  readonly cpu: Partial<Record<Share, number>>;
}

// Enough for every process to have compiled what it runs.
const warmUpSeconds = 3;

/**
 * Puts each load on for so many seconds and takes the CPU time meanwhile; in turns of about a second, since what else the
 * machine does comes and goes, and is to meet all of them alike. Percentiles are those of the turn in the middle.
 */
export async function measureLoads<const Loads extends readonly Load[]>(
  loads: Loads,
  seconds: number,
): Promise<{ [Place in keyof Loads]: Measured }> {
  const taken = loads.map((each) => ({ load: each, turns: [] as Turn[] }));
  for (const { url, clients } of loads) await load({ url, seconds: warmUpSeconds, clients });
  const turns = Math.ceil(seconds);
  for (let turn = 0; turn < turns; turn += 1)
    for (const each of turn % 2 === 0 ? taken : taken.toReversed())
      each.turns.push(await takeTurn(each.load, seconds / turns));
  return taken.map((each) => together(each.load, each.turns)) as { [Place in keyof Loads]: Measured };
}

async function takeTurn({ url, clients, cpuNow }: Load, seconds: number): Promise<Turn> {
  const before = cpuNow();
  const result = await load({ url, seconds, clients });
  const after = Object.entries(cpuNow()) as [Share, number][];
  return { ...result, cpu: Object.fromEntries(after.map(([share, used]) => [share, used - (before[share] ?? 0)])) };
}

function together({ length }: Load, turns: readonly Turn[]): Measured {
  const sum = (figure: (turn: Turn) => number) => turns.reduce((all, turn) => all + figure(turn), 0);
  const done = sum(({ requests }) => requests) / length;
  const shares = Object.keys(turns[0]?.cpu ?? {}) as Share[];
  return {
    perSecond: done / sum((turn) => turn.seconds),
    p50: middle(turns.map(({ p50 }) => p50)),
    p99: middle(turns.map(({ p99 }) => p99)),
    cpu: Object.fromEntries(shares.map((share) => [share, (sum(({ cpu }) => cpu[share] ?? 0) / done) * 1000])),
  };
}

function middle(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
