import mongoose from 'mongoose';
import type { Collection } from './collections.ts';
import { reasonOf } from './errors.ts';

const duplicateKey = 11_000;

/**
 * Inserts documents in one command, in any order. Returns for each document whether it is new. If the id or another
 * unique value already exists, the stored document stays unchanged.
 */
export async function insertNew<Document extends mongoose.mongo.Document>(
  collection: Collection<Document>,
  documents: readonly mongoose.mongo.OptionalUnlessRequiredId<Document>[],
): Promise<boolean[]> {
  if (documents.length === 0) return [];
  try {
    await collection.insertMany(documents, { ordered: false });
    return documents.map(() => true);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
    const refused = [error.writeErrors].flat();
    // If the error names no writes, or has a write concern error, the results of all writes are unknown: the database
    // is unreachable.
    if (refused.length === 0 || error.result.getWriteConcernError()) throw reasonOf(error);
    if (refused.some(({ code }) => code !== duplicateKey)) throw error;
    const taken = new Set(refused.map(({ index }) => index));
    return documents.map((_, index) => !taken.has(index));
  }
}
