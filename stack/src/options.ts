import { parseArgs } from 'node:util';
import { resolve } from 'node:path';

export const usage = `npm start -- [options]

  --json               one line of JSON on standard output when all is ready
  --gateways N         N gateways side by side (default 1)
  --instances N        N instances of every service side by side (default 1)
  --bus in-process     use the bus inside this process
  --bus rabbitmq       require RabbitMQ
  --no-storefront      without the example shop; mails lead to pages that say what a shop would do there
  --separate           every service and gateway in a process of its own; what dies is started again
  --empty              no demo data but the administrator
  --history            a year of orders, visits and all else that reports count, up to yesterday
  --facts N            about how many facts the history has (default 40000)
  --restore FOLDER     starts from a backup, which npm run backup has written; with --force it first deletes what is there
  --help               this text

Environment: PORT (3000; 0: any free one), STOREFRONT_PORT, MAILBOX_PORT, PAYMENTS_PORT, DATA_DIR (.data),
RATE_LIMITS=off, LOG_LEVEL, SELLER_NAME and what else stands on invoices (docs/reference/configuration.md),
TRUST_PROXY (whose X-Forwarded-For names the client; 127.0.0.1 with the example shop, which renders pages on its server),
CORS_ORIGINS (origins whose pages may call the API; default http://localhost:*,http://127.0.0.1:*),
ADMIN_EMAIL and ADMIN_PASSWORD, and MONGODB_URL, AMQP_URL, SMTP_URL to use servers of your own.
`;

const usualFacts = '40000';
const mostFacts = 10_000_000;

/** An option or a variable is not valid. The message is shown to the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface StartOptions {
  readonly help: boolean;
  readonly json: boolean;
  readonly gateways: number;
  readonly instances: number;
  readonly bus: 'in-process' | 'rabbitmq' | undefined;
  readonly separate: boolean;
  /** Whether the example shop is served. */
  readonly storefront: boolean;
  readonly empty: boolean;
  /** About how many facts the history has. undefined where no history is requested. */
  readonly history: number | undefined;
  /** The backup to start from. */
  readonly restore: { readonly folder: string; readonly force: boolean } | undefined;
  readonly dataDir: string;
}

/** Parses the arguments after `npm start --`. Throws a UsageError where they are not valid. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): StartOptions {
  const {
    help,
    json,
    bus,
    separate,
    'no-storefront': withoutStorefront,
    empty,
    history: hasHistory,
    facts,
    restore: backup,
    force,
    ...counts
  } = parse(args);
  const gateways = countOf('gateways', counts.gateways, 32);
  const instances = countOf('instances', counts.instances, 8);
  if (bus !== undefined && bus !== 'in-process' && bus !== 'rabbitmq')
    throw new UsageError(`--bus takes in-process or rabbitmq, not "${bus}".`);
  if (separate && bus === 'in-process')
    throw new UsageError('--separate needs RabbitMQ: the in-process bus ends at the border of a process.');
  if (hasHistory && empty) throw new UsageError('--history is of the demo shop, which --empty leaves out.');
  if (hasHistory && bus === 'in-process')
    throw new UsageError('--history needs RabbitMQ: its events go through a queue.');
  if (facts !== undefined && !hasHistory) throw new UsageError('--facts is the size of a --history.');
  if (backup !== undefined && bus === 'in-process')
    throw new UsageError('--restore needs RabbitMQ: the events of a backup go through its queues.');
  if (force && backup === undefined) throw new UsageError('--force belongs to --restore.');
  const restore = backup === undefined ? undefined : { folder: resolve(backup), force };
  const history = hasHistory ? countOf('facts', facts ?? usualFacts, mostFacts) : undefined;
  const dataDir = resolve(env.DATA_DIR || '.data');
  const storefront = !withoutStorefront;
  return { help, json, gateways, instances, bus, separate, storefront, empty, history, restore, dataDir };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        gateways: { type: 'string', default: '1' },
        instances: { type: 'string', default: '1' },
        bus: { type: 'string' },
        separate: { type: 'boolean', default: false },
        'no-storefront': { type: 'boolean', default: false },
        empty: { type: 'boolean', default: false },
        history: { type: 'boolean', default: false },
        facts: { type: 'string' },
        restore: { type: 'string' },
        force: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    // The error message of Node.js continues with advice about positional arguments. The first sentence is enough.
    const [first] = (error as Error).message.split(/\. |\n/, 1);
    throw new UsageError(`${first}.`);
  }
}

function countOf(name: string, text: string, most: number): number {
  if (/^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw new UsageError(`--${name} takes a number from 1 to ${most}, not "${text}".`);
}

/** The port in a variable, or undefined where the variable is not set. Throws a UsageError where it is no port. */
export function portOf(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`${name} must be a port from 0 to 65535, not "${text}".`);
}
