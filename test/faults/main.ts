// `npm run faults`: makes API calls through all gateways while faults are injected, then compares the promises of the
// responses with the final state. README.md explains the result.
import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import { runOnCompose } from './compose/run.ts';
import { commandOf, readOptions, usage, UsageError, type FaultsOptions } from './options.ts';
import { formatReport, type FaultReport } from './report.ts';
import { runMix } from './run.ts';
import { runScenarios } from './scenarios/index.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);
// Ends as any other way, so that no disk stays mounted.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

try {
  const options = readOptions(process.argv.slice(2), () => randomInt(1_000_000));
  if (options.help) {
    process.stderr.write(usage);
    process.exit(0);
  }
  const command = commandOf(options);
  say(`Seed ${options.seed}. Again: ${command}`);
  const report = await run(options).catch((error: unknown) => {
    say(`The run failed. Again: ${command}`);
    throw error;
  });
  say(formatReport(report, command));
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exit(report.isGood ? 0 : 1);
} catch (error) {
  if (error instanceof UsageError) {
    say(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
  say(inspect(error));
  process.exit(1);
}

function run(options: FaultsOptions): Promise<FaultReport> {
  const { compose, scenario } = options;
  if (compose !== undefined) return runOnCompose({ ...options, project: compose, say });
  if (scenario === undefined) return runMix({ ...options, say });
  return runScenarios([scenario], { ...options, say });
}
