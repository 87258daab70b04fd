import { randomUUID } from 'node:crypto';
import { collectionOf, openCollections } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import type { DocumentOf } from './define-collection.ts';
import { isDuplicate } from './errors.ts';
import { date, orNull, text } from './fields.ts';

export const idempotencyKeys = defineCollection(
  'idempotency_keys',
  {
    /** Of the request's body. */
    fingerprint: text(),
    /** Names the attempt that holds the key. */
    holder: text(),
    leaseUntil: date(),
    /** Sealed: answers hold personal data, and must not keep it readable after an erasure. */
    answer: orNull(text()),
    /** A UUID that is the same for all attempts, so that what they create has one id. */
    seed: text(),
    expiresAt: date(),
  },
  { indexes: { expiresAt_1: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

type KeyDocument = DocumentOf<typeof idempotencyKeys>;

/** What is kept under a key. `mine` says whether this call holds the key now. */
type IdempotencyKey = Pick<KeyDocument, 'fingerprint' | 'answer' | 'holder' | 'seed'> & {
  readonly mine: boolean;
};

/** Where `Idempotency-Key`s are kept. */
export interface IdempotencyKeys {
  /** Takes the key if it is new, or if the lease of its holder is over; otherwise returns what is kept. */
  claim(id: string, fingerprint: string): Promise<IdempotencyKey>;
  /** Keeps the answer, if `holder` still holds the key. */
  keep(id: string, holder: string, sealedAnswer: string): Promise<void>;
  /** Lets the next attempt have the key, if there is no answer yet. */
  release(id: string, holder: string): Promise<void>;
}

const keptMs = 24 * 60 * 60 * 1000;
// Longer than a handler may take: after it, the process that held the key has died.
const leaseMs = 12_000;

/** Opens the service's keys, in its own database. Each is kept for 24 h. */
export async function openIdempotencyKeys(database: Database): Promise<IdempotencyKeys> {
  await openCollections(database, [idempotencyKeys]);
  const keys = collectionOf(database, idempotencyKeys);

  async function claim(id: string, fingerprint: string): Promise<IdempotencyKey> {
    const now = Date.now();
    const lease = { holder: randomUUID(), leaseUntil: new Date(now + leaseMs) };
    const fresh = { fingerprint, ...lease, answer: null, seed: randomUUID(), expiresAt: new Date(now + keptMs) };
    try {
      await keys.insertOne({ _id: id, ...fresh });
      return { ...fresh, mine: true };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const takenOver = await keys.findOneAndUpdate(
      { _id: id, fingerprint, answer: null, leaseUntil: { $lt: new Date(now) } },
      { $set: lease },
      { returnDocument: 'after' },
    );
    if (takenOver) return { ...takenOver, mine: true };
    const existing = await keys.findOne({ _id: id });
    // It expired between the two commands: the next try inserts it.
    return existing ? { ...existing, mine: false } : claim(id, fingerprint);
  }

  return {
    claim,
    async keep(id, holder, sealedAnswer) {
      await keys.updateOne({ _id: id, holder }, { $set: { answer: sealedAnswer } });
    },
    async release(id, holder) {
      await keys.updateOne({ _id: id, holder, answer: null }, { $set: { leaseUntil: new Date(0) } });
    },
  };
}
