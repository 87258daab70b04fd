import { EventEmitter } from 'node:events';
import type { ConfirmChannel } from 'amqplib';
import { onTestFinished, expect, test } from 'vitest';
import { createPublisher, type Outgoing, type Publisher } from './publisher.ts';

// A real broker confirms everything it can route: only a made one leaves out what a test wants left out.
type Confirm = (error: unknown) => void;

/** A publisher on a broker that confirms everything at once, but never a message whose routing key is `stuck`. */
async function openPublisher(confirmTimeoutMs: number): Promise<{ publisher: Publisher; sent: string[] }> {
  const sent: string[] = [];
  const channel = Object.assign(new EventEmitter(), {
    publish(_exchange: string, routingKey: string, _content: Buffer, _options: object, confirm: Confirm) {
      sent.push(routingKey);
      if (routingKey !== 'stuck') setImmediate(() => confirm(null));
      return true;
    },
    async close() {
      channel.emit('close');
    },
  });
  const connection = {
    confirmChannel: async () => channel as unknown as ConfirmChannel,
    failure: () => undefined,
  };
  const publisher = createPublisher(connection, confirmTimeoutMs);
  onTestFinished(() => publisher.close(0));
  await publisher.firstAttempt;
  return { publisher, sent };
}

const to = (routingKey: string): Outgoing => ({
  exchange: '',
  routingKey,
  content: Buffer.from('{}'),
  mandatory: true,
  persistent: true,
});

test('a message that is never confirmed costs only its own time-out', async () => {
  const { publisher } = await openPublisher(50);
  expect(await publisher.send([to('a'), to('stuck'), to('b')])).toEqual([
    undefined,
    'not confirmed within 50 ms',
    undefined,
  ]);
});

test('other batches are sent and confirmed while one waits for a confirmation', async () => {
  const { publisher, sent } = await openPublisher(3_600_000);
  let over = false;
  void publisher.send([to('stuck')]).then(() => (over = true));
  for (let batch = 0; batch < 100; batch++)
    expect(await publisher.send([to('a'), to('b')])).toEqual([undefined, undefined]);
  expect(sent).toHaveLength(201);
  expect(over).toBe(false);
});
