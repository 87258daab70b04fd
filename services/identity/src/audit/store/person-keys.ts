import { randomUUID } from 'node:crypto';
import { eventRecordDays } from '@storefront/contracts';
import { batchReads, collectionOf, defineCollection, type Database, type DocumentOf } from '@storefront/mongo';
import { z } from 'zod';
import type { PersonCipher } from '../secrets/person-cipher.ts';

/**
 * One key for each person in the audit log, found by a keyed hash of the user's id. After an erasure only this hash is
 * kept for a while, so that a late event does not make a new key.
 */
export const auditKeys = defineCollection(
  'audit_keys',
  {
    /** Identifies the person in entries. Only this document links the `ref` to the user. */
    ref: z.string().nullable(),
    wrapped: z.string().nullable(),
    forgottenUntil: z.date().optional(),
  },
  {
    sharding: { key: { _id: 'hashed' }, acrossShards: [{ by: ['ref'], because: 'administrators read entries' }] },
    indexes: {
      ref: { keys: { ref: 1 } },
      expiry: { keys: { forgottenUntil: 1 }, expireAfterSeconds: 0 },
    },
  },
);

/** Encrypts and decrypts the log's data about one person. */
export interface PersonKey {
  /** Identifies the person in entries. After the key is deleted, the `ref` no longer leads to the person. */
  readonly ref: string;
  /** `place` names the entry and its part. The result can be decrypted only with the same `place`. */
  seal(place: string, part: object): string;
  open(place: string, sealed: string): unknown;
}

export interface PersonKeys {
  /** The key of the user, made on its first use; null where the user was erased. */
  of(userId: string): Promise<PersonKey | null>;
  /** The key of the user if there is one. */
  find(userId: string): Promise<PersonKey | null>;
  /** The keys that still exist, by their `ref`. */
  byRefs(refs: ReadonlySet<string>): Promise<ReadonlyMap<string, PersonKey>>;
  /** Deletes the key for good: data that was encrypted with the key can never be decrypted again. */
  forget(userId: string): Promise<void>;
}

const forgottenMs = eventRecordDays * 24 * 60 * 60 * 1000;

export function openPersonKeys(
  { database, now }: { database: Database; now: () => Date },
  cipher: PersonCipher,
): PersonKeys {
  const collection = collectionOf(database, auditKeys);
  const load = batchReads(collection, {});
  const idOf = (userId: string) => cipher.hash('person', userId);

  function keyOf({ _id, ref, wrapped }: DocumentOf<typeof auditKeys>): PersonKey | null {
    if (ref === null || wrapped === null) return null;
    return {
      ref,
      seal: (place, part) => cipher.seal(wrapped, _id, place, part),
      open: (place, sealed) => cipher.open(wrapped, _id, place, sealed),
    };
  }

  async function find(userId: string): Promise<PersonKey | null> {
    const found = await load(idOf(userId));
    return found && keyOf(found);
  }

  return {
    find,
    async of(userId) {
      const _id = idOf(userId);
      const found =
        (await load(_id)) ??
        (await collection.findOneAndUpdate(
          { _id },
          { $setOnInsert: { ref: randomUUID(), wrapped: cipher.newWrappedKey(_id) } },
          { upsert: true, returnDocument: 'after' },
        ));
      return found && keyOf(found);
    },
    async byRefs(refs) {
      if (refs.size === 0) return new Map();
      const found = await collection.find({ ref: { $in: [...refs] } }, { hint: 'ref' }).toArray();
      return new Map(found.flatMap((document) => keyOf(document) ?? []).map((key) => [key.ref, key]));
    },
    async forget(userId) {
      const forgottenUntil = new Date(now().getTime() + forgottenMs);
      const nothing = { ref: null, wrapped: null, forgottenUntil };
      await collection.updateOne({ _id: idOf(userId) }, { $set: nothing }, { upsert: true });
    },
  };
}
