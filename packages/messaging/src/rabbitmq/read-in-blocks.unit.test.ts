import type { ConsumeMessage } from 'amqplib';
import { expect, test } from 'vitest';
import { readInBlocks } from './read-in-blocks.ts';
import type { RecoveringConnection } from './recovering-connection.ts';

/** A connection to a broker with one queue of that many messages. Counting them fails when `failing` is set. */
function brokerWith(count: number) {
  const broker = { ready: count, failing: false, connection: undefined as unknown as RecoveringConnection };
  function openChannel() {
    let wanted = 0;
    let taken = 0;
    const channel = {
      on: () => channel,
      once: () => channel,
      async checkQueue() {
        if (broker.failing) throw new Error('the queue has no leader');
        return { messageCount: broker.ready };
      },
      prefetch: async (limit: number) => void (wanted = limit),
      async consume(_queue: string, onMessage: (message: ConsumeMessage) => void) {
        for (; taken < wanted; taken += 1) onMessage({} as ConsumeMessage);
        broker.ready -= taken;
        return { consumerTag: 'reader' };
      },
      cancel: async () => {},
      ack: () => void (taken -= 1),
      async close() {
        broker.ready += taken;
        taken = 0;
      },
    };
    return channel;
  }
  broker.connection = { isOpen: () => true, channel: async () => openChannel() } as unknown as RecoveringConnection;
  return broker;
}

test('gives all blocks back, and throws the first error, also where counting fails', async () => {
  const broker = brokerWith(5_000);
  let blocks = 0;
  const reading = readInBlocks(broker.connection, 'storefront.dead', async () => {
    blocks += 1;
    if (blocks < 3) return [];
    broker.failing = true;
    throw new Error('not chosen');
  });
  await expect(reading).rejects.toThrow('not chosen');
  expect(blocks).toBe(3);
  expect(broker.ready).toBe(5_000);
});
