// `npm run bench`: starts the system, loads it from processes of its own, and prints one table. What is measured is listed
// below, what clients do in rows.ts.
import { mkdir, writeFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { openLab } from './lab.ts';
import type { Lab } from './lab.ts';
import { measures } from './measures/index.ts';
import { readOptions, usage, UsageError } from './options.ts';
import { tableOf } from './report.ts';
import type { Line, Report } from './report.ts';
import { describeMachine, loadAverage } from './system/machine.ts';

const results = new URL('../results/', import.meta.url);
const say = (line: string) => void process.stderr.write(`${line}\n`);
let lab: Lab | undefined;

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void Promise.resolve(lab?.close()).finally(() => process.exit(1)));

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stderr.write(usage);
    process.exit(0);
  }
  const machine = describeMachine();
  const begun = performance.now();
  lab = openLab(options, (line) => say(`${Math.round((performance.now() - begun) / 1000)} s  ${line}`));
  const lines: Line[] = [];
  for (const { name, run } of measures) {
    const wanted = options.only.filter((only) => only === name || only.startsWith(`${name}:`));
    if (options.only.length > 0 && wanted.length === 0) continue;
    lab.say(`${name} (load average ${loadAverage()}) …`);
    lines.push(
      ...(await run(
        lab,
        wanted.flatMap((only) => only.split(':').slice(1)),
      )),
    );
  }
  const report: Report = { machine, seconds: options.seconds, connections: options.connections, lines };
  await mkdir(results, { recursive: true });
  await writeFile(new URL('latest.json', results), `${JSON.stringify(report, undefined, 2)}\n`);
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `\n${tableOf(report)}`);
} catch (error) {
  say(error instanceof UsageError ? `${error.message}\n\n${usage}` : inspect(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
} finally {
  await lab?.close();
}
process.exit();
