import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BackingError, reasonOf } from '../error.ts';
import { openDataFolder } from '../process/data-folder.ts';
import { lastLines, startProcess, whenReady } from '../process/managed.ts';
import type { ManagedProcess } from '../process/managed.ts';
import { isFree, keepOrChoosePorts } from '../process/ports.ts';
import { outputOf } from '../process/programs.ts';
import { startReaper } from '../process/reaper.ts';
import type { Reaper } from '../process/reaper.ts';
import type { StartedServer } from '../process/started-server.ts';
import { becomePrimary, replicaSetArguments, replicaSetUrl } from './replica-set.ts';

export interface MongodOptions {
  binary: string;
  /** The folder of this server alone; made if need be. A second start on it finds the data, and the port if it is free. */
  dataDir: string;
  /** Insist on a port; without it the last one of the folder or a free one. */
  port?: number;
  say?: (line: string) => void;
  /** Who ends it when this process is killed; without it the server brings a reaper of its own. */
  reaper?: Reaper;
  /** Its process runs, and it is not ready yet. */
  onSpawned?: () => void;
  /** It ended though nobody asked it to; `detail` says how, and where its log is. */
  onExit?: (detail: string) => void;
}

const startWithinMs = 60_000;

/** Starts a real `mongod` on loopback as the primary of a replica set of one. Throws a BackingError when it doesn't start. */
export async function startMongod(options: MongodOptions): Promise<StartedServer> {
  const { binary, say } = options;
  const folder = await openDataFolder<'mongodb'>(options.dataDir, 'MongoDB');
  const database = join(folder.path, 'db');
  const logFile = join(folder.path, 'mongod.log');
  await mkdir(database, { recursive: true });
  if (options.port !== undefined && !(await isFree(options.port))) {
    throw new BackingError(
      `Port ${options.port} for MongoDB is in use: end what listens there or choose another port.`,
    );
  }
  const ports =
    options.port === undefined
      ? await keepOrChoosePorts(['mongodb'], folder.remembered.ports)
      : { mongodb: options.port };
  const reaper = options.reaper ?? startReaper();

  async function start(): Promise<ManagedProcess> {
    const mongod = await startProcess({
      command: binary,
      args: ['--dbpath', database, '--port', String(ports.mongodb), ...replicaSetArguments, ...modestArguments],
      logFile,
      reaper,
      onUnexpectedEnd: (how) => options.onExit?.(`mongod ended with ${how}; its log is ${logFile}`),
    }).catch((error: unknown) => {
      throw new BackingError(
        `${binary} can't be run: ${reasonOf(error)}. Put a working mongod on the PATH or set MONGODB_URL.`,
      );
    });
    options.onSpawned?.();
    await folder.remember({ ports, pid: mongod.pid });
    await whenReady(mongod, startWithinMs, (signal) => becomePrimary(ports.mongodb, signal)).catch((error: unknown) => {
      throw new BackingError(
        `${binary} did not start on ${database} (${reasonOf(error)}): read its last lines, and remove the folder if its data may go.\n${lastLines(logFile)}`,
      );
    });
    return mongod;
  }

  const closeOwnReaper = async () => {
    if (options.reaper === undefined) await reaper.close();
  };
  const version =
    (await outputOf(binary, ['--version'], 10_000))?.match(/v(\d+\.\d+\.\d+)/)?.[1] ?? 'of unknown version';
  let mongod = await start().catch(async (error: unknown) => {
    await closeOwnReaper();
    throw error;
  });
  say?.(`MongoDB ${version} is the primary of its replica set on port ${ports.mongodb}.`);
  return {
    url: replicaSetUrl(ports.mongodb),
    version,
    get pid() {
      return mongod.pid;
    },
    async restart() {
      await mongod.stop();
      mongod = await start();
    },
    async close() {
      await mongod.stop();
      await closeOwnReaper();
    },
  };
}

/** A developer's machine has other things to do, and a primary without secondaries need not wait to hand over. */
const modestArguments = [
  '--bind_ip=127.0.0.1',
  '--nounixsocket',
  '--quiet',
  '--wiredTigerCacheSizeGB=0.5',
  '--oplogSize=256',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  '--setParameter=shutdownTimeoutMillisForSignaledShutdown=0',
] as const;
