// `npm run dead-letters`: lists dead letters, sends them back to their queues, or removes them.
import { topology } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import type { Bus, DeadLetter } from '@storefront/messaging';
import { ConfigError, configTypes, createLogger, loadConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';

const usage = `Dead letters: events that a handler could not process. Requires AMQP_URL.

  list [filters]      lists them, the oldest first, each with its position
  replay [filters]    sends them back to the queues that they come from
  drop [filters]      deletes them; requires a filter, or --all

  --queue <name>      only those from this queue, such as engagement.on-user-registered
  --event <id>        only this event
  --all               all of them

  --limit <number>    lists at most so many; default 100
  --after <position>  lists only those behind this position

They are read in blocks and keep their order. Replaying and dropping may be interrupted: the rest stays, and can be
replayed or dropped later.
`;

const { positionals, values } = readCommandLine(usage, {
  queue: { type: 'string' },
  event: { type: 'string' },
  all: { type: 'boolean', default: false },
  limit: { type: 'string', default: '100' },
  after: { type: 'string', default: '0' },
});

try {
  const { AMQP_URL: url } = loadConfig(z.object({ AMQP_URL: configTypes.amqpUrl }), process.env);
  const bus = await connectRabbitmq({ url, topology, logger: createLogger('dead-letters', 'error'), name: 'operator' });
  try {
    process.stdout.write(await run(positionals[0] ?? '', bus.deadLetters));
  } finally {
    await bus.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(command: string, deadLetters: Bus['deadLetters']): Promise<string> {
  if (command === 'list') return list(deadLetters);
  if (command === 'replay') return `${await deadLetters.replay(isSelected)} sent back\n`;
  if (command === 'drop') {
    if (!values.all && values.queue === undefined && values.event === undefined) throw new ConfigError(usage);
    return `${await deadLetters.drop(isSelected)} dropped\n`;
  }
  throw new ConfigError(usage);
}

async function list(deadLetters: Bus['deadLetters']): Promise<string> {
  const page = { limit: wholeNumber('limit', values.limit), after: wholeNumber('after', values.after) };
  const found = await deadLetters.list({ ...page, match: isSelected });
  const last = found.at(-1);
  const more = last && found.length === page.limit ? `More: --after ${last.position}\n` : '';
  return found.map(line).join('') + more || 'There are none.\n';
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new ConfigError(`--${option} must be a whole number.`);
  return Number(text);
}

function isSelected({ queue, event }: DeadLetter): boolean {
  const id = 'id' in event ? event.id : undefined;
  return (values.queue ?? queue) === queue && (values.event ?? id) === id;
}

function line({ position, diedAt, queue, event, attempts, reason }: DeadLetter): string {
  const what = 'id' in event ? `${event.type} ${event.id} of ${event.subject}` : 'unreadable';
  return `${position}  ${diedAt}  ${queue}  ${what}  after ${attempts} attempts: ${reason}\n`;
}
