import type { ProcessGroup, ReportLine } from '../report.ts';
import type { Workload } from '../workloads.ts';
import type { LoadFigures } from './measure-loads.ts';

/** The lines of a workload: through the gateway, directly at the services, and at the bare route. */
export function workloadLines(
  { what }: Workload,
  throughGateway: LoadFigures,
  direct: LoadFigures,
  bare: LoadFigures,
): ReportLine[] {
  const ratio = throughGateway.perSecond / bare.perSecond;
  const p50 = throughGateway.p50 - direct.p50;
  const p99 = throughGateway.p99 - direct.p99;
  return [
    { what, result: `${ratio.toFixed(2)} of bare`, goal: '≥ 0.5', met: ratio >= 0.5, ...throughGateway },
    {
      what: '  without the gateway',
      result: `it adds ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`,
      goal: '≤ 0.5, p99 ≤ 5 ms',
      met: p50 <= 0.5 && p99 <= 5,
      ...direct,
    },
    { what: '  bare route', ...bare },
  ];
}

/** A route that does nothing costs only HTTP: the line shows how fast the machine is at the time. */
export function emptyRouteLine(figures: LoadFigures): ReportLine {
  return { what: 'bare route that does nothing: the machine itself', ...figures };
}

/** A read by a single client, through the gateway and directly at the service. */
export function gatewayOverheadLine(throughGateway: LoadFigures, direct: LoadFigures): ReportLine {
  const p50 = throughGateway.p50 - direct.p50;
  const p99 = throughGateway.p99 - direct.p99;
  return {
    what: 'what the gateway adds for one client alone',
    result: `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} ms`,
    goal: '≤ 0.5, p99 ≤ 5 ms',
    met: p50 <= 0.5 && p99 <= 5,
    perSecond: throughGateway.perSecond,
    p50: throughGateway.p50,
    p99: throughGateway.p99,
  };
}

/** The figures of a workload whose requests go to two services one after the other. */
export function combine(one: LoadFigures, other: LoadFigures): LoadFigures {
  const groups = [...new Set([...Object.keys(one.cpu), ...Object.keys(other.cpu)])] as ProcessGroup[];
  return {
    perSecond: 1 / (1 / one.perSecond + 1 / other.perSecond),
    p50: Math.max(one.p50, other.p50),
    p99: Math.max(one.p99, other.p99),
    cpu: Object.fromEntries(groups.map((group) => [group, (one.cpu[group] ?? 0) + (other.cpu[group] ?? 0)])),
  };
}
