import { join } from 'node:path';
import { startBacking } from '@storefront/backing';
import type { Logger } from 'pino';
import { accountsOf } from './accounts.ts';
import type { Accounts } from './accounts.ts';
import { createClosers } from './closers.ts';
import type { Closers } from './closers.ts';
import { makeDemo } from './demo.ts';
import { StackError } from './error.ts';
import { keepBackingRunning } from './keep-backing.ts';
import { createLoggers } from './logs.ts';
import { portOf } from './options.ts';
import { chooseGatewayPorts, makePlan } from './plan.ts';
import { createProcessTable } from './process-table.ts';
import { untilReady } from './ready.ts';
import { openSecrets } from './secrets.ts';
import { gateway, services } from './services.ts';
import { startSeparately } from './separate.ts';
import { startTogether } from './together.ts';

export interface StackOptions {
  /** PORT, MAILBOX_PORT, ADMIN_EMAIL, ADMIN_PASSWORD, MONGODB_URL, AMQP_URL, SMTP_URL, and what services are told. */
  readonly env: NodeJS.ProcessEnv;
  /** Holds the secrets, the data of what is started, and the logs of separate processes. */
  readonly dataDir: string;
  /** How many gateways; 1 where it is not given. */
  readonly gateways?: number;
  /** Insist on a bus; without it RabbitMQ where there is one. */
  readonly bus?: 'in-process' | 'rabbitmq' | undefined;
  /** Every part in a process of its own, started again when it dies. Needs RabbitMQ. */
  readonly separate?: boolean;
  /** No demo data but the administrator. */
  readonly empty?: boolean;
  /** What the names of the databases begin with: tests on one server keep apart by it. `storefront_` where not given. */
  readonly databasePrefix?: string;
  /** The log of a part that runs in this process; to standard error where it is not given. */
  readonly loggerOf?: (name: string) => Logger;
  /** Takes progress in plain words, a line at a time. */
  readonly say?: (line: string) => void;
  /** Takes what has to be ended as it is started, so that a start can be broken off. */
  readonly closers?: Closers;
}

export interface Stack {
  readonly gateways: readonly string[];
  /** The page and API of the development mailbox; null where SMTP_URL sends mails elsewhere. */
  readonly mailbox: string | null;
  readonly docs: string;
  readonly accounts: Accounts;
  /** What the system stands on, in words. */
  readonly backing: { readonly mongodb: string; readonly broker: string; readonly mail: string };
  /** The private addresses of the services. */
  readonly services: Readonly<Record<string, string>>;
  /** The processes as they are now; only with `separate`. */
  readonly processes?: () => Record<string, number>;
  /** Ends everything that was started, the gateways first. Any number of calls. */
  close(): Promise<void>;
}

/**
 * Starts the whole system: finds or starts what it stands on, starts every service and gateway, waits until all are ready
 * and fills in the demo data. Where a step fails everything is ended again; a BackingError or a StackError says by its
 * message what to do.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { env, dataDir, separate = false, say = () => undefined, closers = createClosers() } = options;
  try {
    const gatewayPorts = await chooseGatewayPorts(env, options.gateways ?? 1);
    const secrets = await openSecrets(dataDir);
    const accounts = accountsOf(env, secrets);

    const table = separate ? createProcessTable(join(dataDir, 'processes.json')) : undefined;
    const keeper = keepBackingRunning({ onPid: (name, pid) => table?.set(name, pid), say });
    const bus = separate ? 'rabbitmq' : options.bus;
    const mailboxPort = portOf(env, 'MAILBOX_PORT');
    // Not before the servers are on their way: to read the code keeps this process from starting them. What is wrong with it
    // is said when it is started.
    const loadCode = () => void Promise.allSettled([...services, gateway].map((service) => service.load()));
    const backing = await startBacking({
      env,
      dataDir,
      say,
      ...(bus && { bus }),
      ...(mailboxPort !== undefined && { mailboxPort }),
      ...(!separate && { onWaiting: loadCode }),
      onExit: (name, how) => keeper.onExit(name, how),
    });
    closers.add(async () => {
      keeper.stop();
      await backing.close();
      table?.remove();
    });
    keeper.keep(backing);

    const databasePrefix = options.databasePrefix ?? 'storefront_';
    const plan = await makePlan({ env, secrets, admin: accounts.admin, backing, gatewayPorts, databasePrefix });
    say('Starting the services …');
    if (table) {
      await startSeparately(plan, { dataDir, table, say, closers });
    } else {
      const loggerOf = options.loggerOf ?? createLoggers(env.LOG_LEVEL || 'warn', 'people');
      await startTogether(plan, { inProcessBus: backing.broker.url === undefined, loggerOf, closers });
    }
    await untilReady([...plan.services, ...plan.gateways]);

    const gateways = plan.gateways.map(({ url }) => url);
    const [api] = gateways;
    if (api === undefined) throw new StackError('There must be at least one gateway.');
    const mailbox = backing.mail.page ?? null;
    const demo = options.empty ? null : await makeDemo({ api, mailbox, accounts, dataDir, env, say });
    return {
      gateways,
      mailbox,
      docs: `${api}/docs`,
      accounts: demo ? accounts : { admin: accounts.admin },
      backing: {
        mongodb: backing.mongodb.described,
        broker: backing.broker.described,
        mail: backing.mail.described,
      },
      services: Object.fromEntries(plan.services.map(({ name, url }) => [name, url])),
      ...(table && { processes: () => table.all() }),
      close: () => closers.closeAll(),
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}
