import mongoose from 'mongoose';

/** The options that every command of an up-to-date read needs. */
interface UpToDate {
  readonly readConcern: { readonly level: 'linearizable' };
  readonly readPreference: 'primary';
  readonly maxTimeMS: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a read that returns everything that was acknowledged before the read began, even while the primary changes: a
 * former primary that does not know of the change can't answer. For each such read the server writes an empty entry and
 * waits until a majority has stored it.
 *
 * After `limitMs` milliseconds the read fails with an error for which `isDatabaseAway` is true. All its commands end
 * then and free their connections.
 */
export async function readUpToDate<Answer>(
  limitMs: number,
  read: (options: UpToDate) => Promise<Answer>,
): Promise<Answer> {
  const ended = new AbortController();
  const fail = () => ended.abort(new mongoose.mongo.MongoOperationTimeoutError(`no answer within ${limitMs} ms`));
  const timer = setTimeout(fail, limitMs);
  try {
    return await read({
      readConcern: { level: 'linearizable' },
      readPreference: 'primary',
      // Less than the limit: a server that finds no majority answers in time, so its connection stays open. The signal
      // would close the connection.
      maxTimeMS: Math.ceil(limitMs * 0.9),
      signal: ended.signal,
    });
  } catch (error) {
    // If one of several commands fails, the others are ended too.
    ended.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
