import mongoose from 'mongoose';
import type { Collection } from './collections.ts';
import { reasonOf } from './errors.ts';

const duplicateKey = 11_000;

/**
 * Inserts documents in one command, in any order. Returns for each document whether it is new. Where its id, or another
 * unique value, exists already, the stored document stays as it is.
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
    // Without named writes, or with an unmet write concern, the result of all of them is unknown: the database is away.
    if (refused.length === 0 || error.result.getWriteConcernError()) throw reasonOf(error);
    if (refused.some(({ code }) => code !== duplicateKey)) throw error;
    const taken = new Set(refused.map(({ index }) => index));
    return documents.map((_, index) => !taken.has(index));
  }
}
