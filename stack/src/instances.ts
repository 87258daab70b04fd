import { freePort, isFree, type Backing } from '@storefront/backing';
import type { Credentials } from './accounts.ts';
import { databaseUrl } from './database-url.ts';
import { StackError } from './error.ts';
import { portOf } from './options.ts';
import type { Payments } from './payments.ts';
import type { Secrets } from './secrets.ts';
import { gateway, services, settingsOf, type StackService } from './services.ts';

/** An instance of a service or of the gateway, with its addresses and environment variables. */
export interface Instance {
  /** Such as `gateway-1` or `identity`. Where a service has several instances: `identity-1`. */
  readonly name: string;
  readonly service: StackService;
  readonly url: string;
  /** The address where `/readyz` is served, without the path. */
  readonly probe: string;
  readonly env: NodeJS.ProcessEnv;
}

/** All instances of the started system. */
export interface Instances {
  readonly services: readonly Instance[];
  readonly gateways: readonly Instance[];
}

export const loopback = (port: number) => `http://127.0.0.1:${port}`;
const defaultPort = 3000;

/**
 * The ports of the gateways: PORT and the ports after it; any free ones where PORT is 0. Throws a StackError where one of
 * them is not free.
 */
export async function chooseGatewayPorts(env: NodeJS.ProcessEnv, count: number): Promise<number[]> {
  const first = portOf(env, 'PORT') ?? defaultPort;
  const ports: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const port = first === 0 ? await freePort(ports) : first + at;
    if (port > 65_535) throw new StackError(`PORT=${first} leaves no ports for ${count} gateways: choose a lower one.`);
    if (first !== 0 && !(await isFree(port)))
      throw new StackError(
        `Port ${port}${at === 0 ? '' : ` of gateway ${at + 1}`} is in use: end what listens there, or choose another ` +
          `port, as in PORT=${port + 1} npm start (PORT=0 takes any free one).`,
      );
    ports.push(port);
  }
  return ports;
}

/**
 * Chooses the addresses and environment variables of every instance. All ports are chosen before anything starts. So
 * the instances can start at the same time and know each other's addresses.
 */
export async function planInstances(options: {
  env: NodeJS.ProcessEnv;
  secrets: Secrets;
  admin: Credentials;
  backing: Pick<Backing, 'mongodb' | 'broker' | 'mail'>;
  payments: Payments;
  storefront: string | null;
  gatewayPorts: readonly number[];
  instancesOfEach: number;
  databasePrefix: string;
}): Promise<Instances> {
  const { secrets, backing, gatewayPorts, instancesOfEach } = options;
  const taken = [...gatewayPorts];
  const newPort = async () => {
    const chosen = await freePort(taken);
    taken.push(chosen);
    return chosen;
  };
  const gateways: { name: string; port: number; operationsPort: number }[] = [];
  for (const [at, port] of gatewayPorts.entries())
    gateways.push({ name: `gateway-${at + 1}`, port, operationsPort: await newPort() });
  const planned: { name: string; service: StackService; port: number }[] = [];
  for (const service of services) {
    for (let at = 1; at <= instancesOfEach; at += 1)
      planned.push({
        name: instancesOfEach === 1 ? service.name : `${service.name}-${at}`,
        service,
        port: await newPort(),
      });
  }
  const urlsOf = (service: StackService) =>
    planned.filter((each) => each.service === service).map(({ port }) => loopback(port));
  const settings = settingsOf({
    env: options.env,
    api: loopback(gatewayPorts[0] ?? 0),
    secrets,
    admin: options.admin,
    smtpUrl: backing.mail.url,
    mailbox: backing.mail.page,
    payments: options.payments,
    storefront: options.storefront,
    urls: Object.fromEntries(services.map((service) => [service.name, urlsOf(service)])),
    gatewayProbes: gateways.map(({ operationsPort }) => loopback(operationsPort)),
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
    services: planned.map(({ name, service, port }) => {
      const url = loopback(port);
      const own = ownVariables(options.env, name);
      const env = {
        ...common,
        ...own,
        PORT: String(port),
        MONGODB_URL: databaseUrl(own.MONGODB_URL ?? backing.mongodb.url, `${options.databasePrefix}${service.name}`),
        API_SECRET: secrets.secret(`api ${service.name}`),
      };
      return { name, service, url, probe: url, env };
    }),
    gateways: gateways.map(({ name, port, operationsPort }) => ({
      name,
      service: gateway,
      url: loopback(port),
      probe: loopback(operationsPort),
      env: {
        ...common,
        ...ownVariables(options.env, name),
        PORT: String(port),
        OPERATIONS_PORT: String(operationsPort),
        INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(secrets.internalKey.privateJwk),
      },
    })),
  };
}

/**
 * The variables for a single instance. Tests use them to disturb only this instance. For example, `AMQP_URL_IDENTITY_1`
 * becomes the `AMQP_URL` of the instance `identity-1`.
 */
function ownVariables(env: NodeJS.ProcessEnv, instance: string): Record<string, string> {
  const suffix = instance.toUpperCase().replaceAll('-', '_');
  return Object.fromEntries(
    ['MONGODB_URL', 'AMQP_URL', 'NODE_OPTIONS'].flatMap((name) => {
      const value = env[`${name}_${suffix}`];
      return value ? [[name, value]] : [];
    }),
  );
}
