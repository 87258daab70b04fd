import { ConfigError } from '@storefront/process';
import mongoose from 'mongoose';
import type { Driver } from './databases.ts';

export type ClusterTime = mongoose.mongo.Timestamp;

/**
 * All collections as they were at one moment of MongoDB's own clock. Reading may take a while; the moment stays the
 * same.
 */
export interface Snapshot {
  readonly clusterTime: ClusterTime;
  /**
   * The documents of a collection as MongoDB stores them. Throws a ConfigError where MongoDB no longer keeps the
   * moment.
   */
  read(collection: mongoose.mongo.Collection): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

const snapshotTooOld = 239;
const readConcernUnsupported = 123;

/**
 * Opens a snapshot at a moment that includes everything acknowledged before the call. `any` is any existing collection;
 * it is read to learn the moment. Throws a ConfigError where MongoDB is no replica set or sharded cluster.
 */
export async function openSnapshot(client: Driver, any: mongoose.mongo.Collection): Promise<Snapshot> {
  const session = client.startSession({ snapshot: true });
  let clusterTime: ClusterTime;
  try {
    // The first command of a snapshot session fixes the moment for all later commands.
    const find = { find: any.collectionName, filter: {}, projection: { _id: 1 }, limit: 1, singleBatch: true };
    const { cursor } = await client.db(any.dbName).command(find, { session });
    clusterTime = cursor.atClusterTime as ClusterTime;
  } catch (error) {
    await session.endSession();
    throw explained(error);
  }
  return {
    clusterTime,
    async *read(collection) {
      const cursor = collection.find<Uint8Array>({}, { session, raw: true, batchSize: 1_000 });
      try {
        yield* cursor;
      } catch (error) {
        throw explained(error);
      } finally {
        await cursor.close();
      }
    },
    close: () => session.endSession(),
  };
}

function explained(error: unknown): unknown {
  if (!(error instanceof mongoose.mongo.MongoServerError)) return error;
  if (error.code === snapshotTooOld)
    return new ConfigError(
      'MongoDB no longer has the moment of the backup, because reading has taken too long. Start mongod with ' +
        '--setParameter minSnapshotHistoryWindowInSeconds=<seconds>, which is 300 by default, and try again.',
    );
  if (error.code === readConcernUnsupported || /replica set/.test(error.message))
    return new ConfigError(`A backup needs a replica set or a sharded cluster: ${error.message}`);
  return error;
}
