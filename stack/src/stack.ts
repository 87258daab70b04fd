import { join } from 'node:path';
import { startBacking } from '@storefront/backing';
import type { Logger } from 'pino';
import { accountsOf, type Accounts } from './accounts.ts';
import { databaseUrl } from './database-url.ts';
import { readDemoCart } from './demo-cart.ts';
import { createDemo } from './demo.ts';
import { StackError } from './error.ts';
import { fillHistory } from './fill-history.ts';
import { chooseGatewayPorts, loopback, planInstances } from './instances.ts';
import { keepBackingRunning } from './keep-backing.ts';
import { createLoggers } from './logs.ts';
import { portOf } from './options.ts';
import { startPayments, type Payments } from './payments.ts';
import { prepareBroker } from './prepare-broker.ts';
import { createProcessTable } from './process-table.ts';
import { untilReady } from './ready.ts';
import { tellCommands } from './running.ts';
import { openSecrets } from './secrets.ts';
import { gateway, services } from './services.ts';
import { startSeparately } from './separate.ts';
import { startTogether } from './together.ts';

export interface StackOptions {
  /**
   * PORT, MAILBOX_PORT, PAYMENTS_PORT, ADMIN_EMAIL, ADMIN_PASSWORD, MONGODB_URL, AMQP_URL, SMTP_URL, and the services'
   * variables.
   */
  readonly env: NodeJS.ProcessEnv;
  /** Holds the secrets, the data of started servers, and the logs of separate processes. */
  readonly dataDir: string;
  /** The number of gateways; 1 by default. */
  readonly gateways?: number;
  /** The number of instances of every service; 1 by default. */
  readonly instances?: number;
  /** Allows only this kind of bus. The default is RabbitMQ if it can be had, else the in-process bus. */
  readonly bus?: 'in-process' | 'rabbitmq' | undefined;
  /** Runs every instance in a process of its own and starts it again when it ends. Requires RabbitMQ. */
  readonly separate?: boolean;
  /** Creates no demo data; only the administrator. */
  readonly empty?: boolean;
  /** Gives the demo data a year of what reports count, about so many facts. */
  readonly history?: number | undefined;
  /** The prefix of all database names, `storefront_` by default. Tests that share a server have different ones. */
  readonly databasePrefix?: string;
  /** The logger of an instance that runs in this process. By default it writes to standard error. */
  readonly loggerOf?: (name: string) => Logger;
  /** Receives progress for people, one line at a time. */
  readonly say?: (line: string) => void;
  /** Receives everything that must be closed as soon as it is started, so that the caller can abort the start. */
  readonly resources?: AsyncDisposableStack;
}

export interface Stack {
  readonly gateways: readonly string[];
  /** The page and API of the development mailbox; null if SMTP_URL is set. */
  readonly mailbox: string | null;
  readonly docs: string;
  readonly payments: Payments;
  readonly accounts: Accounts;
  /** A cart of the demo data to evaluate; null where there is none. */
  readonly cart: object | null;
  /** Whether reports have a year of history. */
  readonly hasHistory: boolean;
  /** Descriptions of the servers in use. */
  readonly backing: { readonly mongodb: string; readonly broker: string; readonly mail: string };
  /** The private addresses of the services' instances, by the instances' names. */
  readonly services: Readonly<Record<string, string>>;
  /** The current pids by name; only with `separate`. */
  readonly processes?: () => Record<string, number>;
  /** Stops everything that was started, the gateways first. May be called several times. */
  close(): Promise<void>;
}

/**
 * Starts the whole system: finds or starts its servers, starts all services and gateways, waits until they are ready
 * and creates the demo data. If a step fails, everything is stopped and the error is thrown. The message of a
 * BackingError or a StackError says what the user can do.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, dataDir, separate = false, say = () => undefined, resources = new AsyncDisposableStack() } = options;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= resources.disposeAsync());
  try {
    const gatewayPorts = await chooseGatewayPorts(env, options.gateways ?? 1);
    const secrets = await openSecrets(dataDir);
    const accounts = accountsOf(env, secrets);

    const table = separate ? createProcessTable(join(dataDir, 'processes.json'), say) : undefined;
    const keeper = keepBackingRunning({ onPid: (name, pid) => table?.set(name, pid), say });
    const bus = separate ? 'rabbitmq' : options.bus;
    const mailboxPort = portOf(env, 'MAILBOX_PORT');
    // Loading the code blocks this process, so it begins after the servers' processes have been started. Its errors are
    // reported when the services start.
    const loadCode = () => void Promise.allSettled([...services, gateway].map((service) => service.load()));
    const backing = await startBacking({
      env,
      dataDir,
      say,
      ...(bus && { bus }),
      ...(mailboxPort !== undefined && { mailboxPort }),
      ...(!separate && { onSpawned: loadCode }),
      onExit: (name, how) => keeper.onExit(name, how),
    });
    resources.defer(async () => {
      keeper.stop();
      await backing.close();
      table?.remove();
    });
    keeper.keep(backing);

    const [gatewayPort] = gatewayPorts;
    if (gatewayPort === undefined) throw new StackError('There must be at least one gateway.');
    const api = loopback(gatewayPort);
    const payments = await startPayments({ env, secrets, dataDir, api, say, resources });
    const databasePrefix = options.databasePrefix ?? 'storefront_';
    const { admin } = accounts;
    const instances = await planInstances({
      env,
      secrets,
      admin,
      backing,
      payments,
      gatewayPorts,
      instancesOfEach: options.instances ?? 1,
      databasePrefix,
    });
    const { url: brokerUrl, managementUrl } = backing.broker;
    if (brokerUrl !== undefined) await prepareBroker({ url: brokerUrl, managementUrl }, say);
    const engagement = instances.services.find(({ service }) => service.name === 'engagement');
    const commands = {
      API_URL: api,
      AMQP_URL: brokerUrl,
      DEMO_PAYMENT_SECRETS: payments.demo?.secret,
      ENGAGEMENT_MONGODB_URL: engagement?.env.MONGODB_URL,
      OPERATIONS_MONGODB_URL: databaseUrl(backing.mongodb.url, databasePrefix),
    };
    await tellCommands(commands, dataDir, resources);
    say('Starting the services …');
    if (table) {
      await startSeparately(instances, { dataDir, table, say, resources });
    } else {
      const loggerOf = options.loggerOf ?? createLoggers(env.LOG_LEVEL || 'warn', 'people');
      await startTogether(instances, { inProcessBus: backing.broker.url === undefined, loggerOf, resources });
    }
    await untilReady([...instances.services, ...instances.gateways], say);

    const gateways = instances.gateways.map(({ url }) => url);
    const mailbox = backing.mail.page ?? null;
    const demo = options.empty ? null : await createDemo({ api, mailbox, accounts, dataDir, env, say });
    const history = demo ? options.history : undefined;
    if (history !== undefined)
      await fillHistory({ api, admin, brokerUrl, instances: instances.services, secrets, say }, history);
    return {
      gateways,
      mailbox,
      docs: `${api}/docs`,
      payments,
      accounts: demo ? accounts : { admin },
      cart: demo ? await readDemoCart(api) : null,
      hasHistory: history !== undefined,
      backing: {
        mongodb: backing.mongodb.described,
        broker: backing.broker.described,
        mail: backing.mail.described,
      },
      services: Object.fromEntries(instances.services.map(({ name, url }) => [name, url])),
      ...(table && { processes: () => table.all() }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
