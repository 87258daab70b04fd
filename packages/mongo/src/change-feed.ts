import mongoose from 'mongoose';
import type { Database } from './database.ts';
import { withinTimeLimit } from './time-limit.ts';

/** A document that was inserted, changed or deleted. */
export interface ChangedDocument {
  readonly collection: string;
  readonly id: string;
}

export interface ChangeFeed {
  /**
   * Returns documents that any process has changed, in order, beginning with changes after the first call; an empty list
   * if there are none for now. After a failure the next call goes on where the last one ended. Throws `FeedLostError` if
   * the database does not know any more what has changed since then; the next call begins anew.
   */
  read(): Promise<ChangedDocument[]>;
  close(): Promise<void>;
}

/** Some changes can't be read any more, so everything has to be read again. */
export class FeedLostError extends Error {
  override readonly name = 'FeedLostError';
}

const mostAtOnce = 1000;
// InvalidResumeToken, ChangeStreamFatalError and ChangeStreamHistoryLost.
const lost = new Set<unknown>([260, 280, 286]);

/**
 * Opens a change stream of documents with a `version`, and reads it only when asked: a stream that waits for changes would be
 * woken by each write of every database on the server. Changes that leave the version as it is, such as those of the
 * outbox, are left out.
 */
export function openChangeFeed(database: Database, collections: readonly string[]): ChangeFeed {
  const client = database.getClient().db(database.name);
  const pipeline = [
    {
      $match: {
        'ns.coll': { $in: collections },
        $or: [
          { operationType: { $in: ['insert', 'replace', 'delete'] } },
          { operationType: 'update', 'updateDescription.updatedFields.version': { $exists: true } },
        ],
      },
    },
    { $project: { 'ns.coll': 1, 'documentKey._id': 1 } },
  ];
  let stream: mongoose.mongo.ChangeStream | null = null;
  let position: mongoose.mongo.ResumeToken;

  async function readBatch(): Promise<ChangedDocument[]> {
    stream ??= client.watch(pipeline, {
      ...(position === undefined ? {} : { resumeAfter: position }),
      batchSize: mostAtOnce,
      maxAwaitTimeMS: 1,
    });
    const changed: ChangedDocument[] = [];
    while (changed.length < mostAtOnce) {
      const change = await stream.tryNext();
      if (change === null) break;
      if ('documentKey' in change && 'coll' in change.ns)
        changed.push({ collection: change.ns.coll, id: change.documentKey._id as unknown as string });
    }
    // The server ends the stream where the whole database is deleted.
    if (stream.closed) throw new FeedLostError('the stream of changes has ended');
    position = stream.resumeToken;
    return changed;
  }

  async function close(): Promise<void> {
    const closing = stream;
    stream = null;
    await closing?.close().catch(() => undefined);
  }

  return {
    close,
    async read() {
      try {
        return await withinTimeLimit(readBatch());
      } catch (error) {
        await close();
        if (!isLost(error)) throw error;
        position = undefined;
        throw new FeedLostError('changes were made that can not be read any more', { cause: error });
      }
    },
  };
}

function isLost(error: unknown): boolean {
  return error instanceof FeedLostError || (error instanceof mongoose.mongo.MongoServerError && lost.has(error.code));
}
