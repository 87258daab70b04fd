import mongoose from 'mongoose';
import { addressFromEnv } from '../address-from-env.ts';
import { BackingError, reasonOf } from '../error.ts';

/** Throws a BackingError if MONGODB_URL is set and no usable MongoDB answers there within `withinMs`. */
export async function assertMongodbAnswers(env: NodeJS.ProcessEnv, withinMs = 5_000): Promise<void> {
  const configured = addressFromEnv(env, 'MONGODB_URL', ['mongodb:', 'mongodb+srv:']);
  if (!configured) return;
  try {
    const options = { serverSelectionTimeoutMS: withinMs, connectTimeoutMS: withinMs };
    await using client = new mongoose.mongo.MongoClient(configured.url, options);
    await client.connect();
  } catch (error) {
    throw new BackingError(
      `MongoDB at ${configured.described} can't be used (${reasonOf(error)}): start it, set MONGODB_URL to another one, ` +
        'or leave it away to have one started.',
    );
  }
}
