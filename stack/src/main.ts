// `npm start` runs this file. It reads the options, starts the whole system (stack.ts), prints the addresses for people
// and programs, and stops everything on a signal. services.ts lists the services.
import { inspect } from 'node:util';
import { BackingError } from '@storefront/backing';
import { giveMemoryBackWhenIdle } from '@storefront/process';
import { bannerOf } from './banner.ts';
import { StackError } from './error.ts';
import { createLoggers } from './logs.ts';
import { readOptions, usage, UsageError } from './options.ts';
import { startStack, type Stack } from './stack.ts';

// The program that reads the output may have ended. Writing then fails, which must not stop this process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const say = (line: string) => void process.stderr.write(`${line}\n`);
const resources = new AsyncDisposableStack();
const closeWithinMs = 25_000;

let closing: Promise<void> | undefined;
function close(): void {
  closing ??= (async () => {
    say('Stopping …');
    setTimeout(() => process.exit(1), closeWithinMs).unref();
    await resources.disposeAsync();
    process.exit(0);
  })().catch((error: unknown) => {
    say(inspect(error));
    process.exit(1);
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close);
// The parent process has ended, so no signal will come from it any more.
process.once('disconnect', close);
giveMemoryBackWhenIdle();

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stderr.write(usage);
    process.exit(0);
  }
  const stack = await startStack({
    ...options,
    console: true,
    env: process.env,
    loggerOf: createLoggers(process.env.LOG_LEVEL || 'warn', options.json ? 'json' : 'people'),
    say,
    resources,
  });
  if (closing === undefined) {
    process.stderr.write(bannerOf(stack, options.dataDir, process.uptime()));
    if (options.json) process.stdout.write(`${JSON.stringify(describe(stack))}\n`);
    await stack
      .makeMoreDemo()
      .catch((error: unknown) => say(error instanceof StackError ? error.message : inspect(error)));
  }
} catch (error) {
  if (closing === undefined) fail(error);
}

/** The line that programs read with --json. Programs depend on these names, so they must not change. */
function describe({
  gateways,
  mailbox,
  docs,
  storefront,
  console,
  payments,
  accounts,
  backing,
  services,
  processes,
}: Stack): object {
  return {
    gateways,
    mailbox,
    docs,
    storefront,
    console,
    payments,
    accounts,
    backing,
    ...(processes && { services, processes: processes() }),
  };
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
  const isForUser = error instanceof BackingError || error instanceof StackError;
  say(isForUser ? error.message : `The start failed: ${inspect(error)}`);
  process.exit(1);
}
