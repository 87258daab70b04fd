import { join } from 'node:path';
import type { BackingOptions, Chosen } from './choice.ts';
import { startMongodbInDocker } from './docker.ts';
import { givenAddress } from './given-address.ts';
import { fetchMongod, installedMongod } from './mongodb/find.ts';
import { startMongod } from './mongodb/start.ts';
import { dockerAnswers } from './process/programs.ts';
import type { Reaper } from './process/reaper.ts';

export interface BackingMongodb {
  readonly url: string;
  readonly described: string;
  /** The process, where this package started it; another one after `restart`. */
  readonly pid?: number;
  /** Starts it again on the same port and data, whether it died or still runs. */
  restart?(): Promise<void>;
}

/** MONGODB_URL; a `mongod` of this machine; Docker; a `mongod` that is fetched. Always a replica set. */
export async function chooseMongodb(
  options: BackingOptions,
  reaper: Reaper,
  onSpawned: () => void,
): Promise<Chosen<BackingMongodb>> {
  const { say, onExit } = options;
  const given = givenAddress(options.env, 'MONGODB_URL', ['mongodb:', 'mongodb+srv:']);
  if (given) {
    say(`MongoDB: ${given.described}.`);
    return { service: given, close: async () => undefined };
  }
  const installed = await installedMongod(say);
  if (installed === undefined && (await dockerAnswers())) {
    say('MongoDB: starting mongo:8 in Docker. Install mongod or set MONGODB_URL to use another.');
    const { close, ...service } = await startMongodbInDocker();
    return { service, close };
  }
  const binary = installed ?? (await fetchMongod(say));
  const server = await startMongod({
    binary,
    dataDir: join(options.dataDir, 'mongodb'),
    reaper,
    onSpawned,
    onExit: (detail) => onExit?.('mongodb', detail),
  });
  const described = `mongodb ${server.version} on ${new URL(server.url).host} (${binary})`;
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
