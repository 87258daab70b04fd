import type { LoadResult } from '../load/plan.ts';
import type { Line, Share } from '../report.ts';
import type { Row } from '../rows.ts';

export interface Measured extends Pick<LoadResult, 'p50' | 'p99'> {
  readonly perSecond: number;
  /** CPU seconds for 1,000. */
  readonly cpu: Partial<Record<Share, number>>;
}

/** What was measured of a row, held against its goals. */
export function linesOf({ what }: Row, through: Measured, alone: Measured, bare: Measured): Line[] {
  const ratio = through.perSecond / bare.perSecond;
  const p50 = through.p50 - alone.p50;
  const p99 = through.p99 - alone.p99;
  return [
    { what, result: `${ratio.toFixed(2)} of bare`, goal: '≥ 0.5', met: ratio >= 0.5, ...through },
    {
      what: '  without the gateway',
      result: `it adds ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`,
      goal: '≤ 0.5, p99 ≤ 5 ms',
      met: p50 <= 0.5 && p99 <= 5,
      ...alone,
    },
    { what: '  bare route', ...bare },
  ];
}

/** The CPU time of a row beside that of other systems; one process against one process. */
export function shareLines(
  { what }: Row,
  others: NonNullable<Row['others']>,
  measured: Pick<Measured, 'perSecond' | 'p50' | 'p99' | 'cpu'>,
): Line[] {
  const all = Object.values(measured.cpu).reduce((sum, seconds) => sum + seconds, 0);
  return [
    { what: `${what}, everything in one process`, ...measured },
    atMost('  CPU, in shares of Vendure 3.7', all / others.vendure, 1 / 5),
    atMost('  CPU, in shares of Medusa 2.21', all / others.medusa, 1 / 10),
  ];
}

/** A read by one client alone, through the gateway and without it. */
export function hopLine(through: Measured, alone: Measured): Line {
  const p50 = through.p50 - alone.p50;
  const p99 = through.p99 - alone.p99;
  return {
    what: 'what the gateway adds for one client alone',
    result: `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} ms`,
    goal: '≤ 0.5, p99 ≤ 5 ms',
    met: p50 <= 0.5 && p99 <= 5,
    perSecond: through.perSecond,
    p50: through.p50,
    p99: through.p99,
  };
}

function atMost(what: string, share: number, goal: number): Line {
  return { what, result: share.toFixed(2), goal: `≤ ${goal.toFixed(2)}`, met: share <= goal };
}

/** What two services answer one after the other. */
export function oneAfterTheOther(one: Measured, other: Measured): Measured {
  const shares = [...new Set([...Object.keys(one.cpu), ...Object.keys(other.cpu)])] as Share[];
  return {
    perSecond: 1 / (1 / one.perSecond + 1 / other.perSecond),
    p50: Math.max(one.p50, other.p50),
    p99: Math.max(one.p99, other.p99),
    cpu: Object.fromEntries(shares.map((share) => [share, (one.cpu[share] ?? 0) + (other.cpu[share] ?? 0)])),
  };
}
