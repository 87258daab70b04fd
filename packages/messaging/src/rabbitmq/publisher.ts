import type { ConfirmChannel, Message } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import type { Headers } from '../middleware/dead-letter.ts';
import type { RecoveringConnection } from './recovering-connection.ts';
import { openRecoveringChannel } from './recovering-channel.ts';

/** One message to send. */
export interface Outgoing {
  /** An empty string sends directly to the queue that `routingKey` names. */
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly headers?: Headers;
  /** Whether sending fails if no queue takes the message. */
  readonly mandatory: boolean;
  readonly persistent: boolean;
  /** The event's id and type, if known, for an operator who reads the queue. */
  readonly messageId?: string | undefined;
  readonly type?: string | undefined;
}

export interface Publisher {
  /**
   * Sends messages in order. Returns for each message undefined if the broker has confirmed it, otherwise the reason.
   */
  send(batch: readonly Outgoing[]): Promise<(string | undefined)[]>;
  /** Why nothing can be sent now; undefined if messages can be sent. */
  failure(): string | undefined;
  readonly firstAttempt: Promise<void>;
  /** Waits at most `ms` milliseconds for the confirmations of sent messages, then closes the publisher's channel. */
  close(ms: number): Promise<void>;
}

/**
 * Publishes on its own channel. `prepare` runs on each newly opened channel before it is used. `onReturned` is called
 * after the broker has returned a message because no queue took it.
 */
export function createPublisher(
  connection: Pick<RecoveringConnection, 'confirmChannel' | 'failure'>,
  confirmTimeoutMs: number,
  { prepare = async () => {}, onReturned = () => {} }: { prepare?: () => Promise<void>; onReturned?: () => void } = {},
): Publisher {
  const returned = new Map<number, string>();
  const sending = new Set<Promise<unknown>>();
  let published = 0;

  const channel = openRecoveringChannel(
    () => connection.confirmChannel(),
    async (opened) => {
      opened.on('return', (message) => {
        returned.set(numberOf(message), `no queue takes it: ${returnReason(message)}`);
        onReturned();
      });
      await prepare();
    },
  );
  const failure = () => connection.failure() ?? channel.failure();

  async function send(batch: readonly Outgoing[]): Promise<(string | undefined)[]> {
    const opened = channel.current();
    const reason = failure();
    if (!opened || reason) return batch.map(() => `broker away: ${reason ?? 'not connected'}`);

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
        // The broker returns a message before confirming it, so the reason is known at the confirmation.
        const hasRoom = publish(opened, message, number, (error) => {
          const unconfirmed = returned.get(number) ?? (error ? messageOf(error) : undefined);
          returned.delete(number);
          settle(index, unconfirmed);
        });
        if (!hasRoom) await drained(opened, over);
      } catch (error) {
        settle(index, messageOf(error));
      }
    }
    await over;
    clearTimeout(timer);
    // Returns a copy, so that a later confirmation does not change the caller's result.
    return [...results];
  }

  return {
    async send(batch) {
      if (batch.length === 0) return [];
      const work = send(batch);
      sending.add(work);
      return work.finally(() => sending.delete(work));
    },
    failure,
    firstAttempt: channel.firstAttempt,
    async close(ms) {
      await settledWithin(ms, Promise.allSettled(sending));
      await channel.close();
    },
  };
}

/** Publishes one message. Returns whether the channel has room for more. */
function publish(
  channel: ConfirmChannel,
  message: Outgoing,
  number: number,
  onConfirmed: (error: unknown) => void,
): boolean {
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
    onConfirmed,
  );
}

/** Resolves when the channel has room again or is closed, or when `over` resolves. */
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
