import type { ConsumeMessage } from 'amqplib';
import type { Bus, DeadLetter } from '../bus.ts';
import { readDeadLetter, type Headers } from '../middleware/dead-letter.ts';
import { deadLetterExchange, deadLetterQueue } from './declare.ts';
import type { Outgoing, Publisher } from './publisher.ts';
import { readInBlocks } from './read-in-blocks.ts';
import type { RecoveringConnection } from './recovering-connection.ts';
import { withChannel } from './with-channel.ts';

interface Found {
  readonly message: ConsumeMessage;
  readonly deadLetter: DeadLetter;
}

export function createDeadLetters(connection: RecoveringConnection, mover: Publisher): Bus['deadLetters'] {
  /** Reads all dead letters and removes those that `choose` returns for each block. Returns how many were removed. */
  function remove(choose: (found: readonly Found[]) => Promise<readonly Found[]>): Promise<number> {
    return readInBlocks(connection, deadLetterQueue, async (messages, first) => {
      const chosen = await choose(read(messages, first));
      return chosen.map(({ message }) => message);
    });
  }

  return {
    async list({ after = 0, limit = 100, match = () => true } = {}) {
      const page: DeadLetter[] = [];
      await readInBlocks(connection, deadLetterQueue, async (messages, first) => {
        for (const { deadLetter } of page.length < limit ? read(messages, first) : [])
          if (page.length < limit && deadLetter.position > after && match(deadLetter)) page.push(deadLetter);
        return [];
      });
      return page;
    },
    drop: (match) => remove(async (found) => found.filter(({ deadLetter }) => match(deadLetter))),
    replay: (match) =>
      remove(async (found) => {
        const matching = found.filter(({ deadLetter }) => match(deadLetter));
        const failures = await mover.send(matching.map(backToItsQueue));
        return matching.filter((_, index) => failures[index] === undefined);
      }),
    count: () => withChannel(connection, async (channel) => (await channel.checkQueue(deadLetterQueue)).messageCount),
  };
}

function read(messages: readonly ConsumeMessage[], firstPosition: number): Found[] {
  return messages.map((message, index) => ({
    message,
    deadLetter: readDeadLetter(message.content.toString(), headersOf(message), firstPosition + index),
  }));
}

/**
 * Takes the original queue from the routing key if the broker still knows it: the broker has checked the routing key,
 * while a publisher can put anything into `x-handler`.
 */
function headersOf({ fields, properties }: ConsumeMessage): Headers {
  const { exchange, routingKey } = fields;
  return { ...properties.headers, ...(exchange === deadLetterExchange && { 'x-handler': routingKey }) };
}

function backToItsQueue({ message, deadLetter }: Found): Outgoing {
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
