import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { withinTimeLimit } from './time-limit.ts';

export type Database = mongoose.Connection;

const options: mongoose.ConnectOptions = {
  // If the server is unreachable, a request should fail at once with 503 instead of waiting in a buffer.
  bufferCommands: false,
  autoIndex: false,
  serverSelectionTimeoutMS: 3000,
  // Each look is two commands, also at rest. While an operation waits for the server, the driver looks every 0.5 s
  // whatever stands here, so a server that is back is noticed at once.
  heartbeatFrequencyMS: 5000,
  // Notices a server that stopped without closing its connections.
  socketTimeoutMS: 10_000,
  connectTimeoutMS: 3000,
  maxPoolSize: 20,
  // With `majority`, a failover never rolls back data that was read or written.
  writeConcern: { w: 'majority' },
  readConcernLevel: 'majority',
  retryWrites: true,
};

/** Called with each command when it is sent. */
export type CommandListener = (command: {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}) => void;

/**
 * Opens the service's own connection; the path of `url` is the database's name. Keeps trying for up to 30 s, because in
 * a fresh deployment the server may still be starting. Then it throws.
 */
export async function openDatabase(url: string, logger: Logger, onCommand?: CommandListener): Promise<Database> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const connection = mongoose.createConnection();
    connection.on('error', (error) => logger.warn({ err: error }, 'database connection error'));
    try {
      await withinTimeLimit(connection.openUri(url, { ...options, monitorCommands: onCommand !== undefined }));
      if (onCommand)
        connection
          .getClient()
          .on('commandStarted', ({ commandName, command }) => onCommand({ name: commandName, body: command }));
      return connection;
    } catch (error) {
      await withinTimeLimit(connection.close()).catch(() => undefined);
      if (Date.now() > deadline)
        throw new Error(`MongoDB does not answer: ${(error as Error).message}`, { cause: error });
      logger.warn('MongoDB does not answer yet; trying again');
    }
  }
}

/** Checks whether the database answers within 1.5 s, and how fast. Used for readiness. */
export async function checkDatabase(connection: Database): Promise<{ ok: boolean; milliseconds: number }> {
  const started = performance.now();
  try {
    await withinTimeLimit(connection.getClient().db(connection.name).command({ ping: 1 }), 1500);
    return { ok: true, milliseconds: Math.round(performance.now() - started) };
  } catch {
    return { ok: false, milliseconds: Math.round(performance.now() - started) };
  }
}
