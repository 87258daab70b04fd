import type { Collection, DocumentOf, Transaction } from '@storefront/mongo';
import mongoose from 'mongoose';
import { holdsAll, noPeople, unionOf } from '../domain/people.ts';
import type { PeopleChunk } from '../domain/people.ts';
import type { PeopleAddition } from '../domain/set-units.ts';
import { peopleId } from './collections.ts';
import type { rollUpPeople } from './collections.ts';

export type PeopleDocument = DocumentOf<typeof rollUpPeople>;

/** So many documents are read at a time: 8 KB each at most. */
const atOnce = 1000;

/** Adds people to sets. Only for who alone writes them: it reads, adds and writes. */
export async function addPeople(
  collection: Collection<PeopleDocument>,
  additions: readonly PeopleAddition[],
  { session }: Pick<Transaction, 'session'>,
): Promise<void> {
  const byId = new Map(
    additions.map((each) => [peopleId(each.set, each.unit, each.segment, each.chunk), each] as const),
  );
  const ids = [...byId.keys()];
  for (let from = 0; from < ids.length; from += atOnce) {
    const part = ids.slice(from, from + atOnce);
    const found = await collection.find({ _id: { $in: part } }, { session }).toArray();
    const before = new Map(found.map(({ _id, people }) => [_id, bytesOf(people)]));
    const writes = part.flatMap((_id) => {
      const chunk = before.get(_id) ?? noPeople;
      const { places = [], day = null } = byId.get(_id) ?? {};
      if (holdsAll(chunk, places)) return [];
      const people = new mongoose.mongo.Binary(unionOf([chunk], places));
      return [
        { updateOne: { filter: { _id }, update: { $set: { people, ...(day !== null && { day }) } }, upsert: true } },
      ];
    });
    if (writes.length > 0) await collection.bulkWrite(writes, { session, ordered: false });
  }
}

export function bytesOf(binary: mongoose.mongo.Binary): PeopleChunk {
  return binary.value();
}
