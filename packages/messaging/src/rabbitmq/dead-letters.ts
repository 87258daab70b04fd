import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, GetMessage } from 'amqplib';
import type { Bus, DeadLetter } from '../bus.ts';
import { readLetter } from '../middleware/dead-letter.ts';
import { deadQueue } from './declare.ts';
import type { Link } from './link.ts';
import type { Publisher } from './publisher.ts';
import { visit } from './visit.ts';

interface Found {
  readonly message: GetMessage;
  readonly letter: DeadLetter;
}

/** What an operator can do about the dead letters. All of it throws when the broker is away. */
export function createDeadLetters(link: Link, publisher: Publisher): Bus['deadLetters'] {
  return {
    async list(limit = 100) {
      const letters: DeadLetter[] = [];
      await takeOut(link, async (found) => {
        letters.push(...found.slice(0, limit).map(({ letter }) => letter));
        return [];
      });
      return letters;
    },
    drop: (match) => takeOut(link, async (found) => found.filter(({ letter }) => match(letter))),
    replay: (match) =>
      takeOut(link, async (found) => {
        const matching = found.filter(({ letter }) => match(letter));
        const obstacles = await publisher.send(matching.map(backToItsQueue));
        return matching.filter((_, index) => obstacles[index] === undefined);
      }),
    count: () => visit(link, async (channel) => (await channel.checkQueue(deadQueue)).messageCount),
  };
}

const givenBackWithinMs = 2_000;

/** Reads all letters and takes out those that `choose` answers; answers how many. The next reader finds the others. */
async function takeOut(link: Link, choose: (found: readonly Found[]) => Promise<readonly Found[]>): Promise<number> {
  return visit(link, async (channel) => {
    const found = await takeAll(channel);
    const chosen = new Set(await choose(found));
    for (const each of found) {
      if (chosen.has(each)) channel.ack(each.message);
      else channel.nack(each.message);
    }
    // The broker has them back in its own time, and says nothing when it does.
    const deadline = performance.now() + givenBackWithinMs;
    while (performance.now() < deadline) {
      if ((await channel.checkQueue(deadQueue)).messageCount >= found.length - chosen.size) break;
      await wait(10);
    }
    return chosen.size;
  });
}

/** Takes every letter, oldest first. Taking only some would put those behind the rest. */
async function takeAll(channel: Channel): Promise<Found[]> {
  const found: Found[] = [];
  const { messageCount } = await channel.checkQueue(deadQueue);
  for (let left = messageCount; left > 0; left--) {
    const message = await channel.get(deadQueue);
    if (!message) break;
    found.push({ message, letter: readLetter(message.content.toString(), message.properties.headers ?? {}) });
  }
  return found.sort((a, b) => a.letter.diedAt.localeCompare(b.letter.diedAt));
}

function backToItsQueue({ message, letter }: Found) {
  return {
    exchange: '',
    routingKey: letter.queue,
    content: message.content,
    mandatory: true,
    persistent: true,
    messageId: message.properties.messageId as string | undefined,
    type: message.properties.type as string | undefined,
  };
}
