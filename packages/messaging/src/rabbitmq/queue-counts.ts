import { standardDelaysMs } from '../settings.ts';
import type { Topology } from '../topology.ts';
import { connectOnce } from './connect-once.ts';
import { deadLetterQueue, delayQueue } from './declare.ts';
import { notFound, replyCodeOf, withAttempts, type Attempts } from './with-channel.ts';

/** The messages and consumers of one queue now. */
export interface QueueCount {
  readonly queue: string;
  /** Messages that no consumer has taken. */
  readonly messages: number;
  readonly consumers: number;
}

interface Broker {
  readonly url: string;
  readonly topology: Topology;
}

/**
 * Counts the messages in the queues of the topology, the delay queues and the dead-letter queue. Queues that do not
 * exist are left out. Throws a MessagingError `messaging_broker_away` where the broker can't be reached.
 */
export function countQueues(broker: Broker): Promise<QueueCount[]> {
  return forEachQueue(broker, async (attempts, queue) => {
    const { messageCount, consumerCount } = await attempts.run((channel) => channel.checkQueue(queue));
    return { queue, messages: messageCount, consumers: consumerCount };
  });
}

/**
 * Deletes all messages in the queues that `countQueues` counts, except messages that a consumer holds. Throws a
 * MessagingError `messaging_broker_away` where the broker can't be reached.
 */
export async function emptyQueues(broker: Broker): Promise<void> {
  await forEachQueue(broker, (attempts, queue) => attempts.run((channel) => channel.purgeQueue(queue)));
}

async function forEachQueue<Result>(
  { url, topology }: Broker,
  work: (attempts: Attempts, queue: string) => Promise<Result>,
): Promise<Result[]> {
  const connection = await connectOnce(url);
  const queues = [...topology.map(({ queue }) => queue), ...standardDelaysMs.map(delayQueue), deadLetterQueue];
  const results: Result[] = [];
  try {
    await withAttempts({ channel: () => connection.createChannel() }, async (attempts) => {
      for (const queue of queues) {
        try {
          results.push(await work(attempts, queue));
        } catch (error) {
          if (replyCodeOf(error) !== notFound) throw error;
        }
      }
    });
    return results;
  } finally {
    await connection.close().catch(() => {});
  }
}
