import { setTimeout as wait } from 'node:timers/promises';
import { fact, identityEvents, newId, toEvent } from '@storefront/contracts';
import { eventually } from '@storefront/testing/eventually';
import { connect } from 'amqplib';
import type { ConfirmChannel } from 'amqplib';
import { createClient } from '../client.ts';
import { countLeftovers } from '../drained.ts';
import type { MailReader } from '../mail-reader.ts';
import { randomOf } from '../random.ts';
import type { Scenario } from './scenario.ts';

const exchange = 'storefront.events';
const deadQueue = 'storefront.dead';
const healthyMessages = 1000;
const poisonMessages = 10;
const intervalMs = 10;

/** Poison messages among healthy ones: each becomes one dead letter and delays no other message. */
export const poison: Scenario = async ({ system, mails, mongodb }, { seed, full, say }) => {
  const count = full ? healthyMessages : healthyMessages / 5;
  const { amqp } = system.backing.direct;
  const broker = await connect(amqp);
  const channel = await broker.createConfirmChannel();
  try {
    await send(channel, mails, 'warm-up', 50, () => false);
    say(`${count} healthy messages, then as many with ${poisonMessages} poison messages among them`);
    const without = await send(channel, mails, 'healthy', count, () => false);
    const every = count / poisonMessages;
    const among = await send(channel, mails, 'among-poison', count, (at) => at % every === Math.floor(every / 2));
    const dead = await eventually(
      async () => {
        const { dead: letters } = await countLeftovers(mongodb, amqp);
        return letters >= poisonMessages ? letters : undefined;
      },
      'the dead letters',
      30_000,
    );
    // These are expected. Any that remain at the end of the run are not.
    await channel.purgeQueue(deadQueue);
    const client = createClient(system.stack.gateways, randomOf(seed, 'poison'));
    return {
      stats: client.stats,
      faults: poisonMessages,
      facts: [
        { what: 'dead letters beyond one for each poison message', found: dead - poisonMessages, atMost: 0 },
        { what: 'ms from publishing to the mail without poison messages, p99', found: without },
        { what: 'the same among poison messages', found: among },
        { what: 'times as long (of p99)', found: Math.round((among / without) * 100) / 100, atMost: 2, isTime: true },
      ],
    };
  } finally {
    await broker.close();
  }
};

/** Publishes messages at a constant rate. Returns the 99th percentile of the ms until their mails arrive. */
async function send(
  channel: ConfirmChannel,
  mails: MailReader,
  name: string,
  count: number,
  isPoison: (at: number) => boolean,
): Promise<number> {
  const publishedAt = new Map<string, number>();
  const base = performance.now();
  for (let at = 0; at < count; at += 1) {
    await wait(Math.max(0, base + at * intervalMs - performance.now()));
    if (isPoison(at)) publish(channel, identityEvents.userVerified.type, at % 2 === 0 ? 'no JSON' : '{"data":1}');
    const email = `${name}-${at}@example.com`;
    const id = newId('user');
    const verified = fact(identityEvents.userVerified, id, {
      email,
      firstName: 'Ada',
      lastName: 'Byron',
      role: 'retail' as const,
    });
    publishedAt.set(email, Date.now());
    publish(channel, verified.type, JSON.stringify(toEvent(verified, { sequence: 1, time: new Date() })));
  }
  await channel.waitForConfirms();
  const arrivals = await eventually(
    () => {
      const found = [...publishedAt].map(([email, at]) => (mails.to(email)[0]?.arrivedAt ?? Number.NaN) - at);
      return found.some(Number.isNaN) ? undefined : found;
    },
    `all ${count} mails of ${name}`,
    60_000,
  );
  return arrivals.sort((a, b) => a - b)[Math.ceil(count * 0.99) - 1] ?? 0;
}

function publish(channel: ConfirmChannel, type: string, content: string): void {
  channel.publish(exchange, type, Buffer.from(content), { persistent: true, mandatory: true, type });
}
