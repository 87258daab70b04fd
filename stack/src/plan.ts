import { freePort, isFree } from '@storefront/backing';
import type { Backing } from '@storefront/backing';
import type { Account } from './accounts.ts';
import { databaseUrl } from './database-url.ts';
import { StackError } from './error.ts';
import { portOf } from './options.ts';
import type { Secrets } from './secrets.ts';
import { gateway, services } from './services.ts';
import type { Service } from './services.ts';

/** One service or gateway of this start: where it will listen and what it is told. */
export interface Part {
  /** `identity`, or `gateway-2` where there are several. */
  readonly name: string;
  readonly service: Service;
  readonly url: string;
  /** Where it answers `/readyz`. */
  readonly probe: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Plan {
  readonly services: readonly Part[];
  readonly gateways: readonly Part[];
}

const loopback = (port: number) => `http://127.0.0.1:${port}`;
const defaultPort = 3000;

/** The ports of the gateways: PORT and those after it, as far as they are free. Throws a StackError when PORT is not. */
export async function chooseGatewayPorts(env: NodeJS.ProcessEnv, count: number): Promise<number[]> {
  const first = portOf(env, 'PORT') ?? defaultPort;
  if (first !== 0 && !(await isFree(first))) {
    throw new StackError(
      `Port ${first} is in use: end what listens there, or choose another port, as in PORT=${first + 1} npm start (PORT=0 takes any free one).`,
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
 * Lays out the system: every port is chosen before anything starts, so that all can start at once and each already knows
 * where the others will be.
 */
export async function makePlan(options: {
  env: NodeJS.ProcessEnv;
  secrets: Secrets;
  admin: Account;
  backing: Pick<Backing, 'mongodb' | 'broker' | 'mail'>;
  gatewayPorts: readonly number[];
  databasePrefix: string;
}): Promise<Plan> {
  const { secrets, backing, gatewayPorts } = options;
  const taken = [...gatewayPorts];
  const port = async () => {
    const chosen = await freePort(taken);
    taken.push(chosen);
    return chosen;
  };
  const doors: { name: string; port: number; operations: number }[] = [];
  for (const [at, publicPort] of gatewayPorts.entries())
    doors.push({ name: gatewayName(at), port: publicPort, operations: await port() });
  const ports: Record<string, number> = {};
  for (const { name } of services) ports[name] = await port();

  const urls = Object.fromEntries(Object.entries(ports).map(([name, number]) => [name, loopback(number)]));
  const watched = doors.map(({ name, operations }) => [doors.length === 1 ? 'gateway' : name, loopback(operations)]);
  const system = {
    env: options.env,
    api: loopback(gatewayPorts[0] ?? 0),
    secrets,
    admin: options.admin,
    smtpUrl: backing.mail.url,
    urls,
    probes: { ...urls, ...Object.fromEntries(watched) },
  };
  const common = {
    ...options.env,
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
        INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(secrets.internalKey.publicJwk),
        API_SECRET: secrets.secret(`api ${service.name}`),
        ...service.settings(system),
      };
      return { name: service.name, service, url, probe: url, env };
    }),
    gateways: doors.map((door) => ({
      name: door.name,
      service: gateway,
      url: loopback(door.port),
      probe: loopback(door.operations),
      env: {
        ...common,
        PORT: String(door.port),
        OPERATIONS_PORT: String(door.operations),
        ...gateway.settings(system),
      },
    })),
  };
}

function gatewayName(at: number): string {
  return `gateway-${at + 1}`;
}
