import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { assertMongodbAnswers, openDataFolder, startBacking } from '@storefront/backing';
import type { Logger } from 'pino';
import { accountsOf, type Accounts } from './accounts.ts';
import { databaseUrl } from './database-url.ts';
import { readDemoCart } from './demo-cart.ts';
import { buildConsole } from './console.ts';
import { createDemo, createMoreOrders } from './demo.ts';
import { StackError } from './error.ts';
import { fillHistory } from './fill-history.ts';
import { chooseGatewayPorts, loopback, planInstances } from './instances.ts';
import { keepBackingRunning } from './keep-backing.ts';
import { createLoggers } from './logs.ts';
import { portOf } from './options.ts';
import { startPayments, type Payments } from './payments.ts';
import { prepareBroker } from './prepare-broker.ts';
import { restoreBackup } from './restore-backup.ts';
import { createProcessTable } from './process-table.ts';
import { untilReady } from './ready.ts';
import { runningSystem, tellCommands } from './running.ts';
import { openSecrets } from './secrets.ts';
import { gateway, services } from './services.ts';
import { startSeparately } from './separate.ts';
import { startStorefront } from './storefront.ts';
import { startTogether } from './together.ts';

export interface StackOptions {
  /**
   * PORT, MAILBOX_PORT, PAYMENTS_PORT, ADMIN_EMAIL, ADMIN_PASSWORD, MONGODB_URL, AMQP_URL, SMTP_URL, and the variables
   * of the services.
   */
  readonly env: NodeJS.ProcessEnv;
  /** The folder for the secrets, the data of the started servers, and the logs of separate processes. */
  readonly dataDir: string;
  /** The number of gateways. The default is 1. */
  readonly gateways?: number;
  /** The number of instances of every service. The default is 1. */
  readonly instances?: number;
  /** The kind of bus to use. By default RabbitMQ where it is available, otherwise the in-process bus. */
  readonly bus?: 'in-process' | 'rabbitmq' | undefined;
  /** Runs every instance in a separate process, and restarts it when it ends. Requires RabbitMQ. */
  readonly separate?: boolean;
  /**
   * Whether gateways call services of the same process directly. The default is true. With false they use HTTP, as
   * separate processes do.
   */
  readonly localCalls?: boolean;
  /** Serves the example shop, to which mails lead then. The default is false. */
  readonly storefront?: boolean;
  /** Creates no demo data. Only the administrator exists then. */
  readonly empty?: boolean;
  /** Builds the console, unless it is built, and serves it at `/console`. The default is false. */
  readonly console?: boolean;
  /** Adds a year of history with about this many facts to the demo data, so that reports show something. */
  readonly history?: number | undefined;
  /** A backup to restore before the services start; `force` first deletes what the databases and queues hold. */
  readonly restore?: { readonly folder: string; readonly force: boolean } | undefined;
  /**
   * The prefix of all database names. The default is `storefront_`. Tests that share a server need different prefixes.
   */
  readonly databasePrefix?: string;
  /** Returns the logger of an instance that runs in this process. By default it writes to standard error. */
  readonly loggerOf?: (name: string) => Logger;
  /** Receives messages about the progress for people, one line at a time. */
  readonly say?: (line: string) => void;
  /** Everything that must be closed is added here as soon as it is started. So the caller can abort the start. */
  readonly resources?: AsyncDisposableStack;
}

export interface Stack {
  readonly gateways: readonly string[];
  /** The address of the development mailbox, with its page and API. null where SMTP_URL is set. */
  readonly mailbox: string | null;
  readonly docs: string;
  /** The address of the example shop. null where it is left out. */
  readonly storefront: string | null;
  /** The address of the console of the shop's staff. null where there is none. */
  readonly console: string | null;
  readonly payments: Payments;
  readonly accounts: Accounts;
  /** A cart to evaluate, from the demo data. null where there is none. */
  readonly cart: object | null;
  /** Whether the demo data has a year of history. */
  readonly hasHistory: boolean;
  /** Texts that describe the servers in use. */
  readonly backing: { readonly mongodb: string; readonly broker: string; readonly mail: string };
  /** The internal addresses of the service instances, by instance name. */
  readonly services: Readonly<Record<string, string>>;
  /** Returns the current pids by name. Only set with `separate`. */
  readonly processes?: () => Record<string, number>;
  /**
   * Makes more demo data while the system is in use, if that was not done before. Ends early when the system is closed. Throws a
   * StackError where it can't be made.
   */
  makeMoreDemo(): Promise<void>;
  /** Stops everything that was started, gateways first. May be called several times. */
  close(): Promise<void>;
}

/** So long a close waits for the demo orders that are being made. */
const finishWithinMs = 3000;

/**
 * Starts the whole system. Finds or starts the servers, starts all services and gateways, waits until they are ready,
 * and creates the demo data. Where a step fails, everything is stopped and the error is thrown. The message of a
 * BackingError or a StackError says what the user can do.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, dataDir, separate = false, say = () => undefined, resources = new AsyncDisposableStack() } = options;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= resources.disposeAsync());
  try {
    const folder = await openDataFolder<never>(dataDir, 'npm start');
    await folder.save({ ports: {}, pid: process.pid });
    resources.defer(() => folder.save({ ports: {}, pid: null }));
    const gatewayPorts = await chooseGatewayPorts(env, options.gateways ?? 1);
    await assertMongodbAnswers(env);
    const secrets = await openSecrets(dataDir);
    const accounts = accountsOf(env, secrets);

    const building = options.console && !env.CONSOLE_DIR ? buildConsole(say) : Promise.resolve(env.CONSOLE_DIR ?? null);
    const table = separate ? createProcessTable(join(dataDir, 'processes.json'), say) : undefined;
    const keeper = keepBackingRunning({ onPid: (name, pid) => table?.set(name, pid), say });
    const bus = separate ? 'rabbitmq' : options.bus;
    const mailboxPort = portOf(env, 'MAILBOX_PORT');
    // Loading the code blocks this process, so it begins after the processes of the servers were started. Errors are
    // ignored here, because they occur again when the services start.
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
    const storefront = options.storefront ? await startStorefront({ env, api, resources }) : null;
    const databasePrefix = options.databasePrefix ?? 'storefront_';
    const { admin } = accounts;
    const console = await building;
    const instances = await planInstances({
      env: console === null ? env : { ...env, CONSOLE_DIR: console },
      secrets,
      admin,
      backing,
      payments,
      storefront,
      gatewayPorts,
      instancesOfEach: options.instances ?? 1,
      databasePrefix,
    });
    const { url: brokerUrl, managementUrl } = backing.broker;
    if (brokerUrl !== undefined) await prepareBroker({ url: brokerUrl, managementUrl }, say);
    const { url: mongodbUrl } = backing.mongodb;
    if (options.restore) {
      if (brokerUrl === undefined)
        throw new StackError('--restore needs RabbitMQ: the events of a backup go through its queues.');
      say(`Restoring the backup in ${options.restore.folder} …`);
      const servers = { mongodbUrl: databaseUrl(mongodbUrl, databasePrefix), brokerUrl, managementUrl };
      await restoreBackup(options.restore, servers, resources);
    }
    const system = { api, mongodbUrl, databasePrefix, brokerUrl, managementUrl };
    await tellCommands(runningSystem(instances.services, system), dataDir, resources);
    say('Starting the services …');
    if (table) {
      await startSeparately(instances, { dataDir, table, say, resources });
    } else {
      const loggerOf = options.loggerOf ?? createLoggers(env.LOG_LEVEL || 'warn', 'people');
      const inProcessBus = backing.broker.url === undefined;
      await startTogether(instances, { inProcessBus, localCalls: options.localCalls ?? true, loggerOf, resources });
    }
    await untilReady([...instances.services, ...instances.gateways], say);

    const gateways = instances.gateways.map(({ url }) => url);
    const mailbox = backing.mail.page ?? null;
    const demoOptions = { api, accounts, dataDir, hasDemoProvider: payments.demo !== undefined, env, say };
    const demo = options.empty ? null : await createDemo({ ...demoOptions, mailbox });
    const history = demo ? options.history : undefined;
    if (history !== undefined)
      await fillHistory({ api, admin, brokerUrl, instances: instances.services, secrets, say }, history);
    return {
      gateways,
      mailbox,
      docs: `${api}/docs`,
      storefront,
      // Passkeys need a host name.
      console: console === null ? null : `${api.replace('127.0.0.1', 'localhost')}/console`,
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
      async makeMoreDemo() {
        if (!demo || mailbox === null) return;
        let isStopped = false;
        const making = createMoreOrders({ ...demoOptions, mailbox, isStopped: () => isStopped });
        const ended = making.catch(() => undefined);
        resources.defer(async () => {
          isStopped = true;
          // Otherwise the services log what they could not finish.
          await Promise.race([ended, wait(finishWithinMs, undefined, { ref: false })]);
        });
        await making.catch((error: unknown) => {
          if (!isStopped) throw error;
        });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
