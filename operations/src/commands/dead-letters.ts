// Lists dead letters, sends them back to their queues, or removes them.
import { matchingDeadLetters, type DeadLetter } from '@storefront/messaging';
import { ConfigError, configTypes, loadCommandConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';
import type { Command } from '../command.ts';
import { onBus } from '../on-bus.ts';

const usage = `Dead letters: events that a handler could not process. Requires AMQP_URL; beside npm start it does not.

  list [filters]      lists them, the oldest first, each with its position
  replay [filters]    sends them back to the queues that they come from
  drop [filters]      deletes them; requires a filter, or --all

  --queue <name>      only those from this queue, such as engagement.on-user-registered
  --event <id>        only this event
  --about <text>      only those with this text anywhere in them, such as the id or the email of somebody to be erased
  --all               all of them

  --limit <number>    lists at most so many; default 100
  --after <position>  lists only those behind this position

They are read in blocks and keep their order. Replaying and dropping may be interrupted: the others stay, and can be
replayed or dropped later.
`;

const options = {
  queue: { type: 'string' },
  event: { type: 'string' },
  about: { type: 'string' },
  all: { type: 'boolean', default: false },
  limit: { type: 'string', default: '100' },
  after: { type: 'string', default: '0' },
} as const;

export const deadLetters: Command = {
  summary: 'lists events that a handler could not process, sends them back, or deletes them',
  async run(args) {
    const { positionals, values } = readCommandLine(usage, options, args);
    const { AMQP_URL: url } = loadCommandConfig(z.object({ AMQP_URL: configTypes.amqpUrl }));
    const [command] = positionals;
    const match = matchingDeadLetters(values);
    await onBus(url, async ({ deadLetters: letters }) => {
      if (command === 'list') {
        const page = { limit: wholeNumber('limit', values.limit), after: wholeNumber('after', values.after) };
        process.stdout.write(list(await letters.list({ ...page, match }), page.limit));
      } else if (command === 'replay') {
        process.stdout.write(`${await letters.replay(match)} sent back\n`);
      } else if (command === 'drop') {
        if (!values.all && [values.queue, values.event, values.about].every((filter) => filter === undefined))
          throw new ConfigError(usage);
        process.stdout.write(`${await letters.drop(match)} dropped\n`);
      } else throw new ConfigError(usage);
    });
  },
};

function list(found: readonly DeadLetter[], limit: number): string {
  const last = found.at(-1);
  const more = last && found.length === limit ? `More: --after ${last.position}\n` : '';
  return found.map(line).join('') + more || 'There are none.\n';
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new ConfigError(`--${option} must be a whole number.`);
  return Number(text);
}

function line({ position, diedAt, queue, event, attempts, reason }: DeadLetter): string {
  const what = 'id' in event ? `${event.type} ${event.id} of ${event.subject}` : 'unreadable';
  return `${position}  ${diedAt}  ${queue}  ${what}  after ${attempts} attempts: ${reason}\n`;
}
