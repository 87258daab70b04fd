import { join } from 'node:path';
import { findMongod, findRabbitmq, startMongod, startRabbitmq } from '@storefront/backing';
import type { Reaper } from '@storefront/backing';
import { startProxy } from '@storefront/testing/tcp-proxy';
import type { TcpProxy } from '@storefront/testing/tcp-proxy';

/** A server that can be killed, paused and started again. */
export interface RigServer {
  readonly name: string;
  /** `mongodb` or `rabbitmq`. */
  readonly group: string;
  readonly pid: number;
  /** Starts it again on the same port and data, whether it has ended or still runs. */
  restart(): Promise<void>;
}

/** A role that one server of a cluster has at a time, such as the primary. */
export interface ClusterRole {
  readonly name: string;
  /** The group of the servers that can have it. */
  readonly group: string;
  /** The name of the server that has the role now. Waits if no server has it. */
  holder(): Promise<string>;
}

/** The servers of the system under test, with proxies that can disturb the network. */
export interface RigBacking {
  readonly servers: readonly RigServer[];
  readonly roles: readonly ClusterRole[];
  /** The proxies by the name of the server behind them. */
  readonly networks: ReadonlyMap<string, TcpProxy>;
  /** The addresses for the system under test. */
  readonly forSystem: { readonly mongodb: string; readonly amqp: string };
  /** The addresses for the rig itself, which faults of the network do not affect. */
  readonly direct: { readonly mongodb: string; readonly amqp: string };
  close(): Promise<void>;
}

export interface RigBackingOptions {
  readonly dataDir: string;
  readonly reaper: Reaper;
  readonly say: (line: string) => void;
}

/** Starts one MongoDB and one RabbitMQ, each behind a proxy. */
export async function startSingleBacking({ dataDir, reaper, say }: RigBackingOptions): Promise<RigBacking> {
  const { mongod, rabbitmq: programs } = await findPrograms(say);
  const [mongodb, rabbitmq] = await Promise.all([
    startMongod({ binary: mongod, dataDir: join(dataDir, 'mongodb'), reaper }),
    startRabbitmq({ programs, dataDir: join(dataDir, 'rabbitmq'), reaper }),
  ]);
  const networks = new Map([
    ['mongodb', await startProxy(mongodb.url)],
    ['rabbitmq', await startProxy(rabbitmq.url)],
  ]);
  // Without a direct connection a client would use the address in the replica set's configuration and bypass the proxy.
  const direct = (url: string) => {
    const address = new URL(url);
    address.search = '?directConnection=true';
    return address.href;
  };
  const server = (name: string, started: typeof mongodb): RigServer => ({
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
    forSystem: { mongodb: direct(networks.get('mongodb')?.url ?? ''), amqp: networks.get('rabbitmq')?.url ?? '' },
    direct: { mongodb: direct(mongodb.url), amqp: rabbitmq.url },
    async close() {
      await Promise.all([...networks.values()].map((network) => network.close()));
      await Promise.all([mongodb.close(), rabbitmq.close()]);
    },
  };
}

/** Finds the programs of both servers. Throws if one is missing. */
export async function findPrograms(say: (line: string) => void) {
  const rabbitmq = await findRabbitmq();
  if (!rabbitmq) throw new Error('The fault rig needs RabbitMQ on this machine (apt install rabbitmq-server).');
  return { mongod: await findMongod(say), rabbitmq };
}
