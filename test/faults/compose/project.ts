import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '@storefront/testing/eventually';

const run = promisify(execFile);

/** A container as `docker inspect` describes it. */
interface Container {
  readonly Name: string;
  readonly State: { readonly Pid: number; readonly Health?: { readonly Status: string } };
  readonly Config: { readonly Env: readonly string[]; readonly Labels: Readonly<Record<string, string>> };
  readonly NetworkSettings: {
    readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>>;
    readonly Ports: Readonly<Record<string, readonly { readonly HostPort: string }[] | null>>;
  };
}

/** The addresses of a running project for a program on the same machine. */
interface ProjectAddresses {
  readonly gateways: readonly string[];
  readonly mailbox: string;
  readonly mongodb: string;
  readonly amqp: string;
  readonly administrator: { readonly email: string; readonly password: string };
}

const labels = { project: 'com.docker.compose.project', service: 'com.docker.compose.service' };
const healthyWithinMs = 300_000;

/** Keeps the mails in memory, so it is never killed. */
const mailbox = 'mailpit';

/** A system that docker compose runs on this machine. Throws a sentence for people where something is missing. */
export function openProject(name: string) {
  async function containers(): Promise<readonly Container[]> {
    const { stdout } = await run('docker', ['ps', '--quiet', '--filter', `label=${labels.project}=${name}`]);
    const ids = stdout.split('\n').filter(Boolean);
    if (ids.length === 0)
      throw new Error(`No container of the project "${name}" runs: docker compose -p ${name} up -d`);
    const described = JSON.parse((await run('docker', ['inspect', ...ids])).stdout) as Container[];
    // The engine's names begin with a slash.
    return described.map((each) => ({ ...each, Name: each.Name.replace(/^\//, '') }));
  }

  const containersOf = async (service: string): Promise<readonly Container[]> =>
    (await containers()).filter(({ Config }) => Config.Labels[labels.service] === service);

  async function oneOf(service: string): Promise<Container> {
    const [container] = await containersOf(service);
    if (container === undefined) throw new Error(`No container of "${service}" runs in the project "${name}".`);
    return container;
  }

  /** The container with this name while it runs and is healthy. */
  async function healthy(container: string): Promise<Container | undefined> {
    // Looking costs the machine a part of a second.
    await wait(1_000);
    const found = (await containers()).find(({ Name }) => Name === container);
    return found?.State.Health?.Status === 'healthy' ? found : undefined;
  }

  const untilHealthy = (container: string): Promise<Container> =>
    eventually(() => healthy(container), `${container} to be healthy`, healthyWithinMs);

  const hostOf = ({ Name, NetworkSettings }: Container): string => {
    const [address] = Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
    if (!address) throw new Error(`${Name} has no address.`);
    return address;
  };

  /** The published address, which stays when the container is started again; else the one in the project's network. */
  const gatewayOf = (container: Container): string => {
    const [published] = container.NetworkSettings.Ports['8080/tcp'] ?? [];
    return published ? `http://127.0.0.1:${published.HostPort}` : `http://${hostOf(container)}:8080`;
  };

  return {
    /** `env` may name MongoDB and RabbitMQ by MONGODB_URL and AMQP_URL, as users who may read everything. */
    async addresses(env: NodeJS.ProcessEnv): Promise<ProjectAddresses> {
      const identity = await oneOf('identity');
      const mongodb = await oneOf('mongodb');
      const rabbitmq = await oneOf('rabbitmq');
      const administrator = {
        email: variable(identity, 'ADMIN_EMAIL') ?? '',
        password: variable(identity, 'ADMIN_PASSWORD') ?? '',
      };
      if (!administrator.email || !administrator.password)
        throw new Error('The load needs an administrator: set ADMIN_EMAIL and ADMIN_PASSWORD in .env, and up again.');
      const user = encodeURIComponent(variable(rabbitmq, 'RABBITMQ_DEFAULT_USER') ?? 'guest');
      const password = encodeURIComponent(variable(rabbitmq, 'RABBITMQ_DEFAULT_PASS') ?? 'guest');
      return {
        gateways: (await containersOf('gateway')).map(gatewayOf),
        mailbox: `http://${hostOf(await oneOf(mailbox))}:8025`,
        mongodb: env['MONGODB_URL'] ?? `mongodb://${founderOf(mongodb)}${hostOf(mongodb)}:27017/?directConnection=true`,
        amqp: env['AMQP_URL'] ?? `amqp://${user}:${password}@${hostOf(rabbitmq)}:5672`,
        administrator,
      };
    },

    /** The names of all containers that can be killed, services before servers. */
    async targets(): Promise<readonly string[]> {
      const servers = ['mongodb', 'rabbitmq'];
      const rank = ({ Config }: Container) => servers.indexOf(Config.Labels[labels.service] ?? '');
      return (await containers())
        .filter(({ Config, State }) => Config.Labels[labels.service] !== mailbox && State.Health !== undefined)
        .toSorted((a, b) => rank(a) - rank(b) || a.Name.localeCompare(b.Name))
        .map(({ Name }) => Name);
    },

    untilHealthy,

    /**
     * Kills the first process of the container from outside of the engine, as the kernel does where memory is short: only
     * then does the restart policy apply. Resolves when the container runs again and is healthy, to the time of the kill in
     * milliseconds since 1970.
     */
    async kill(container: string): Promise<number> {
      const { State: before } = await untilHealthy(container);
      process.kill(before.Pid, 'SIGKILL');
      const at = Date.now();
      await eventually(
        async () => ((await healthy(container))?.State.Pid ?? before.Pid) !== before.Pid,
        `${container} to be started again by the engine and to be healthy`,
        healthyWithinMs,
      );
      return at;
    },
  };
}

/** The first user of MongoDB, whom its container makes. */
function founderOf(mongodb: Container): string {
  const password = variable(mongodb, 'MONGODB_PASSWORD');
  return password === undefined ? '' : `storefront:${encodeURIComponent(password)}@`;
}

function variable({ Config }: Container, name: string): string | undefined {
  return Config.Env.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}
