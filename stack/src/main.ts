// `npm start`: the whole system, from nothing to a banner. What it consists of is in services.ts, how it is started in
// stack.ts; this file reads the options, tells people and programs what there is, and ends everything when told to.
import { inspect } from 'node:util';
import { BackingError } from '@storefront/backing';
import { bannerOf } from './banner.ts';
import { createClosers } from './closers.ts';
import { StackError } from './error.ts';
import { createLoggers } from './logs.ts';
import { readOptions, usage, UsageError } from './options.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack.ts';

// Whoever reads may be gone before this process notices that it should end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const say = (line: string) => void process.stderr.write(`${line}\n`);
const closers = createClosers();
const closeWithinMs = 25_000;

let closing: Promise<void> | undefined;
function close(): void {
  closing ??= (async () => {
    say('Stopping …');
    setTimeout(() => process.exit(1), closeWithinMs).unref();
    await closers.closeAll();
    process.exit(0);
  })().catch((error: unknown) => {
    say(inspect(error));
    process.exit(1);
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close);
// The starter is gone, however it went: nobody would ever stop this one.
process.once('disconnect', close);

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stderr.write(usage);
    process.exit(0);
  }
  const stack = await startStack({
    ...options,
    env: process.env,
    loggerOf: createLoggers(process.env.LOG_LEVEL || 'warn', options.json ? 'json' : 'people'),
    say,
    closers,
  });
  if (closing === undefined) {
    process.stderr.write(bannerOf(stack, options.dataDir, process.uptime()));
    if (options.json) process.stdout.write(`${JSON.stringify(describe(stack))}\n`);
  }
} catch (error) {
  if (closing === undefined) fail(error);
}

/** The contract with programs: one line, these names. */
function describe({ gateways, mailbox, docs, accounts, backing, services, processes }: Stack): object {
  return { gateways, mailbox, docs, accounts, backing, ...(processes && { services, processes: processes() }) };
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
  const forPeople = error instanceof BackingError || error instanceof StackError;
  say(forPeople ? error.message : `The start failed: ${inspect(error)}`);
  process.exit(1);
}
