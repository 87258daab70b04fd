import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, GetMessage } from 'amqplib';
import type { Bus, DeadLetter } from '../bus.ts';
import { readDeadLetter } from '../middleware/dead-letter.ts';
import type { RecoveringConnection } from './recovering-connection.ts';
import { deadLetterQueue } from './declare.ts';
import type { Publisher } from './publisher.ts';
import { withChannel } from './with-channel.ts';

interface Found {
  readonly message: GetMessage;
  readonly deadLetter: DeadLetter;
}

/** What an operator can do with the dead letters. All of it throws when the broker is away. */
export function createDeadLetters(connection: RecoveringConnection, publisher: Publisher): Bus['deadLetters'] {
  return {
    async list(limit = 100) {
      const deadLetters: DeadLetter[] = [];
      await remove(connection, async (found) => {
        deadLetters.push(...found.slice(0, limit).map(({ deadLetter }) => deadLetter));
        return [];
      });
      return deadLetters;
    },
    drop: (match) => remove(connection, async (found) => found.filter(({ deadLetter }) => match(deadLetter))),
    replay: (match) =>
      remove(connection, async (found) => {
        const matching = found.filter(({ deadLetter }) => match(deadLetter));
        const failures = await publisher.send(matching.map(backToItsQueue));
        return matching.filter((_, index) => failures[index] === undefined);
      }),
    count: () => withChannel(connection, async (channel) => (await channel.checkQueue(deadLetterQueue)).messageCount),
  };
}

const givenBackWithinMs = 2_000;

/** Reads all dead letters and removes those that `choose` returns. Returns how many. The others stay in the queue. */
async function remove(
  connection: RecoveringConnection,
  choose: (found: readonly Found[]) => Promise<readonly Found[]>,
): Promise<number> {
  return withChannel(connection, async (channel) => {
    const found = await takeAll(channel);
    const chosen = new Set(await choose(found));
    for (const each of found) {
      if (chosen.has(each)) channel.ack(each.message);
      else channel.nack(each.message);
    }
    // The broker puts the others back after a while, without a confirmation.
    const deadline = performance.now() + givenBackWithinMs;
    while (performance.now() < deadline) {
      if ((await channel.checkQueue(deadLetterQueue)).messageCount >= found.length - chosen.size) break;
      await wait(10);
    }
    return chosen.size;
  });
}

/** Takes every dead letter, the oldest first. If it took only some, those would come back behind the rest. */
async function takeAll(channel: Channel): Promise<Found[]> {
  const found: Found[] = [];
  const { messageCount } = await channel.checkQueue(deadLetterQueue);
  for (let left = messageCount; left > 0; left--) {
    const message = await channel.get(deadLetterQueue);
    if (!message) break;
    found.push({ message, deadLetter: readDeadLetter(message.content.toString(), message.properties.headers ?? {}) });
  }
  return found.sort((a, b) => a.deadLetter.diedAt.localeCompare(b.deadLetter.diedAt));
}

function backToItsQueue({ message, deadLetter }: Found) {
  return {
    exchange: '',
    routingKey: deadLetter.queue,
    content: message.content,
    mandatory: true,
    persistent: true,
    messageId: message.properties.messageId as string | undefined,
    type: message.properties.type as string | undefined,
  };
}
