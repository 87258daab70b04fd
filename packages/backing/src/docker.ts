import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { BackingError, reasonOf } from './error.ts';
import { becomePrimary, mongodArguments } from './mongodb/replica-set.ts';
import { onPath } from './process/programs.ts';
import type { Reaper } from './process/reaper.ts';
import { untilRabbitmqAnswers } from './rabbitmq/handshake.ts';

/**
 * A server in a container. The container and its data are removed when this process ends, even if this process is
 * killed.
 */
export interface DockerServer {
  readonly url: string;
  /** A description with the names of the image and the container. */
  readonly described: string;
  readonly close: () => Promise<void>;
}

export interface DockerRabbitmq extends DockerServer {
  /** The address of the management API, with user and password. */
  readonly managementUrl: string;
}

export interface DockerOptions {
  readonly reaper: Reaper;
  /** Called when the container is being created. Work done now costs no extra time. */
  readonly onSpawned: () => void;
}

export const mongodbImage = 'mongo:8';
/** This image includes the management API, which tests and policies need. */
export const rabbitmqImage = 'rabbitmq:4-management';

const startWithinMs = 300_000;

/** Starts MongoDB as a replica set with one member. Throws a BackingError if Docker can't start it. */
export async function startMongodbInDocker(options: DockerOptions): Promise<DockerServer> {
  const port = 27017;
  const container = await startContainer(mongodbImage, [port], options, {
    command: ['mongod', '--bind_ip_all', ...mongodArguments],
    saysWhenUp: /waiting for connections/i,
    untilReady: ({ address }, signal) => becomePrimary(address(port), signal, `127.0.0.1:${port}`),
  });
  // The direct connection is needed because the replica set's configuration has the address inside the container, which
  // clients can't reach.
  return { ...container, url: `mongodb://${container.address(port)}/?directConnection=true` };
}

/** Starts RabbitMQ with its management API. Throws a BackingError if Docker can't start it. */
export async function startRabbitmqInDocker(options: DockerOptions): Promise<DockerRabbitmq> {
  const [amqp, management] = [5672, 15672];
  const urlOf = (address: (port: number) => string) => `amqp://guest:guest@${address(amqp)}`;
  const container = await startContainer(rabbitmqImage, [amqp, management], options, {
    saysWhenUp: /Server startup complete/,
    untilReady: async ({ address }, signal) => void (await untilRabbitmqAnswers(urlOf(address), signal)),
  });
  const { address } = container;
  return { ...container, url: urlOf(address), managementUrl: `http://guest:guest@${address(management)}` };
}

interface Container extends Omit<DockerServer, 'url'> {
  /** Returns host and port at which a port of the container can be reached. */
  readonly address: (port: number) => string;
}

async function startContainer(
  image: string,
  ports: readonly number[],
  { reaper, onSpawned }: DockerOptions,
  how: {
    readonly command?: readonly string[];
    readonly saysWhenUp: RegExp;
    readonly untilReady: (container: Pick<Container, 'address'>, signal: AbortSignal) => Promise<void>;
  },
): Promise<Container> {
  // The name is chosen before the container exists, so that the reaper can remove the container even if this process is
  // killed while Docker creates it.
  const name = `storefront-${image.replace(/:.*/, '')}-${randomBytes(5).toString('hex')}`;
  const docker = await onPath('docker');
  if (docker === undefined) throw new BackingError('There is no docker command on the PATH.');
  reaper.watchContainer(name, await realpath(docker));
  try {
    // Imported only here, because loading it takes a while and most starts don't need it.
    const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
    const { host } = (await getContainerRuntimeClient()).info.containerRuntime;

    /**
     * Publishes ports on loopback only. The library would publish them on all addresses, but these servers have no
     * passwords or well-known ones.
     */
    class OnLoopback extends GenericContainer {
      protected override async beforeContainerCreated(): Promise<void> {
        const HostIp = host === 'localhost' ? '127.0.0.1' : '';
        this.hostConfig.PortBindings = Object.fromEntries(
          ports.map((port) => [`${port}/tcp`, [{ HostIp, HostPort: '0' }]]),
        );
      }
    }

    const prepared = new OnLoopback(image)
      .withName(name)
      .withExposedPorts(...ports)
      .withWaitStrategy(Wait.forLogMessage(how.saysWhenUp))
      .withStartupTimeout(startWithinMs)
      // The reaper removes the container. The library's own cleaner would need one more image, which may not be
      // available.
      .withAutoCleanup(false);
    if (how.command) prepared.withCommand([...how.command]);
    const starting = prepared.start();
    onSpawned();
    const started = await starting;
    const address = (port: number) => `${host === 'localhost' ? '127.0.0.1' : host}:${started.getMappedPort(port)}`;
    await how.untilReady({ address }, AbortSignal.timeout(startWithinMs));
    return {
      address,
      described: `${image} in Docker as ${name} (its data goes when it stops)`,
      async close() {
        await started.stop();
        reaper.forgetContainer(name);
      },
    };
  } catch (error) {
    // A container that was created is still watched, and the reaper removes it.
    throw new BackingError(`Docker answers but could not start ${image}: ${reasonOf(error)}.`);
  }
}
