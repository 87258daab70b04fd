import { freePort, isFree } from '@storefront/backing';
import type { Backing } from '@storefront/backing';
import type { Credentials } from './accounts.ts';
import { databaseUrl } from './database-url.ts';
import { StackError } from './error.ts';
import { portOf } from './options.ts';
import type { Secrets } from './secrets.ts';
import { gateway, services, settingsOf } from './services.ts';
import type { StackService } from './services.ts';

/** A service or gateway of this start: its addresses and its environment variables. */
export interface Instance {
  /** Such as `identity` or `gateway-1`. */
  readonly name: string;
  readonly service: StackService;
  readonly url: string;
  /** The address of its `/readyz`, without the path. */
  readonly probe: string;
  readonly env: NodeJS.ProcessEnv;
}

/** All instances of this start. */
export interface Instances {
  readonly services: readonly Instance[];
  readonly gateways: readonly Instance[];
}

const loopback = (port: number) => `http://127.0.0.1:${port}`;
const defaultPort = 3000;

/** The ports of the gateways: PORT and the next ones if they are free. Throws a StackError if PORT is not free. */
export async function chooseGatewayPorts(env: NodeJS.ProcessEnv, count: number): Promise<number[]> {
  const first = portOf(env, 'PORT') ?? defaultPort;
  if (first !== 0 && !(await isFree(first))) {
    throw new StackError(
      `Port ${first} is in use: end what listens there, or choose another port, as in PORT=${first + 1} npm start ` +
        '(PORT=0 takes any free one).',
    );
  }
  const ports: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const next = first + at;
    const free = first !== 0 && next <= 65_535 && (await isFree(next));
    ports.push(free ? next : await freePort(ports));
  }
  return ports;
}

/**
 * Chooses the addresses and the environment of every instance. All ports are chosen before anything starts, so that the
 * instances can start at the same time and know the addresses of each other.
 */
export async function planInstances(options: {
  env: NodeJS.ProcessEnv;
  secrets: Secrets;
  admin: Credentials;
  backing: Pick<Backing, 'mongodb' | 'broker' | 'mail'>;
  gatewayPorts: readonly number[];
  databasePrefix: string;
}): Promise<Instances> {
  const { secrets, backing, gatewayPorts } = options;
  const taken = [...gatewayPorts];
  const newPort = async () => {
    const chosen = await freePort(taken);
    taken.push(chosen);
    return chosen;
  };
  const gateways: { name: string; port: number; operationsPort: number }[] = [];
  for (const [at, port] of gatewayPorts.entries())
    gateways.push({ name: `gateway-${at + 1}`, port, operationsPort: await newPort() });
  const ports: Record<string, number> = {};
  for (const { name } of services) ports[name] = await newPort();

  const urls = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, loopback(port)]));
  const gatewayProbes = gateways.map(({ name, operationsPort }) => [
    gateways.length === 1 ? 'gateway' : name,
    loopback(operationsPort),
  ]);
  const settings = settingsOf({
    env: options.env,
    api: loopback(gatewayPorts[0] ?? 0),
    secrets,
    admin: options.admin,
    smtpUrl: backing.mail.url,
    urls,
    probes: { ...urls, ...Object.fromEntries(gatewayProbes) },
  });
  const common = {
    ...options.env,
    ...settings,
    HOST: '127.0.0.1',
    NODE_ENV: options.env.NODE_ENV || 'development',
    LOG_LEVEL: options.env.LOG_LEVEL || 'warn',
    AMQP_URL: backing.broker.url ?? '',
  };

  return {
    services: services.map((service) => {
      const url = urls[service.name] ?? '';
      const env = {
        ...common,
        PORT: String(ports[service.name]),
        MONGODB_URL: databaseUrl(backing.mongodb.url, `${options.databasePrefix}${service.name}`),
        API_SECRET: secrets.secret(`api ${service.name}`),
      };
      return { name: service.name, service, url, probe: url, env };
    }),
    gateways: gateways.map(({ name, port, operationsPort }) => ({
      name,
      service: gateway,
      url: loopback(port),
      probe: loopback(operationsPort),
      env: {
        ...common,
        PORT: String(port),
        OPERATIONS_PORT: String(operationsPort),
        INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(secrets.internalKey.privateJwk),
      },
    })),
  };
}
