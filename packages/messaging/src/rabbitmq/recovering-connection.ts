import type { Socket } from 'node:net';
import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { Logger } from 'pino';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import { backoff, connectTimeoutMs } from './backoff.ts';

/** A connection that is opened again whenever it is lost, until it is closed. */
export interface RecoveringConnection {
  isOpen(): boolean;
  /** Why the connection is not open, or why the broker accepts no publishes on it; undefined if it can be used. */
  failure(): string | undefined;
  /** Resolves after the first attempt to connect, even if the attempt failed. */
  readonly firstAttempt: Promise<void>;
  /** Waits for the connection and opens a channel. Rejects when the connection is closed for good. */
  channel(): Promise<Channel>;
  confirmChannel(): Promise<ConfirmChannel>;
  close(): Promise<void>;
}

const heartbeatSeconds = 10;
const closeTimeoutMs = 1_000;

/** Starts connecting and returns at once. The broker's list of connections shows `name` and `purpose`. */
export async function openRecoveringConnection(
  url: string,
  name: string,
  purpose: string,
  logger: Logger,
): Promise<RecoveringConnection> {
  const connection = await connect(withHeartbeat(url), {
    noDelay: true,
    timeout: connectTimeoutMs,
    clientProperties: { connection_name: `${name} ${purpose}` },
    recovery: { waitForConnect: false, calculateDelay: backoff },
  });
  let model: ChannelModel | undefined;
  let away: string | undefined = 'not connected yet';
  let blocked: string | undefined;
  const { promise: firstAttempt, resolve: attempted } = Promise.withResolvers<void>();

  connection.on('connect', (opened) => {
    model = opened;
    away = undefined;
    blocked = undefined;
    attempted();
    logger.info({ purpose }, 'connected to RabbitMQ');
  });
  connection.on('disconnect', (error) => lost('the connection to RabbitMQ is lost', error));
  connection.on('connect-failed', (error) => lost('RabbitMQ cannot be reached', error));
  connection.on('blocked', (reason) => (blocked = `the broker takes no publishes: ${reason}`));
  connection.on('unblocked', () => (blocked = undefined));
  // A 'disconnect' with the same error follows and is logged. Without this listener the error would end the process.
  connection.on('error', () => {});

  function lost(what: string, error: Error): void {
    // Logs one line for each lost connection, not for each attempt after it.
    if (model || away === 'not connected yet') logger.warn({ purpose, reason: error.message }, what);
    model = undefined;
    away = error.message;
    attempted();
  }

  return {
    isOpen: () => model !== undefined,
    failure: () => away ?? blocked,
    firstAttempt,
    channel: () => connection.createChannel(),
    confirmChannel: () => connection.createConfirmChannel(),
    async close() {
      const socket = model && socketOf(model);
      model = undefined;
      away = 'closed';
      await settledWithin(closeTimeoutMs, connection.close());
      // If the broker no longer answers, the closing handshake never ends, so the socket is destroyed.
      socket?.destroy();
    },
  };
}

function withHeartbeat(url: string): string {
  const target = URL.parse(url);
  if (target?.protocol !== 'amqp:' && target?.protocol !== 'amqps:') {
    throw new MessagingError(
      'messaging_address_invalid',
      'The address of RabbitMQ must begin with amqp:// or amqps://',
    );
  }
  if (!target.searchParams.has('heartbeat')) target.searchParams.set('heartbeat', String(heartbeatSeconds));
  return target.href;
}

function socketOf(model: ChannelModel): Socket {
  return (model.connection as unknown as { stream: Socket }).stream;
}
