import { randomUUID } from 'node:crypto';
import { commonErrors } from '@storefront/contracts';
import { collectionOf, openCollections } from './collections.ts';
import type { Database } from './database.ts';
import { defineCollection } from './define-collection.ts';
import type { DocumentOf } from './define-collection.ts';
import { isDuplicate } from './errors.ts';
import { date, integer, orNull, text } from './fields.ts';

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

/** How many keys an owner has used on a day. */
export const idempotencyKeyCounts = defineCollection(
  'idempotency_key_counts',
  { keys: integer(), expiresAt: date() },
  { indexes: { expiresAt_1: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

type KeyDocument = DocumentOf<typeof idempotencyKeys>;

/** What is kept under a key. `mine` says whether this call holds the key now. */
type IdempotencyKey = Pick<KeyDocument, 'fingerprint' | 'answer' | 'holder' | 'seed'> & {
  readonly mine: boolean;
};

/** Where `Idempotency-Key`s are kept. */
export interface IdempotencyKeys {
  /**
   * Takes the key if it is new, or if the lease of its holder is over; otherwise returns what is kept. A new key counts
   * for its owner, who may use 10,000 a day (UTC). Beyond it throws `too_many_idempotency_keys`, and keeps nothing.
   * Without an owner there is no limit.
   */
  claim(id: string, fingerprint: string, owner: string | null): Promise<IdempotencyKey>;
  /** Keeps the answer, if `holder` still holds the key. */
  keep(id: string, holder: string, sealedAnswer: string): Promise<void>;
  /** Lets the next attempt have the key, if there is no answer yet. */
  release(id: string, holder: string): Promise<void>;
}

const keptMs = 24 * 60 * 60 * 1000;
// Longer than a handler may take: after it, the process that held the key has died.
const leaseMs = 12_000;

const dayMs = 24 * 60 * 60 * 1000;

/** Opens the service's keys, in its own database. Each is kept for 24 h. */
export async function openIdempotencyKeys(database: Database, keysADay = 10_000): Promise<IdempotencyKeys> {
  await openCollections(database, [idempotencyKeys, idempotencyKeyCounts]);
  const keys = collectionOf(database, idempotencyKeys);
  const counts = collectionOf(database, idempotencyKeyCounts);

  /** Counts a new key. Answers how long the owner has to wait, in seconds, where there are too many. */
  async function count(owner: string, now: number): Promise<number | null> {
    const day = Math.floor(now / dayMs);
    const counted = await counts.findOneAndUpdate(
      { _id: `${owner}/${day}` },
      { $inc: { keys: 1 }, $setOnInsert: { expiresAt: new Date((day + 2) * dayMs) } },
      { upsert: true, returnDocument: 'after', projection: { keys: 1 } },
    );
    return counted && counted.keys > keysADay ? Math.ceil(((day + 1) * dayMs - now) / 1000) : null;
  }

  async function claim(id: string, fingerprint: string, owner: string | null): Promise<IdempotencyKey> {
    const now = Date.now();
    const lease = { holder: randomUUID(), leaseUntil: new Date(now + leaseMs) };
    const fresh = { fingerprint, ...lease, answer: null, seed: randomUUID(), expiresAt: new Date(now + keptMs) };
    try {
      await keys.insertOne({ _id: id, ...fresh });
      const retryAfterSeconds = owner === null ? null : await count(owner, now);
      if (retryAfterSeconds === null) return { ...fresh, mine: true };
      await keys.deleteOne({ _id: id, holder: fresh.holder });
      throw commonErrors.tooManyIdempotencyKeys().with({ retryAfterSeconds });
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
    return existing ? { ...existing, mine: false } : claim(id, fingerprint, owner);
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
