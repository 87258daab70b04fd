import { join } from 'node:path';
import { addressFromEnv } from './address-from-env.ts';
import type { BackingOptions, Chosen } from './choice.ts';
import { rabbitmqImage, startRabbitmqInDocker } from './docker.ts';
import { BackingError, reasonOf } from './error.ts';
import { dockerAnswers } from './process/programs.ts';
import type { Reaper } from './process/reaper.ts';
import { findRabbitmq, type RabbitmqPrograms } from './rabbitmq/find.ts';
import { startRabbitmq } from './rabbitmq/start.ts';

export interface BackingBroker {
  /** The address of RabbitMQ; absent for the in-process bus. */
  readonly url?: string;
  /** The address of the management API, with user and password. */
  readonly managementUrl?: string;
  /** A description for people: it begins with `rabbitmq`, or is `in-process`. */
  readonly described: string;
  readonly pid?: number;
  restart?(): Promise<void>;
}

const howToGetIt =
  'install RabbitMQ (on Debian and Ubuntu: apt install rabbitmq-server), start Docker, or set AMQP_URL';

/**
 * Chooses the first broker that is available: AMQP_URL, RabbitMQ of this machine, RabbitMQ in Docker, or the in-process
 * bus if it is allowed.
 */
export async function chooseBroker(
  options: BackingOptions,
  reaper: Reaper,
  onSpawned: () => void,
): Promise<Chosen<BackingBroker>> {
  const { bus, env, say } = options;
  if (bus === 'in-process') {
    say('Broker: the in-process bus, as requested. Leave --bus away to use RabbitMQ.');
    return inProcess();
  }
  const configured = addressFromEnv(env, 'AMQP_URL', ['amqp:', 'amqps:']);
  if (configured) {
    say(`Broker: RabbitMQ at ${configured.described}.`);
    const managementUrl = env['RABBITMQ_MANAGEMENT_URL'];
    const service = {
      url: configured.url,
      described: `rabbitmq at ${configured.described}`,
      ...(managementUrl && { managementUrl }),
    };
    return { service, close: async () => undefined };
  }
  try {
    const programs = await findRabbitmq();
    if (programs) return await privateNode(programs, options, reaper, onSpawned);
    if (await dockerAnswers()) return await inDocker(say, reaper, onSpawned);
  } catch (error) {
    if (bus === 'rabbitmq') throw error;
    say(reasonOf(error));
  }
  if (bus === 'rabbitmq') throw new BackingError(`RabbitMQ was requested and there is none here: ${howToGetIt}.`);
  say(
    'WARNING: no RabbitMQ, so events travel by the in-process bus: events on their way are lost with the process, ' +
      `and only one process can run. To change that, ${howToGetIt}.`,
  );
  return inProcess();
}

function inProcess(): Chosen<BackingBroker> {
  return { service: { described: 'in-process' }, close: async () => undefined };
}

async function privateNode(
  programs: RabbitmqPrograms,
  { dataDir, rabbitmqManagement, onExit, say }: BackingOptions,
  reaper: Reaper,
  onSpawned: () => void,
): Promise<Chosen<BackingBroker>> {
  say('Broker: starting a private RabbitMQ, which takes some seconds …');
  const node = await startRabbitmq({
    programs,
    dataDir: join(dataDir, 'rabbitmq'),
    ...(rabbitmqManagement !== undefined && { management: rabbitmqManagement }),
    reaper,
    onSpawned,
    onExit: (detail) => onExit?.('rabbitmq', detail),
  });
  const described = `rabbitmq ${node.version} at ${node.url}`;
  say(`Broker: ${described}. Set AMQP_URL to use another, or --bus in-process to use none.`);
  return {
    service: {
      url: node.url,
      ...(node.managementUrl !== undefined && { managementUrl: node.managementUrl }),
      described,
      get pid() {
        return node.pid;
      },
      restart: () => node.restart(),
    },
    close: () => node.close(),
  };
}

async function inDocker(
  say: (line: string) => void,
  reaper: Reaper,
  onSpawned: () => void,
): Promise<Chosen<BackingBroker>> {
  say(`Broker: starting ${rabbitmqImage} in Docker. Install rabbitmq-server or set AMQP_URL to use another.`);
  const { close, url, managementUrl, described: container } = await startRabbitmqInDocker({ reaper, onSpawned });
  const described = `${container} at ${url}`;
  say(`Broker: ${described}.`);
  return { service: { url, managementUrl, described }, close };
}
