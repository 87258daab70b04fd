import mongoose from 'mongoose';
import type { Logger } from 'pino';

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
  writeConcern: { w: 'majority' },
  retryWrites: true,
};

/**
 * Opens the service's own connection; `url` names the database in its path. Keeps trying for up to 30 s, since in a fresh
 * deployment the server may still be starting.
 */
export async function openDatabase(url: string, logger: Logger): Promise<Database> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const connection = mongoose.createConnection();
    connection.on('error', (error) => logger.warn({ err: error }, 'database connection error'));
    try {
      await connection.openUri(url, options);
      return connection;
    } catch (error) {
      await connection.close().catch(() => undefined);
      if (Date.now() > deadline)
        throw new Error(`MongoDB does not answer: ${(error as Error).message}`, { cause: error });
      logger.warn('MongoDB does not answer yet; trying again');
    }
  }
}

/** A collection of the official driver, for what needs no mongoose schema. */
export function collectionOf<Document extends mongoose.mongo.Document>(
  database: Database,
  name: string,
): mongoose.mongo.Collection<Document> {
  return database.getClient().db(database.name).collection<Document>(name);
}

/** Whether the database answers, and how fast. For readiness. */
export async function checkDatabase(connection: Database): Promise<{ ok: boolean; milliseconds: number }> {
  const started = performance.now();
  try {
    await connection.getClient().db(connection.name).command({ ping: 1 }, { timeoutMS: 1500 });
    return { ok: true, milliseconds: Math.round(performance.now() - started) };
  } catch {
    return { ok: false, milliseconds: Math.round(performance.now() - started) };
  }
}

// ShutdownInProgress, PrimarySteppedDown, InterruptedAtShutdown, InterruptedDueToReplStateChange.
const leaving = new Set([91, 189, 11_600, 11_602]);

/** Errors of MongoDB that say the server can't be reached or is changing hands: the request may be tried again. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof mongoose.mongo.MongoServerError) {
    return (
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('TransientTransactionError') ||
      leaving.has(Number(error.code))
    );
  }
  return (
    error instanceof mongoose.mongo.MongoNetworkError ||
    error instanceof mongoose.mongo.MongoServerSelectionError ||
    error instanceof mongoose.mongo.MongoNotConnectedError ||
    error instanceof mongoose.mongo.MongoTopologyClosedError ||
    error instanceof mongoose.mongo.MongoOperationTimeoutError ||
    error instanceof mongoose.mongo.MongoExpiredSessionError ||
    // The driver passes on as it is what the socket says to a write.
    (error instanceof Error && 'syscall' in error && error.syscall === 'write') ||
    // The driver does not export its pool errors; they carry these names.
    (error instanceof Error && /^Mongo(PoolClosed|PoolCleared|WaitQueueTimeout)/.test(error.name)) ||
    (error instanceof mongoose.MongooseError && error.message.includes('bufferCommands'))
  );
}

/** A unique index refused the write. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === 11000;
}
