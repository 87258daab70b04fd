import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, ConsumeMessage } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import type { RecoveringConnection } from './recovering-connection.ts';
import { withChannel } from './with-channel.ts';

/** Messages that were delivered but not acknowledged. Each block has its own channel. */
interface Block {
  readonly channel: Channel;
  readonly messages: readonly ConsumeMessage[];
  /**
   * Throws a MessagingError `messaging_broker_away` where the channel is closed: the messages are back in their queue
   * then.
   */
  readonly check: () => void;
}

const blockSize = 2_000;
const quietMs = 1_000;
const quietTimes = 30;
const closeTimeoutMs = 5_000;
const givenBackWithinMs = 5_000;

/**
 * Reads all messages that a quorum queue has now, the oldest first, in blocks of at most 2,000 messages. Removes the
 * messages of each block that `choose` returns; the others keep their order. If the process or the connection ends, all
 * messages that were not removed stay. Returns how many were removed. Throws a MessagingError `messaging_broker_away`
 * where there is no connection.
 */
export async function readInBlocks(
  connection: RecoveringConnection,
  queue: string,
  choose: (messages: readonly ConsumeMessage[], firstPosition: number) => Promise<readonly ConsumeMessage[]>,
): Promise<number> {
  // The broker puts a returned message behind those that were returned before. The order stays only if all messages are
  // read, and then returned in their order. So all blocks are held until the last one is read.
  const held: { readonly channel: Channel; readonly left: number }[] = [];
  const total = await readyIn(connection, queue);
  let read = 0;
  let removed = 0;
  const errors: unknown[] = [];
  try {
    while (read < total) {
      const { channel, messages, check } = await takeBlock(connection, queue, Math.min(blockSize, total - read));
      held.push({ channel, left: messages.length });
      if (messages.length === 0) break;
      const chosen = await choose(messages, read + 1);
      check();
      for (const message of chosen) channel.ack(message);
      held.splice(-1, 1, { channel, left: messages.length - chosen.length });
      read += messages.length;
      removed += chosen.length;
    }
  } catch (error) {
    errors.push(error);
  }
  errors.push(...(await giveBack(connection, queue, held)));
  if (errors.length > 0) throw errors[0];
  return removed;
}

/**
 * Returns the blocks to the queue one after the other, the oldest first, so that the messages keep their order. An
 * error does not stop the others. Returns all errors.
 */
async function giveBack(
  connection: RecoveringConnection,
  queue: string,
  held: readonly { readonly channel: Channel; readonly left: number }[],
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const { channel, left } of held) {
    // If the connection was lost meanwhile, the broker has already returned the messages.
    if (!connection.isOpen()) break;
    const [counted] = await Promise.allSettled([readyIn(connection, queue)]);
    await settledWithin(closeTimeoutMs, channel.close());
    try {
      if (counted.status === 'rejected') throw counted.reason;
      const before = counted.value;
      // The broker returns the messages after a while and sends no confirmation, so the count is checked.
      const deadline = performance.now() + givenBackWithinMs;
      while (performance.now() < deadline && (await readyIn(connection, queue)) < before + left) await wait(5);
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}

async function readyIn(connection: RecoveringConnection, queue: string): Promise<number> {
  return withChannel(connection, async (channel) => (await channel.checkQueue(queue)).messageCount);
}

/** Takes `count` messages, or fewer where the queue has no more. */
async function takeBlock(connection: RecoveringConnection, queue: string, count: number): Promise<Block> {
  const channel = await connection.channel();
  const messages: ConsumeMessage[] = [];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let lost = false;
  channel.on('error', () => {});
  channel.once('close', () => {
    lost = true;
    end();
  });
  await channel.prefetch(count);
  const { consumerTag } = await channel.consume(queue, (message) => {
    if (message) messages.push(message);
    else lost = true;
    if (lost || messages.length === count) end();
  });
  for (let quiet = 0; quiet < quietTimes && !lost && messages.length < count; quiet++) {
    const before = messages.length;
    await settledWithin(quietMs, over);
    if (messages.length > before) quiet = 0;
    // An empty queue ends the wait. The messages that are still expected may be held by another reader.
    else if ((await readyIn(connection, queue)) === 0) break;
  }
  function check(): void {
    if (lost) throw new MessagingError('messaging_broker_away', 'The connection to RabbitMQ was lost.');
  }
  check();
  await channel.cancel(consumerTag);
  return { channel, messages, check };
}
