import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking, type Backing } from '@storefront/backing';
import mongoose from 'mongoose';
import { databaseName, separatePrefix } from './database-name.ts';
import type { BenchOptions } from './options.ts';
import { moreOrdersAreMade, spawnStack, type StackProcess } from './system/stack-process.ts';

/** What the measurements share. Each part is started on first use, and everything is stopped by `close`. */
export interface BenchContext {
  readonly options: BenchOptions;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
  /** MongoDB and RabbitMQ. */
  backing(): Promise<Backing>;
  /** The system with the demo shop; every service and both gateways run in processes of their own. */
  separateStack(): Promise<StackProcess>;
  /** Stops the separate system, so that the next measurement has the machine for itself. */
  stopSeparateStack(): Promise<void>;
  /** Starts another system with databases of its own. `database` is the prefix of their names. */
  startStack(
    args: readonly string[],
    servers: { readonly database: string; readonly url: string; readonly broker?: string },
  ): Promise<StackProcess>;
  /** The database of a service in the system with that prefix; by default in the separate system. */
  database(service: string, prefix?: string): Promise<mongoose.mongo.Db>;
  /** A new folder that is removed by `close`. */
  temporaryFolder(): Promise<string>;
  close(): Promise<void>;
}

export function openContext(options: BenchOptions, say: (line: string) => void): BenchContext {
  const resources = new AsyncDisposableStack();
  let backing: Promise<Backing> | undefined;
  let separateStack: Promise<StackProcess> | undefined;
  let connection: Promise<mongoose.Connection> | undefined;

  const context: BenchContext = {
    options,
    say,
    backing: () =>
      (backing ??= (async () => {
        say('Starting MongoDB and RabbitMQ …');
        const dataDir = await context.temporaryFolder();
        const started = await startBacking({ env: process.env, dataDir, bus: 'rabbitmq', say: () => undefined });
        resources.defer(() => started.close());
        return started;
      })()),
    separateStack: () =>
      (separateStack ??= (async () => {
        const { mongodb, broker } = await context.backing();
        say('Starting the services, each in a process of its own …');
        return context.startStack(['--separate', '--gateways', '2'], {
          database: separatePrefix,
          url: mongodb.url,
          broker: broker.url ?? '',
        });
      })()),
    async stopSeparateStack() {
      await (await separateStack)?.stop();
      separateStack = undefined;
    },
    async startStack(args, { database, url, broker = '' }) {
      const stack = await spawnStack(args, {
        DATA_DIR: await context.temporaryFolder(),
        MONGODB_URL: withDatabase(url, database),
        AMQP_URL: broker,
        SMTP_URL: '',
      });
      resources.defer(() => stack.stop());
      await moreOrdersAreMade(stack.dataDir);
      return { ...stack, database };
    },
    async database(service, prefix = separatePrefix) {
      const { mongodb } = await context.backing();
      connection ??= (async () => {
        const opened = await mongoose.createConnection(mongodb.url, { writeConcern: { w: 'majority' } }).asPromise();
        resources.defer(() => opened.close());
        return opened;
      })();
      return (await connection).getClient().db(databaseName(service, prefix));
    },
    async temporaryFolder() {
      const folder = await mkdtemp(join(tmpdir(), 'storefront-bench-'));
      resources.defer(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
    close: () => resources.disposeAsync(),
  };
  return context;
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
