import { engagementHttp } from '@storefront/contracts';
import { logIn } from '../../api.ts';
import type { BenchContext } from '../../context.ts';
import { load } from '../../load/load.ts';
import type { LoadRequest, LoadResult } from '../../load/plan.ts';
import { lowerQuartiles } from '../../percentiles.ts';
import type { ReportLine } from '../../report.ts';
import type { StackProcess } from '../../system/stack-process.ts';
import { usageOf } from '../../system/usage.ts';
import { untilCounted } from './counted.ts';

const smallSize = 100_000;
// Other programs on the machine only ever slow a measurement down. So both sizes are measured in alternation, and the
// lower quartile of the rounds counts.
const rounds = 5;
const secondsPerRound = 1;
const clients = 2;
const goal = 1.5;
/** As long a range as one report may have with a row for each day. */
const days = 400;
const countingWithinMs = 3 * 3_600_000;

const reports = Object.keys(engagementHttp.reportMeasures) as engagementHttp.ReportName[];

interface HistorySystem {
  readonly stack: StackProcess;
  readonly facts: number;
  readonly adminToken: string;
}

/** Reports over 400 days of a shop with a small history and of one with a large one; what counting and keeping the facts costs. */
export async function measureReports(context: BenchContext): Promise<ReportLine[]> {
  const [small, countedSmall] = await startWithHistory(context, smallSize);
  const [large, countedLarge] = await startWithHistory(context, context.options.facts);
  const lines = [...countedSmall, ...countedLarge];
  for (const report of reports) lines.push(...(await compare(context, report, [small, large])));
  for (const { stack } of [small, large]) await stack.stop();
  return lines;
}

async function startWithHistory(context: BenchContext, size: number): Promise<[HistorySystem, ReportLine[]]> {
  const { mongodb } = await context.backing();
  const database = `bench-facts-${size}`;
  context.say(`A year with ${named(size)} facts …`);
  const args = ['--bus', 'in-process', '--history', '--facts', String(size)];
  const stack = await context.startStack(args, { database, url: mongodb.url });
  const adminToken = await logIn(stack.gateways[0] ?? '', stack.accounts.admin);
  const counting = await measureCounting(context, stack, size);
  const stored = await measureStorage(context, stack);
  return [{ stack, facts: size, adminToken }, [counting, ...stored]];
}

/** How fast the service counts what it has not counted yet. */
async function measureCounting(context: BenchContext, stack: StackProcess, size: number): Promise<ReportLine> {
  const facts = (await context.database('engagement', stack.database)).collection('facts');
  const { mongodb } = await context.backing();
  const processes = { services: stack.pid, mongodb: mongodb.pid ?? 0 };
  const pending = () => facts.countDocuments({ pending: true }, { hint: 'pending' });
  const [before, usedBefore, begun] = [await pending(), usageOf(processes), performance.now()];
  context.say(`Counting ${before} facts …`);
  await untilCounted(context, stack, countingWithinMs);
  const seconds = (performance.now() - begun) / 1000;
  const usedAfter = usageOf(processes);
  const perThousand = (name: keyof typeof processes) =>
    ((usedAfter[name].cpuSeconds - usedBefore[name].cpuSeconds) / before) * 1000;
  return {
    what: `counting the last ${before} of ${named(size)} facts`,
    perSecond: before / seconds,
    cpu: { services: perThousand('services'), mongodb: perThousand('mongodb') },
  };
}

/** What facts, people and roll-ups take on disk with their indexes, after compression. */
async function measureStorage(context: BenchContext, stack: StackProcess): Promise<ReportLine[]> {
  const database = await context.database('engagement', stack.database);
  await database.client.db('admin').command({ fsync: 1 });
  const bytesOf = async (name: string) => {
    const [found] = await database
      .collection(name)
      .aggregate([{ $collStats: { storageStats: {} } }])
      .toArray();
    const { storageSize = 0, totalIndexSize = 0, count = 0 } = found?.['storageStats'] ?? {};
    return { bytes: Number(storageSize) + Number(totalIndexSize), count: Number(count) };
  };
  const [facts, people, cells, sets] = await Promise.all(
    ['facts', 'people', 'roll_up_cells', 'roll_up_people'].map(bytesOf),
  );
  if (!facts || !people || !cells || !sets) throw new Error('each collection must have been asked for');
  const each = (bytes: number, of: number) => `${Math.round(bytes / of)} bytes`;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    { what: '  on disk, for each fact', result: each(facts.bytes + people.bytes, facts.count) },
    {
      what: `  roll-ups of ${facts.count} facts on disk: sums; people`,
      result: `${megabytes(cells.bytes)}; ${megabytes(sets.bytes)}`,
    },
  ];
}

async function compare(
  context: BenchContext,
  report: engagementHttp.ReportName,
  systems: readonly [HistorySystem, HistorySystem],
): Promise<ReportLine[]> {
  context.say(`Report ${report} …`);
  for (const system of systems) await loadReport(system, report);
  const results = new Map(systems.map((system) => [system, [] as LoadResult[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const system of round % 2 === 0 ? systems : systems.toReversed())
      results.get(system)?.push(await loadReport(system, report));
  const [atSmall, atLarge] = systems.map((system) => lowerQuartiles(results.get(system) ?? []));
  if (!atSmall || !atLarge) throw new Error('both sizes must have been measured');
  const ratio = atLarge.p99 / atSmall.p99;
  const result = { result: `p99 × ${ratio.toFixed(2)}`, goal: `≤ × ${goal}`, met: ratio <= goal };
  const [small, large] = systems.map(({ facts }) => named(facts));
  return [
    { what: `report ${report} over ${days} days, of ${large} facts`, ...result, ...atLarge },
    { what: `  of ${small} facts`, ...atSmall },
  ];
}

function loadReport({ stack, adminToken }: HistorySystem, report: string): Promise<LoadResult> {
  const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const request: LoadRequest = {
    method: 'GET',
    path: `/v1/analytics/reports/${report}?from=${day(1 - days)}&to=${day(1)}`,
    headers: { authorization: `Bearer ${adminToken}` },
  };
  return load({
    url: stack.gateways[0] ?? '',
    seconds: secondsPerRound,
    clients: Array.from({ length: clients }, () => [request]),
  });
}

function named(count: number): string {
  return count.toLocaleString('en');
}
