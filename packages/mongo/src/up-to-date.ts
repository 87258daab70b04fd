import mongoose from 'mongoose';

/** The options of every command of such a read. */
interface UpToDate {
  readonly readConcern: { readonly level: 'linearizable' };
  readonly readPreference: 'primary';
  readonly maxTimeMS: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a read that returns whatever was acknowledged before it began, also while the primary changes: a primary that was
 * deposed and does not know it yet can't answer. The server writes an empty entry for each such read and waits until a
 * majority has it. After `limitMs` milliseconds it fails with an error for which `isDatabaseAway` is true, and none of its
 * commands goes on or keeps a connection.
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
      // A server that can answer says in time that it found no majority: then the connection stays. The signal closes it.
      maxTimeMS: Math.ceil(limitMs * 0.9),
      signal: ended.signal,
    });
  } catch (error) {
    // When one of several commands fails, the others end with it.
    ended.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
