import { engagementHttp } from '@storefront/contracts';
import { logIn } from '../../api.ts';
import type { BenchContext } from '../../context.ts';
import { load } from '../../load/load.ts';
import type { LoadRequest, LoadResult } from '../../load/plan.ts';
import { lowerQuartiles } from '../../percentiles.ts';
import type { ReportLine } from '../../report.ts';
import type { StackProcess } from '../../system/stack-process.ts';
import { untilCounted } from './counted.ts';

const smallSize = 100_000;
// Other programs on the machine only ever slow a measurement down. So both sizes are measured in alternation, and the
// lower quartile of the rounds counts.
const rounds = 9;
const secondsPerRound = 2;
const clients = 2;
const goal = 1.5;
/** As long a range as one report may have with a row for each day. */
const days = 400;

const reports = Object.keys(engagementHttp.reports) as engagementHttp.ReportName[];

interface HistorySystem {
  readonly stack: StackProcess;
  readonly facts: number;
}

/** Reports over 400 days of a shop with a small history and of one with a large one; what counting and keeping the facts costs. */
export async function measureReports(context: BenchContext): Promise<ReportLine[]> {
  const [small, madeSmall] = await startWithHistory(context, smallSize);
  const [large, madeLarge] = await startWithHistory(context, context.options.facts);
  const lines = [...madeSmall, ...madeLarge];
  for (const report of reports) lines.push(...(await compare(context, report, [small, large])));
  for (const { stack } of [small, large]) await stack.stop();
  return lines;
}

async function startWithHistory(context: BenchContext, size: number): Promise<[HistorySystem, ReportLine[]]> {
  const { mongodb } = await context.backing();
  const database = `bench-facts-${size}`;
  context.say(`A year with ${named(size)} facts …`);
  const begun = performance.now();
  const stack = await context.startStack(['--history', '--facts', String(size)], { database, url: mongodb.url });
  const sent = performance.now() - begun;
  // Counting goes on for as long again at most.
  await untilCounted(context, stack, 120_000 + sent);
  const seconds = (performance.now() - begun) / 1000;
  const lines = [
    { what: `a made-up year of ${named(size)} facts, until they are counted`, perSecond: size / seconds },
    ...(await measureStorage(context, stack)),
  ];
  for (const line of lines) sayFigure(context, line);
  return [{ stack, facts: size }, lines];
}

/** Ten million facts take hours, which should not be lost if the bench is stopped before its table. */
function sayFigure({ say }: BenchContext, { what, result, perSecond }: ReportLine): void {
  say(`${what}: ${result ?? `${Math.round(perSecond ?? 0)}/s`}`);
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
  const [facts, people, cells, values, sets, sizes] = await Promise.all(
    ['facts', 'people', 'roll_up_cells', 'roll_up_values', 'roll_up_sets', 'roll_up_sizes'].map(bytesOf),
  );
  if (!facts || !people || !cells || !values || !sets || !sizes)
    throw new Error('each collection must have been asked for');
  const each = (bytes: number, of: number) => `${Math.round(bytes / of)} bytes`;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    { what: '  on disk, for each fact', result: each(facts.bytes + people.bytes, facts.count) },
    {
      what: `  roll-ups of ${facts.count} facts on disk: sums; people`,
      result: `${megabytes(cells.bytes + values.bytes)}; ${megabytes(sets.bytes + sizes.bytes)}`,
    },
  ];
}

async function compare(
  context: BenchContext,
  report: engagementHttp.ReportName,
  systems: readonly [HistorySystem, HistorySystem],
): Promise<ReportLine[]> {
  context.say(`Report ${report} …`);
  // Anew for each report: an access token lives 15 minutes, which filling and measuring take longer than.
  const tokens = new Map<HistorySystem, string>();
  for (const system of systems)
    tokens.set(system, await logIn(system.stack.gateways[0] ?? '', system.stack.accounts.admin));
  const loadOnce = (system: HistorySystem) => loadReport(system, report, tokens.get(system) ?? '');
  for (const system of systems) await loadOnce(system);
  const results = new Map(systems.map((system) => [system, [] as LoadResult[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const system of round % 2 === 0 ? systems : systems.toReversed())
      results.get(system)?.push(await loadOnce(system));
  const [atSmall, atLarge] = systems.map((system) => lowerQuartiles(results.get(system) ?? []));
  if (!atSmall || !atLarge) throw new Error('both sizes must have been measured');
  const ratio = atLarge.p99 / atSmall.p99;
  // A collection of garbage takes as long as a small report, and decides its p99: the medians say how the reports differ.
  const ofMedians = atLarge.p50 / atSmall.p50;
  const result = {
    result: `p99 × ${ratio.toFixed(2)}, p50 × ${ofMedians.toFixed(2)}`,
    goal: `≤ × ${goal}`,
    met: ratio <= goal,
  };
  const [small, large] = systems.map(({ facts }) => named(facts));
  const compared = { what: `report ${report} over ${days} days, of ${large} facts`, ...result, ...atLarge };
  sayFigure(context, compared);
  return [compared, { what: `  of ${small} facts`, ...atSmall }];
}

function loadReport({ stack }: HistorySystem, report: string, token: string): Promise<LoadResult> {
  const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const request: LoadRequest = {
    method: 'GET',
    path: `/v1/analytics/reports/${report}?from=${day(1 - days)}&to=${day(1)}`,
    headers: { authorization: `Bearer ${token}` },
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
