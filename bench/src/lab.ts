import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking } from '@storefront/backing';
import type { Backing } from '@storefront/backing';
import mongoose from 'mongoose';
import type { Options } from './options.ts';
import { startStack } from './system/start-stack.ts';
import type { RunningStack } from './system/start-stack.ts';

export type Say = (line: string) => void;

/** What the measures share. Each part is started when it is first asked for. */
export interface Lab {
  readonly options: Options;
  readonly say: Say;
  /** MongoDB and RabbitMQ. */
  backing(): Promise<Backing>;
  /** The system with every service and both gateways in a process of its own, with the demo's shop in it. */
  separate(): Promise<RunningStack>;
  /** Ends the separate system, so that what is measured next has the machine for itself. */
  stopSeparate(): Promise<void>;
  /** Another system beside or instead of it, on databases of its own; whoever starts it stops it. */
  start(
    args: readonly string[],
    on: { readonly database: string; readonly url: string; readonly broker?: string },
  ): Promise<RunningStack>;
  /** The database of one service; of the separate system where no other is named. */
  database(service: string, system?: string): Promise<mongoose.mongo.Db>;
  /** An empty folder that goes with the lab. */
  folder(): Promise<string>;
  close(): Promise<void>;
}

const prefix = 'bench';

export function openLab(options: Options, say: Say): Lab {
  const folders: string[] = [];
  let backing: Promise<Backing> | undefined;
  let separate: Promise<RunningStack> | undefined;
  let connection: Promise<mongoose.Connection> | undefined;

  const lab: Lab = {
    options,
    say,
    backing: () =>
      (backing ??= (async () => {
        say('Starting MongoDB and RabbitMQ …');
        const dataDir = await lab.folder();
        return startBacking({ env: process.env, dataDir, bus: 'rabbitmq', say: () => undefined });
      })()),
    separate: () =>
      (separate ??= (async () => {
        const { mongodb, broker } = await lab.backing();
        say('Starting the services, each in a process of its own …');
        return lab.start(['--separate', '--gateways', '2'], {
          database: prefix,
          url: mongodb.url,
          broker: broker.url ?? '',
        });
      })()),
    async stopSeparate() {
      await (await separate)?.stop();
      separate = undefined;
    },
    async start(args, { database, url, broker = '' }) {
      const stack = await startStack(args, {
        DATA_DIR: await lab.folder(),
        MONGODB_URL: withDatabase(url, database),
        AMQP_URL: broker,
        SMTP_URL: '',
      });
      return { ...stack, database };
    },
    async database(service, system) {
      const { mongodb } = await lab.backing();
      connection ??= mongoose.createConnection(mongodb.url, { writeConcern: { w: 'majority' } }).asPromise();
      return (await connection).getClient().db(databaseName(service, system));
    },
    async folder() {
      const folder = await mkdtemp(join(tmpdir(), 'storefront-bench-'));
      folders.push(folder);
      return folder;
    },
    async close() {
      await lab.stopSeparate().catch(() => undefined);
      await (await connection?.catch(() => undefined))?.close();
      await (await backing?.catch(() => undefined))?.close();
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
  return lab;
}

/** How the stack names the database of a service where the address of the server names one already. */
export function databaseName(service: string, system: string = prefix): string {
  return `${system}_storefront_${service}`;
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
