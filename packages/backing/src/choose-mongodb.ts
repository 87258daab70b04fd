import { join } from 'node:path';
import { addressFromEnv } from './address-from-env.ts';
import type { BackingOptions, Chosen } from './choice.ts';
import { mongodbImage, startMongodbInDocker } from './docker.ts';
import { BackingError } from './error.ts';
import { downloadMongod, installedMongod } from './mongodb/find.ts';
import { startMongod } from './mongodb/start.ts';
import { dockerAnswers } from './process/programs.ts';
import type { Reaper } from './process/reaper.ts';

export interface BackingMongodb {
  readonly url: string;
  readonly described: string;
  /** The id of the process, if this package started it. It changes with `restart`. */
  readonly pid?: number;
  /** Restarts the server on the same port and data, even if it has ended. */
  restart?(): Promise<void>;
}

/**
 * Chooses the first MongoDB that is available: MONGODB_URL, `mongod` of this machine, MongoDB in Docker, or a
 * downloaded `mongod`. A started MongoDB is always a replica set.
 */
export async function chooseMongodb(
  options: BackingOptions,
  reaper: Reaper,
  onSpawned: () => void,
): Promise<Chosen<BackingMongodb>> {
  const { say, onExit } = options;
  const configured = addressFromEnv(options.env, 'MONGODB_URL', ['mongodb:', 'mongodb+srv:']);
  if (configured) {
    say(`MongoDB: ${configured.described}.`);
    return { service: configured, close: async () => undefined };
  }
  const installed = await installedMongod(say);
  if (installed === undefined && (await dockerAnswers())) {
    say(`MongoDB: starting ${mongodbImage} in Docker. Install mongod or set MONGODB_URL to use another.`);
    try {
      const { close, url, described: container } = await startMongodbInDocker({ reaper, onSpawned });
      const described = `${container} at ${url}`;
      say(`MongoDB: ${described}.`);
      return { service: { url, described }, close };
    } catch (error) {
      if (!(error instanceof BackingError)) throw error;
      say(error.message);
    }
  }
  const binary = installed ?? (await downloadMongod(say));
  const server = await startMongod({
    binary,
    dataDir: join(options.dataDir, 'mongodb'),
    reaper,
    onSpawned,
    onExit: (detail) => onExit?.('mongodb', detail),
  });
  const described = `mongodb ${server.version} at ${server.url} (${binary})`;
  say(`MongoDB: ${described}. Set MONGODB_URL to use another.`);
  return {
    service: {
      url: server.url,
      described,
      get pid() {
        return server.pid;
      },
      restart: () => server.restart(),
    },
    close: () => server.close(),
  };
}
