import { setTimeout as wait } from 'node:timers/promises';
import type { Channel } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { backoff } from './backoff.ts';

/** A channel that is opened again, with everything on it, whatever ended it: the broker, the network, an operator. */
export interface KeptChannel<C extends Channel> {
  /** Undefined while it is not ready. */
  current(): C | undefined;
  /** Why it is not ready. */
  trouble(): string | undefined;
  /** Resolves after the first attempt, however it ended. */
  readonly firstAttempt: Promise<void>;
  close(): Promise<void>;
}

const closeTimeoutMs = 1_000;

/**
 * Keeps a channel open: `open` makes it, `prepare` declares and consumes on it, `onLost` hears each time that one is
 * gone after it was ready.
 */
export function keepChannel<C extends Channel>(
  open: () => Promise<C>,
  prepare: (channel: C) => Promise<void>,
  onLost: (reason: string) => unknown = () => {},
): KeptChannel<C> {
  const closing = new AbortController();
  const { promise: firstAttempt, resolve: attempted } = Promise.withResolvers<void>();
  let current: C | undefined;
  let trouble: string | undefined = 'not opened yet';

  /** Serves one channel until it is gone; answers why. Throws when it could not be made ready. */
  async function serve(): Promise<string> {
    const channel = await open();
    const gone = untilClosed(channel);
    try {
      if (closing.signal.aborted) throw new Error('closed');
      await prepare(channel);
    } catch (error) {
      void channel.close().catch(() => {});
      throw error;
    }
    current = channel;
    trouble = undefined;
    attempted();
    return gone;
  }

  async function keep(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        trouble = await serve();
        current = undefined;
        failures = 0;
        onLost(trouble);
      } catch (error) {
        trouble = messageOf(error);
      }
      attempted();
      await wait(backoff(failures), undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  void keep();

  return {
    current: () => current,
    trouble: () => trouble,
    firstAttempt,
    async close() {
      closing.abort();
      attempted();
      const channel = current;
      if (channel) await settledWithin(closeTimeoutMs, channel.close());
    },
  };
}

/** Listens for errors too, since one without a listener would end the process. */
async function untilClosed(channel: Channel): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let reason = 'the channel is closed';
  channel.on('error', (error) => (reason = error.message));
  channel.on('close', () => resolve(reason));
  return promise;
}
