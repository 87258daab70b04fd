// `npm run bench`: starts the system, loads it from other processes, and prints one table. measures/index.ts lists the
// measurements, workloads.ts what clients do.
import { mkdir, writeFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { openContext, type BenchContext } from './context.ts';
import { measurements } from './measures/index.ts';
import { readOptions, usage, UsageError } from './options.ts';
import { tableOf, type BenchReport, type ReportLine } from './report.ts';
import { describeMachine, loadAverage } from './system/machine.ts';

const results = new URL('../results/', import.meta.url);
const say = (line: string) => void process.stderr.write(`${line}\n`);
let context: BenchContext | undefined;
let closing: Promise<void> | undefined;

// Ctrl-C comes twice: from the terminal, and from the process that started this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void (closing ??= Promise.resolve(context?.close()).finally(() => process.exit(1))));

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stderr.write(usage);
    process.exit(0);
  }
  const machine = describeMachine();
  const begun = performance.now();
  context = openContext(options, (line) => say(`${Math.round((performance.now() - begun) / 1000)} s  ${line}`));
  const lines: ReportLine[] = [];
  for (const { name, run } of measurements) {
    const selected = options.only.filter((only) => only === name || only.startsWith(`${name}:`));
    if (options.only.length > 0 && selected.length === 0) continue;
    context.say(`${name} (load average ${loadAverage()}) …`);
    const workloads = selected.flatMap((only) => only.split(':').slice(1));
    lines.push(...(await run(context, workloads)));
  }
  const report: BenchReport = { machine, seconds: options.seconds, connections: options.connections, lines };
  await mkdir(results, { recursive: true });
  await writeFile(new URL('latest.json', results), `${JSON.stringify(report, undefined, 2)}\n`);
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `\n${tableOf(report)}`);
} catch (error) {
  say(error instanceof UsageError ? `${error.message}\n\n${usage}` : inspect(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
} finally {
  await context?.close();
}
process.exit();
