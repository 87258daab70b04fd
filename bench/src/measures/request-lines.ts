import type { Line, Share } from '../report.ts';
import type { Row } from '../rows.ts';
import type { Measured } from './measure-loads.ts';

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

// What a bare route that does nothing took where the other systems were measured, in CPU seconds for 1,000.
const emptyThere = 0.012;

/**
 * The CPU time of a row beside that of other systems; one process against one process. They were measured on such a
 * machine, though not on this one: what a route that does nothing took here meanwhile scales their figures.
 */
export function shareLines(
  { what }: Row,
  others: NonNullable<Row['others']>,
  measured: Measured,
  empty: Measured,
): Line[] {
  const all = total(measured);
  const slower = total(empty) / emptyThere;
  const share = (name: string, seconds: number, goal: number): Line => ({
    what: `  CPU, in shares of ${name}`,
    result: `${(all / seconds / slower).toFixed(2)} (not scaled: ${(all / seconds).toFixed(2)})`,
    goal: `≤ ${goal.toFixed(2)}`,
    met: all / seconds / slower <= goal,
  });
  return [
    { what: `${what}, everything in one process`, ...measured },
    { what: '  bare route that does nothing, meanwhile', ...empty },
    share('Vendure 3.7', others.vendure, 1 / 5),
    share('Medusa 2.21', others.medusa, 1 / 10),
  ];
}

/** CPU seconds for 1,000, of all processes. */
function total({ cpu }: Measured): number {
  return Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
}

/** What the machine takes for the least that HTTP can be: tells one machine, and one hour, from another. */
export function emptyLine(empty: Measured): Line {
  return { what: 'bare route that does nothing: the machine itself', ...empty };
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
