import { join } from 'node:path';
import { findMongod, findRabbitmq, reasonOf, startMongod, startRabbitmq, type Reaper } from '@storefront/backing';
import { mountDisk, type Disk } from './disk.ts';
import type { QueueType } from './event-queue.ts';
import { startLinks, type Links } from './links.ts';

/** A server that can be killed, paused and started again. */
export interface RigServer {
  readonly name: string;
  /** `mongodb` or `rabbitmq`. */
  readonly group: string;
  readonly pid: number;
  /** Starts it again on the same port and data, whether it has ended or still runs. */
  restart(): Promise<void>;
  /** Runs RabbitMQ's command line tool on it. */
  readonly control?: (...args: string[]) => Promise<string>;
  /** The filesystem with its data alone, where one could be mounted. */
  readonly disk?: Disk;
}

/** A role that one server of a cluster has at a time, such as the primary. */
export interface ClusterRole {
  readonly name: string;
  /** The group of the servers that can have it. */
  readonly group: string;
  /** The name of the server that has the role now. Waits if no server has it. */
  holder(): Promise<string>;
}

/** The servers of the system under test, and the networks to them, which can be disturbed. */
export interface RigBacking {
  readonly servers: readonly RigServer[];
  readonly roles: readonly ClusterRole[];
  readonly links: Links;
  /** The addresses for the rig itself, which faults of the network do not affect. */
  readonly direct: {
    readonly mongodb: string;
    readonly amqp: string;
    /** What the rig's own queues are, so that they outlive each kill. */
    readonly queueType: QueueType;
  };
  /** `keepData` keeps the files of all servers. */
  close(keepData: boolean): Promise<void>;
}

export interface RigBackingOptions {
  readonly dataDir: string;
  /** The names of the instances that will use the servers. */
  readonly instances: readonly string[];
  readonly reaper: Reaper;
  readonly say: (line: string) => void;
}

// The servers write less than half of this in a run.
const diskMegabytes = 1024;

/** Starts one MongoDB and one RabbitMQ, each on a disk of its own where one can be mounted. */
export async function startSingleBacking({ dataDir, instances, reaper, say }: RigBackingOptions): Promise<RigBacking> {
  const { mongod, rabbitmq: programs } = await findPrograms(say);
  const folders = { mongodb: join(dataDir, 'mongodb'), rabbitmq: join(dataDir, 'rabbitmq') };
  const disks = await mountDisks(folders, say);
  const [mongodb, rabbitmq] = await Promise.all([
    startMongod({ binary: mongod, dataDir: folders.mongodb, reaper }),
    startRabbitmq({ programs, dataDir: folders.rabbitmq, reaper }),
  ]);
  // Without a direct connection a client would use the address in the replica set's configuration and bypass the proxy.
  const address = new URL(mongodb.url);
  address.search = '?directConnection=true';
  const links = await startLinks(instances, { mongodb: address.href, amqp: rabbitmq.url });
  const server = (name: 'mongodb' | 'rabbitmq', started: typeof mongodb): RigServer => ({
    name,
    group: name,
    get pid() {
      return started.pid;
    },
    restart: () => started.restart(),
    ...(disks && { disk: disks[name] }),
  });
  return {
    servers: [server('mongodb', mongodb), Object.assign(server('rabbitmq', rabbitmq), { control: rabbitmq.control })],
    roles: [],
    links,
    direct: { mongodb: address.href, amqp: rabbitmq.url, queueType: 'classic' },
    async close(keepData) {
      await links.close();
      await Promise.all([mongodb.close(), rabbitmq.close()]);
      await Promise.all([disks?.mongodb.close(keepData), disks?.rabbitmq.close(keepData)]);
    },
  };
}

/** A disk for each server; undefined, with a line for people, where this user may not mount one. */
async function mountDisks(folders: Record<'mongodb' | 'rabbitmq', string>, say: (line: string) => void) {
  try {
    return {
      // Both keep their data in a subfolder of this name. Logs and settings stay outside of it.
      mongodb: await mountDisk(join(folders.mongodb, 'db'), diskMegabytes),
      rabbitmq: await mountDisk(join(folders.rabbitmq, 'db'), diskMegabytes),
    };
  } catch (error) {
    say(`No small filesystems can be mounted here, so there are no faults of full disks: ${reasonOf(error)}`);
    return undefined;
  }
}

/** Finds the programs of both servers. Throws if one is missing. */
export async function findPrograms(say: (line: string) => void) {
  const rabbitmq = await findRabbitmq();
  if (!rabbitmq) throw new Error('The fault rig needs RabbitMQ on this machine (apt install rabbitmq-server).');
  return { mongod: await findMongod(say), rabbitmq };
}
