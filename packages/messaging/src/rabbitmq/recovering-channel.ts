import { setTimeout as wait } from 'node:timers/promises';
import type { Channel } from 'amqplib';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { backoff } from './backoff.ts';

/** A channel that is opened and prepared again whenever it is closed by the broker, the network or an operator. */
export interface RecoveringChannel<C extends Channel> {
  /** The channel; undefined while it is not ready. */
  current(): C | undefined;
  /** Why the channel is not ready; undefined while it is ready. */
  failure(): string | undefined;
  /** Resolves after the first attempt to open the channel, even if the attempt failed. */
  readonly firstAttempt: Promise<void>;
  close(): Promise<void>;
}

const closeTimeoutMs = 1_000;

/**
 * `open` opens the channel, `prepare` declares and consumes on it. `onLost` is called each time a ready channel is
 * closed.
 */
export function openRecoveringChannel<C extends Channel>(
  open: () => Promise<C>,
  prepare: (channel: C) => Promise<void>,
  onLost: (reason: string) => unknown = () => {},
): RecoveringChannel<C> {
  const closing = new AbortController();
  const { promise: firstAttempt, resolve: attempted } = Promise.withResolvers<void>();
  let current: C | undefined;
  let failure: string | undefined = 'not opened yet';

  /**
   * Opens one channel, waits until it is closed, and returns the reason for the closing. Throws if the channel could
   * not be made ready.
   */
  async function openOnce(): Promise<string> {
    const channel = await open();
    const closed = untilClosed(channel);
    try {
      if (closing.signal.aborted) throw new Error('closed');
      await prepare(channel);
    } catch (error) {
      void channel.close().catch(() => {});
      throw error;
    }
    current = channel;
    failure = undefined;
    attempted();
    return closed;
  }

  async function keepOpen(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        failure = await openOnce();
        current = undefined;
        failures = 0;
        onLost(failure);
      } catch (error) {
        failure = messageOf(error);
      }
      attempted();
      await wait(backoff(failures), undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  void keepOpen();

  return {
    current: () => current,
    failure: () => failure,
    firstAttempt,
    async close() {
      closing.abort();
      attempted();
      const channel = current;
      if (channel) await settledWithin(closeTimeoutMs, channel.close());
    },
  };
}

/**
 * Waits until the channel is closed and returns the reason. Also listens for errors, because an error without a
 * listener would end the process.
 */
async function untilClosed(channel: Channel): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let reason = 'the channel is closed';
  channel.on('error', (error) => (reason = error.message));
  channel.on('close', () => resolve(reason));
  return promise;
}
