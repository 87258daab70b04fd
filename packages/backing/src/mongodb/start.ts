import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BackingError, reasonOf } from '../error.ts';
import { openDataFolder } from '../process/data-folder.ts';
import { lastLines, startProcess, whenReady, type ManagedProcess } from '../process/managed.ts';
import { isFree, keepOrChoosePorts } from '../process/ports.ts';
import { outputOf } from '../process/programs.ts';
import { startReaper, type Reaper } from '../process/reaper.ts';
import type { StartedServer } from '../process/started-server.ts';
import { becomePrimary, mongodArguments, replicaSetUrl } from './replica-set.ts';

export interface MongodOptions {
  binary: string;
  /**
   * The folder of this server only; created if missing. The next start uses the same data, and the same port if it is
   * free.
   */
  dataDir: string;
  /** The required port. The default is the port of the last start if it is free, otherwise any free port. */
  port?: number;
  /** Ends the server when this process is killed. By default the server gets its own reaper. */
  reaper?: Reaper;
  /** Called when the server's process runs, before the server is ready. */
  onSpawned?: () => void;
  /** Called when the server ends without being stopped. `detail` says how it ended and where its log is. */
  onExit?: (detail: string) => void;
}

const startWithinMs = 60_000;

/**
 * Starts `mongod` on loopback as the primary of a replica set with one member. Throws a BackingError if it does not
 * start.
 */
export async function startMongod(options: MongodOptions): Promise<StartedServer> {
  const { binary } = options;
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
    options.port === undefined ? await keepOrChoosePorts(['mongodb'], folder.last.ports) : { mongodb: options.port };
  const reaper = options.reaper ?? startReaper();

  async function start(): Promise<ManagedProcess> {
    const mongod = await startProcess({
      command: binary,
      args: [
        '--dbpath',
        database,
        '--port',
        String(ports.mongodb),
        '--bind_ip=127.0.0.1',
        '--nounixsocket',
        ...mongodArguments,
      ],
      logFile,
      reaper,
      onUnexpectedEnd: (how) => options.onExit?.(`mongod ended with ${how}; its log is ${logFile}`),
    }).catch((error: unknown) => {
      throw new BackingError(
        `${binary} can't be run: ${reasonOf(error)}. Put a working mongod on the PATH or set MONGODB_URL.`,
      );
    });
    options.onSpawned?.();
    await folder.save({ ports, pid: mongod.pid }).catch(async (error: unknown) => {
      await mongod.stop();
      throw error;
    });
    await whenReady(mongod, startWithinMs, (signal) => becomePrimary(`127.0.0.1:${ports.mongodb}`, signal)).catch(
      (error: unknown) => {
        throw new BackingError(
          `${binary} did not start on ${database} (${reasonOf(error)}): read its last lines, ` +
            `and remove the folder if its data may go.\n${lastLines(logFile, 5)}`,
        );
      },
    );
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
