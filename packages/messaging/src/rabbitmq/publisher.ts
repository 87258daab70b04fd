import type { ConfirmChannel, Message } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import type { Headers } from '../middleware/dead-letter.ts';
import type { Topology } from '../topology.ts';
import { declareTopology } from './declare.ts';
import { keepChannel } from './kept-channel.ts';
import type { Link } from './link.ts';

/** One message to send. */
export interface Outgoing {
  /** The empty text sends to the queue that `routingKey` names. */
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly headers?: Headers;
  /** Whether it fails where no queue takes it. */
  readonly mandatory: boolean;
  readonly persistent: boolean;
  /** The event's id and type, where known, for an operator who looks at the queue. */
  readonly messageId?: string | undefined;
  readonly type?: string | undefined;
}

export interface Publisher {
  /** Sends in order; answers for each message why it is not safely with the broker, or undefined where it is. */
  send(batch: readonly Outgoing[]): Promise<(string | undefined)[]>;
  trouble(): string | undefined;
  readonly firstAttempt: Promise<void>;
  /** Waits for answers under way, `ms` milliseconds at most. */
  close(ms: number): Promise<void>;
}

export function createPublisher(link: Link, topology: Topology, confirmTimeoutMs: number): Publisher {
  const returned = new Map<number, string>();
  const sending = new Set<Promise<unknown>>();
  let published = 0;

  const kept = keepChannel(
    () => link.confirmChannel(),
    async (channel) => {
      let declaring: Promise<void> | undefined;
      channel.on('return', (message) => {
        returned.set(numberOf(message), `no queue takes it: ${returnReason(message)}`);
        // Somebody removed a queue or a binding: put it back, so that the next try gets through.
        declaring ??= declareTopology(channel, topology)
          .catch(() => {})
          .finally(() => (declaring = undefined));
      });
      await declareTopology(channel, topology);
    },
  );
  const trouble = () => link.trouble() ?? kept.trouble();

  async function send(batch: readonly Outgoing[]): Promise<(string | undefined)[]> {
    const channel = kept.current();
    const obstacle = trouble();
    if (!channel || obstacle) return batch.map(() => `broker away: ${obstacle ?? 'not connected'}`);

    const results = batch.map((): string | undefined => `not confirmed within ${confirmTimeoutMs} ms`);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let late = false;
    let open = batch.length;
    const timer = setTimeout(() => {
      late = true;
      end();
    }, confirmTimeoutMs);
    const settle = (index: number, reason?: string) => {
      results[index] = reason;
      if (--open === 0) end();
    };

    for (const [index, message] of batch.entries()) {
      if (late) break;
      const number = ++published;
      try {
        // The broker returns a message before it confirms it, so the confirmation is the place to look.
        const room = put(channel, message, number, (error) => {
          const reason = returned.get(number) ?? (error ? messageOf(error) : undefined);
          returned.delete(number);
          settle(index, reason);
        });
        if (!room) await drained(channel, over);
      } catch (error) {
        settle(index, messageOf(error));
      }
    }
    await over;
    clearTimeout(timer);
    // A copy: an answer that comes after all must not change what the caller was told.
    return [...results];
  }

  return {
    async send(batch) {
      if (batch.length === 0) return [];
      const work = send(batch);
      sending.add(work);
      return work.finally(() => sending.delete(work));
    },
    trouble,
    firstAttempt: kept.firstAttempt,
    async close(ms) {
      await settledWithin(ms, Promise.allSettled(sending));
      await kept.close();
    },
  };
}

function put(channel: ConfirmChannel, message: Outgoing, number: number, onAnswer: (error: unknown) => void): boolean {
  return channel.publish(
    message.exchange,
    message.routingKey,
    message.content,
    {
      mandatory: message.mandatory,
      persistent: message.persistent,
      contentType: 'application/cloudevents+json',
      headers: { ...message.headers, 'x-publish': number },
      ...(message.messageId === undefined ? {} : { messageId: message.messageId }),
      ...(message.type === undefined ? {} : { type: message.type }),
    },
    onAnswer,
  );
}

/** Resolves when the channel takes more, is gone, or waiting for it is over. */
async function drained(channel: ConfirmChannel, over: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  channel.once('drain', resolve);
  channel.once('close', resolve);
  await Promise.race([promise, over]);
  channel.off('drain', resolve);
  channel.off('close', resolve);
}

function numberOf({ properties }: Message): number {
  return (properties.headers as Record<string, number>)['x-publish'] ?? 0;
}

function returnReason({ fields }: Message): string {
  const { replyText, routingKey } = fields as unknown as { replyText: string; routingKey: string };
  return `${replyText} ${routingKey}`;
}
