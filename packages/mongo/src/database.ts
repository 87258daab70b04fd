import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { withinTimeLimit } from './time-limit.ts';

export type Database = mongoose.Connection;

const options: mongoose.ConnectOptions = {
  // While the server is away a request should fail at once with a 503, not wait in a buffer.
  bufferCommands: false,
  autoIndex: false,
  serverSelectionTimeoutMS: 3000,
  // Notices a return within this time (back within 5 s is promised) and a silent death by the socket time-out.
  heartbeatFrequencyMS: 2000,
  socketTimeoutMS: 10_000,
  connectTimeoutMS: 3000,
  maxPoolSize: 20,
  // What was read or written once is never rolled back by a failover.
  writeConcern: { w: 'majority' },
  readConcernLevel: 'majority',
  retryWrites: true,
};

/** Hears of a command when it is sent. */
export type CommandListener = (command: {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}) => void;

/**
 * Opens the service's own connection; `url` names the database in its path. Keeps trying for up to 30 s, since in a
 * fresh deployment the server may still be starting.
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

/** Whether the database answers within 1.5 s, and how fast. For readiness. */
export async function checkDatabase(connection: Database): Promise<{ ok: boolean; milliseconds: number }> {
  const started = performance.now();
  try {
    await withinTimeLimit(connection.getClient().db(connection.name).command({ ping: 1 }), 1500);
    return { ok: true, milliseconds: Math.round(performance.now() - started) };
  } catch {
    return { ok: false, milliseconds: Math.round(performance.now() - started) };
  }
}
