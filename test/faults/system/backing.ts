import { join } from 'node:path';
import { findMongod, findRabbitmq, startMongod, startRabbitmq } from '@storefront/backing';
import type { Reaper } from '@storefront/backing';
import { startProxy } from '@storefront/testing/tcp-proxy';
import type { TcpProxy } from '@storefront/testing/tcp-proxy';

/** A server that the rig may kill, halt and start again. */
export interface Breakable {
  readonly name: string;
  /** `mongodb` or `rabbitmq`. */
  readonly group: string;
  readonly pid: number;
  /** Starts it again on the same port and data, whether it died or still runs. */
  restart(): Promise<void>;
}

/** A part that one server of a cluster plays at a time. */
export interface Role {
  readonly name: string;
  /** The group of its servers. */
  readonly group: string;
  /** Asks the cluster which of its servers plays it now; waits where none does just then. */
  player(): Promise<string>;
}

/** What the system under test stands on, all of it in the rig's hands. */
export interface RigBacking {
  readonly servers: readonly Breakable[];
  readonly roles: readonly Role[];
  /** The networks that can be made bad, by the name of the server behind. */
  readonly networks: ReadonlyMap<string, TcpProxy>;
  /** What the system is told. */
  readonly told: { readonly mongodb: string; readonly amqp: string };
  /** For looking at what is there, past the bad network. */
  readonly direct: { readonly mongodb: string; readonly amqp: string };
  close(): Promise<void>;
}

export interface BackingOptions {
  readonly dataDir: string;
  readonly reaper: Reaper;
  readonly say: (line: string) => void;
}

/** One MongoDB and one RabbitMQ, a proxy before each. */
export async function startSingleBacking({ dataDir, reaper, say }: BackingOptions): Promise<RigBacking> {
  const { mongod, rabbitmq: programs } = await findPrograms(say);
  const [mongodb, rabbitmq] = await Promise.all([
    startMongod({ binary: mongod, dataDir: join(dataDir, 'mongodb'), reaper }),
    startRabbitmq({ programs, dataDir: join(dataDir, 'rabbitmq'), reaper }),
  ]);
  const networks = new Map([
    ['mongodb', await startProxy(mongodb.url)],
    ['rabbitmq', await startProxy(rabbitmq.url)],
  ]);
  // A client that follows the replica set's own words would go past the proxy.
  const straight = (url: string) => {
    const address = new URL(url);
    address.search = '?directConnection=true';
    return address.href;
  };
  const server = (name: string, started: typeof mongodb): Breakable => ({
    name,
    group: name,
    get pid() {
      return started.pid;
    },
    restart: () => started.restart(),
  });
  return {
    servers: [server('mongodb', mongodb), server('rabbitmq', rabbitmq)],
    roles: [],
    networks,
    told: { mongodb: straight(networks.get('mongodb')?.url ?? ''), amqp: networks.get('rabbitmq')?.url ?? '' },
    direct: { mongodb: straight(mongodb.url), amqp: rabbitmq.url },
    async close() {
      await Promise.all([...networks.values()].map((network) => network.close()));
      await Promise.all([mongodb.close(), rabbitmq.close()]);
    },
  };
}

/** Throws where one of them can't be had. */
export async function findPrograms(say: (line: string) => void) {
  const rabbitmq = await findRabbitmq();
  if (!rabbitmq) throw new Error('The fault rig needs RabbitMQ on this machine (apt install rabbitmq-server).');
  return { mongod: await findMongod(say), rabbitmq };
}
