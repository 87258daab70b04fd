import { setTimeout as wait } from 'node:timers/promises';
import { topology } from '@storefront/contracts';
import { connect } from 'amqplib';
import type { ChannelModel } from 'amqplib';
import type mongoose from 'mongoose';

/** What is still on its way somewhere. */
export interface Leftovers {
  /** Documents with events that are not published. */
  readonly outboxes: number;
  /** Messages in the queues of subscriptions, waiting for a handler. */
  readonly ready: number;
  /** Messages waiting for another try. */
  readonly delayed: number;
  readonly dead: number;
  /** Mails that are not handed over yet. */
  readonly pendingMails: number;
}

const deadQueue = 'storefront.dead';
const waits = ['1s', '10s', '60s', '300s'];

export const sumOf = (left: Leftovers): number => Object.values(left).reduce((sum, each) => sum + each, 0);

/** Counts past the system, straight at the database and the broker. Throws where one of them is away. */
export async function countLeftovers(mongodb: mongoose.mongo.MongoClient, amqpUrl: string): Promise<Leftovers> {
  const broker = await connect(amqpUrl);
  // An error without a listener would end the rig.
  broker.on('error', () => undefined);
  try {
    const queues = topology.map(({ queue }) => queue);
    const delayQueues = queues.flatMap((queue) => waits.map((each) => `${queue}.wait-${each}`));
    const [outboxes, pendingMails, ready, delayed, dead] = await Promise.all([
      countOutboxes(mongodb),
      mongodb.db('storefront_engagement').collection('deliveries').countDocuments({ status: 'pending' }),
      messagesIn(broker, queues),
      messagesIn(broker, delayQueues),
      messagesIn(broker, [deadQueue]),
    ]);
    return { outboxes, ready, delayed, dead, pendingMails };
  } finally {
    await broker.close().catch(() => undefined);
  }
}

async function countOutboxes(mongodb: mongoose.mongo.MongoClient): Promise<number> {
  const { databases } = await mongodb.db('admin').admin().listDatabases({ nameOnly: true });
  let sum = 0;
  for (const { name } of databases.filter((each) => !['admin', 'config', 'local'].includes(each.name))) {
    for (const collection of await mongodb.db(name).collections())
      // So that the index of the outboxes finds them, and the system under test keeps the processor.
      sum += await collection.countDocuments({ 'outbox.0': { $exists: true }, 'outbox.time': { $gt: '' } });
  }
  return sum;
}

/** A queue that nobody has declared holds nothing; asking for it costs the channel. */
async function messagesIn(broker: ChannelModel, queues: readonly string[]): Promise<number> {
  let sum = 0;
  let channel: Awaited<ReturnType<ChannelModel['createChannel']>> | undefined;
  for (const queue of queues) {
    if (!channel) {
      channel = await broker.createChannel();
      channel.on('error', () => undefined);
    }
    try {
      sum += (await channel.checkQueue(queue)).messageCount;
    } catch {
      channel = undefined;
    }
  }
  await channel?.close();
  return sum;
}

/** Waits until nothing is left, `deadlineMs` at most; answers what is left then, and how long it took. */
export async function untilDrained(
  mongodb: mongoose.mongo.MongoClient,
  amqpUrl: string,
  deadlineMs: number,
  onLook: (left: Leftovers) => void = () => undefined,
): Promise<{ left: Leftovers; ms: number }> {
  const started = performance.now();
  let left: Leftovers | undefined;
  let quiet = 0;
  for (;;) {
    left = await countLeftovers(mongodb, amqpUrl).catch(() => undefined);
    if (left) onLook(left);
    // Twice in a row: between an outbox and a queue something may be in nobody's count.
    quiet = left && sumOf(left) === 0 ? quiet + 1 : 0;
    const ms = Math.round(performance.now() - started);
    if (left && (quiet === 2 || ms > deadlineMs)) return { left, ms };
    if (ms > deadlineMs + 30_000) throw new Error('The database or the broker can not be asked what is left.');
    await wait(left?.pendingMails ? 2000 : 500);
  }
}
