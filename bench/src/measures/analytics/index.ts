import type { BenchContext } from '../../context.ts';
import type { ReportLine } from '../../report.ts';
import { measureArrival } from './arrival.ts';
import { measureIntake } from './intake.ts';
import { measureQueue } from './queue.ts';
import { measureReports } from './reports.ts';

const parts = { intake: measureIntake, queue: measureQueue, arrival: measureArrival, reports: measureReports };

/** Facts: how fast they come in, how soon they are in reports, and what reports cost when there are many of them. */
export async function measureAnalytics(context: BenchContext, only: readonly string[]): Promise<ReportLine[]> {
  const lines: ReportLine[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (only.length === 0 || only.includes(name)) lines.push(...(await measure(context)));
  return lines;
}
