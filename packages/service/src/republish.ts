import { setTimeout as wait } from 'node:timers/promises';
import { topology, type Event } from '@storefront/contracts';
import { connectRabbitmq, type Bus } from '@storefront/messaging';
import { openDatabase, type Database } from '@storefront/mongo';
import { ConfigError, createLogger, loadCommandConfig, serviceConfig } from '@storefront/process';
import { z } from 'zod';

/** Reads the next snapshot events, one for each id, in the order of the ids. Returns an empty list at the end. */
export type ReadPresent = (after: string | undefined, limit: number) => Promise<readonly Event[]>;

interface Republishing {
  readonly bus: Pick<Bus, 'publish'>;
  readonly read: ReadPresent;
  /** How many events may be published per second. */
  readonly rate: number;
  /** The last id that was already published; undefined to begin at the start. */
  readonly after?: string | undefined;
  /** Called after each batch, once the broker has confirmed all its events. */
  readonly onProgress: (progress: { readonly published: number; readonly upTo: string }) => void;
  /**
   * Aborting ends the republishing after the current batch. If the broker has not confirmed the batch, it ends at once.
   */
  readonly signal: AbortSignal;
}

const mostAtOnce = 100;
const retryMs = 1000;
const retryForMs = 30_000;

/**
 * Publishes the present state of everything, in order. An unconfirmed event is published again for 30 s. Then the
 * function throws; `onProgress` has reported everything that was confirmed before.
 */
export async function republish({ bus, read, rate, after, onProgress, signal }: Republishing): Promise<void> {
  const atOnce = Math.min(mostAtOnce, Math.max(1, Math.floor(rate / 10)));
  let [published, upTo] = [0, after];
  while (!signal.aborted) {
    const begun = performance.now();
    const events = await read(upTo, atOnce);
    const last = events.at(-1);
    if (!last) return;
    if (!(await publishConfirmed(bus, events, signal))) return;
    published += events.length;
    upTo = last.subject;
    onProgress({ published, upTo });
    const remainingMs = (events.length / rate) * 1000 - (performance.now() - begun);
    if (remainingMs > 0) await wait(remainingMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Publishes the events. Returns true once all are confirmed; false where `signal` was aborted before. Throws after 30
 * s.
 */
async function publishConfirmed(
  bus: Pick<Bus, 'publish'>,
  events: readonly Event[],
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + retryForMs;
  let left = events;
  for (;;) {
    const published = await bus.publish(left);
    const failed = published.flatMap((result) => (result.confirmed ? [] : [result]));
    if (failed.length === 0) return true;
    if (performance.now() >= deadline) throw new Error(`The broker has not confirmed the events: ${failed[0]?.reason}`);
    const ids = new Set(failed.map(({ id }) => id));
    left = left.filter(({ id }) => ids.has(id));
    await wait(retryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
  }
}

const defaultRate = 200;

/** The options of the command `republish`, for `readCommandLine`. */
export const republishOptions = { rate: { type: 'string' }, after: { type: 'string' } } as const;

/** The description of the command in a service's usage text. */
export const republishUsage = `republish [--rate <n>] [--after <id>]
                                   publishes the present state of all, in order, ${defaultRate} a second where nothing is
                                   given, so that services can make their copies anew; needs AMQP_URL. It can be stopped,
                                   and goes on after the id that it named last`;

/**
 * Runs the command `republish` of a service and writes its progress to standard error. `open` returns the function that
 * reads the present state. SIGINT and SIGTERM end the command after the current batch. Returns a line with the result.
 */
export async function runRepublish(
  name: string,
  values: { readonly rate?: string | undefined; readonly after?: string | undefined },
  open: (database: Database) => ReadPresent | Promise<ReadPresent>,
): Promise<string> {
  const rate = z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .safeParse(values.rate ?? defaultRate);
  if (!rate.success) throw new ConfigError('--rate must be a whole number from 1 to 10000.');
  const schema = z.object({ MONGODB_URL: serviceConfig.MONGODB_URL, AMQP_URL: serviceConfig.AMQP_URL.unwrap() });
  const config = loadCommandConfig(schema, name);
  const logger = createLogger(name, 'warn');
  const stop = new AbortController();
  // `on` and not `once`: Ctrl-C sends the signal twice, from the terminal and from the parent process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

  await using opened = new AsyncDisposableStack();
  const database = await openDatabase(config.MONGODB_URL, logger);
  opened.defer(() => database.close());
  const bus = await connectRabbitmq({ url: config.AMQP_URL, topology, logger, name: `${name}-republish` });
  opened.defer(() => bus.close());
  let progress = { published: 0, upTo: values.after };
  const goOn = () => (progress.upTo === undefined ? '' : ` To go on: --after ${progress.upTo}`);
  try {
    await republish({
      bus,
      read: await open(database),
      rate: rate.data,
      after: values.after,
      signal: stop.signal,
      onProgress(made) {
        progress = made;
        process.stderr.write(`${made.published} published, up to ${made.upTo}\n`);
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}${goOn()}`, { cause: error });
  }
  return stop.signal.aborted
    ? `Stopped after ${progress.published}.${goOn()}`
    : `${progress.published} published, which is all.`;
}
