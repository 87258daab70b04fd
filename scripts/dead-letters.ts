// `npm run dead-letters`: what the handlers gave up on, for an operator to look at, to send back or to let go.
import { topology } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import type { DeadLetter } from '@storefront/messaging';
import { ConfigError, configTypes, createLogger, loadConfig, readCommandLine } from '@storefront/service-kit';
import { z } from 'zod';

const usage = `Dead letters: events that a handler gave up on. Takes AMQP_URL.

  list                lists them, the oldest first, and leaves them where they are
  replay [filters]    sends them back to the queue where they died
  drop [filters]      removes them for good; needs a filter, or --all

  --queue <name>      only those that died in this queue, such as engagement.on-user-registered
  --event <id>        only this event
  --all               every one
`;

const { positionals, values } = readCommandLine(usage, {
  queue: { type: 'string' },
  event: { type: 'string' },
  all: { type: 'boolean', default: false },
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

async function run(
  command: string,
  letters: Awaited<ReturnType<typeof connectRabbitmq>>['deadLetters'],
): Promise<string> {
  if (command === 'list') return (await letters.list()).filter(isMeant).map(line).join('') || 'There are none.\n';
  if (command === 'replay') return `${await letters.replay(isMeant)} sent back\n`;
  if (command === 'drop') {
    if (!values.all && values.queue === undefined && values.event === undefined) throw new ConfigError(usage);
    return `${await letters.drop(isMeant)} dropped\n`;
  }
  throw new ConfigError(usage);
}

function isMeant(letter: DeadLetter): boolean {
  const id = 'id' in letter.event ? letter.event.id : undefined;
  return (values.queue ?? letter.queue) === letter.queue && (values.event ?? id) === id;
}

function line({ diedAt, queue, event, attempts, reason }: DeadLetter): string {
  const what = 'id' in event ? `${event.type} ${event.id} of ${event.subject}` : 'unreadable';
  return `${diedAt}  ${queue}  ${what}  after ${attempts} attempts: ${reason}\n`;
}
