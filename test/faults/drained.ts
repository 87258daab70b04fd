import { setTimeout as wait } from 'node:timers/promises';
import { topology } from '@storefront/contracts';
import { connect, type ChannelModel } from 'amqplib';
import type mongoose from 'mongoose';
import { databasePrefix } from './final-state.ts';

/** The work that is not finished yet. */
export interface Leftovers {
  /** Documents with events that are not published yet. */
  readonly outboxes: number;
  /** Messages in the queues of subscriptions. */
  readonly ready: number;
  /** Messages in delay queues, which wait for another try. */
  readonly delayed: number;
  /** Dead letters. */
  readonly dead: number;
  /** Mails that the mail server does not have yet, without those in doubt, which wait for minutes on purpose. */
  readonly pendingMails: number;
}

const deadQueue = 'storefront.dead';
const delays = ['1s', '10s', '60s', '300s'].map((each) => `wait-${each}`);

export const sumOf = (left: Leftovers): number => Object.values(left).reduce((sum, each) => sum + each, 0);

/**
 * Counts directly in the database and the broker. The name of a service's database is its own after `prefix`. Throws if one
 * of them can't be reached.
 */
export async function countLeftovers(
  mongodb: mongoose.mongo.MongoClient,
  amqpUrl: string,
  prefix = databasePrefix,
): Promise<Leftovers> {
  const broker = await connect(amqpUrl);
  // Without a listener an error event would end this process.
  broker.on('error', () => undefined);
  try {
    const queues = topology.map(({ queue }) => queue);
    const delayQueues = delays.map((each) => `storefront.${each}`);
    const [outboxes, pendingMails, ready, delayed, dead] = await Promise.all([
      countOutboxes(mongodb),
      countPendingMails(mongodb, prefix),
      messagesIn(broker, queues),
      messagesIn(broker, delayQueues),
      messagesIn(broker, [deadQueue]),
    ]);
    return { outboxes, ready, delayed, dead, pendingMails };
  } finally {
    await broker.close().catch(() => undefined);
  }
}

function countPendingMails(mongodb: mongoose.mongo.MongoClient, prefix: string): Promise<number> {
  const waitsInDoubt = { inDoubt: { $gt: 0 }, dueAt: { $gt: new Date() } };
  const deliveries = mongodb.db(`${prefix}engagement`).collection('deliveries');
  return deliveries.countDocuments({ status: 'pending', $nor: [waitsInDoubt] });
}

async function countOutboxes(mongodb: mongoose.mongo.MongoClient): Promise<number> {
  const { databases } = await mongodb.db('admin').admin().listDatabases({ nameOnly: true });
  let sum = 0;
  for (const { name } of databases.filter((each) => !['admin', 'config', 'local'].includes(each.name))) {
    for (const collection of await mongodb.db(name).collections())
      // The second condition lets MongoDB use the index on outboxes, so that counting does not slow the system down.
      sum += await collection.countDocuments({ 'outbox.0': { $exists: true }, 'outbox.type': { $gt: '' } });
  }
  return sum;
}

/** Counts messages. A queue that does not exist counts as empty; checking it closes the channel. */
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

/** Waits until nothing is left, or at most `deadlineMs`. Returns what is left and how long it took. */
export async function untilDrained(
  mongodb: mongoose.mongo.MongoClient,
  amqpUrl: string,
  deadlineMs: number,
  prefix = databasePrefix,
): Promise<{ left: Leftovers; ms: number }> {
  const started = performance.now();
  let left: Leftovers | undefined;
  let emptyCounts = 0;
  for (;;) {
    left = await countLeftovers(mongodb, amqpUrl, prefix).catch(() => undefined);
    // Two empty counts in a row, because one count can miss an event that moves from an outbox to a queue.
    emptyCounts = left && sumOf(left) === 0 ? emptyCounts + 1 : 0;
    const ms = Math.round(performance.now() - started);
    if (left && (emptyCounts === 2 || ms > deadlineMs)) return { left, ms };
    if (ms > deadlineMs + 30_000)
      throw new Error('The database or the broker does not answer, so what is left can not be counted.');
    // Counting is work for the database and the broker, too.
    await wait(left && (left.pendingMails > 0 || sumOf(left) > 50) ? 2000 : 500);
  }
}
