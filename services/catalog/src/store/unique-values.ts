import type { Refusal } from '@storefront/contracts';
import { collectionOf, type CollectionDefinition, type Database, type Transaction } from '@storefront/mongo';
import { createClaims, type Claims } from '../domain/claims.ts';

/** A unique value (`_id`) and the id of the category or product that has it. */
interface StoredClaim {
  _id: string;
  owner: string;
}

/** Stores values that only one owner may have, such as slugs. */
export interface UniqueValues {
  ownerOf(value: string): Promise<string | undefined>;
  /**
   * Looks up the owners of the values, and returns them as claims. `ahead` has owners that are not stored yet, or undefined
   * for a value that is still stored and will be free.
   */
  read(
    values: readonly string[],
    transaction: Transaction,
    ahead?: ReadonlyMap<string, string | undefined>,
  ): Promise<Claims>;
  /**
   * Stores the values that were taken from `claims`, and deletes those that were released. If two transactions take the
   * same value, the later one starts again and then finds the value taken.
   */
  save(claims: Pick<Claims, 'taken' | 'released'>, transaction: Transaction): Promise<void>;
  /**
   * Takes the first candidate that no other owner has, and returns it. If all candidates are taken, it throws the error
   * that `refuse` makes for the last one. An owner may claim its own value again.
   */
  claim(
    candidates: readonly string[],
    owner: string,
    refuse: (value: string) => Refusal,
    transaction: Transaction,
  ): Promise<string>;
  /** Makes the values free again, but only those that belong to `owner`. */
  release(values: readonly string[], owner: string, transaction: Transaction): Promise<void>;
}

export function openUniqueValues(database: Database, definition: CollectionDefinition<StoredClaim>): UniqueValues {
  const collection = collectionOf(database, definition);

  const values: UniqueValues = {
    async ownerOf(value) {
      return (await collection.findOne({ _id: value }))?.owner;
    },

    async read(names, { session }, ahead = new Map()) {
      const found =
        names.length === 0 ? [] : await collection.find({ _id: { $in: [...names] } }, { session }).toArray();
      const owners = new Map<string, string | undefined>(found.map(({ _id, owner }) => [_id, owner]));
      for (const [value, owner] of ahead) owners.set(value, owner);
      return createClaims(
        Array.from(owners, ([value, owner]) => (owner === undefined ? [] : [{ value, owner }])).flat(),
      );
    },

    async save({ taken, released }, { session }) {
      if (released.length > 0)
        await collection.deleteMany({ $or: released.map(({ value, owner }) => ({ _id: value, owner })) }, { session });
      const documents = taken.map(({ value, owner }) => ({ _id: value, owner }));
      if (documents.length > 0) await collection.insertMany(documents, { session });
    },

    async claim(candidates, owner, refuse, transaction) {
      const claims = await values.read(candidates, transaction);
      const free = claims.take(candidates, owner);
      if (free === undefined) throw refuse(candidates.at(-1) ?? '');
      await values.save(claims, transaction);
      return free;
    },

    async release(unused, owner, { session }) {
      if (unused.length > 0) await collection.deleteMany({ _id: { $in: [...unused] }, owner }, { session });
    },
  };
  return values;
}
