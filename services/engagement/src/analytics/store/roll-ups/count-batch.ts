import {
  collectionOf,
  inTransaction,
  JobLostError,
  type Database,
  type JobHolders,
  type Transaction,
} from '@storefront/mongo';
import { facts as factsDefinition, type FactDocument } from '../facts.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import { kinds, setsOf } from '../../domain/facts/kinds.ts';
import { collect } from '../../domain/roll-ups/collect.ts';
import { countsOfFlags } from '../../domain/roll-ups/count-flags.ts';
import { momentsOf } from '../../domain/roll-ups/moments.ts';
import { allUnits } from '../../domain/roll-ups/set-units.ts';
import type { ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { rollUpSets } from './collections.ts';
import { findFlags, type FlaggedFact } from './find-flags.ts';
import { openPeopleOfAllTime } from './people-of-all-time.ts';
import { openStoredSizes } from './people-sizes.ts';
import { openStoredSums } from './stored-cells.ts';
import { openStoredValues } from './stored-values.ts';
import { openTextShowing, type TextLimits } from './show-texts.ts';
import { addPeople } from './write-people.ts';

/** The counting job. Only the instance that holds this job writes roll-ups. */
export const countingJob = 'count-facts';

export interface FactCounting {
  readonly job: string;
  /**
   * Counts up to `limit` facts that are not counted yet, those published first before the others. Either all of them
   * are counted or none. Returns the number of counted facts, or null where another instance counts.
   */
  countBatch(limit: number): Promise<number | null>;
}

export function openFactCounting({
  database,
  jobHolders,
  shopDays,
  texts,
  now,
}: {
  readonly database: Database;
  readonly jobHolders: Pick<JobHolders, 'fence'>;
  readonly shopDays: ShopDays;
  readonly texts: TextLimits;
  readonly now: () => Date;
}): FactCounting {
  const facts = collectionOf(database, factsDefinition);
  const [sums, values] = [openStoredSums(database, texts.months), openStoredValues(database)];
  const showTexts = openTextShowing({ database, facts, shopDays, now }, texts);
  const people = {
    people: collectionOf(database, rollUpSets),
    sizes: openStoredSizes(database),
    allTime: openPeopleOfAllTime(database),
  };
  // Facts of an unknown kind are not counted. A newer version of the service will count them.
  const isCountable = { pending: true, kind: { $in: Object.keys(kinds) } } as const;

  async function count(batch: readonly FactDocument[], transaction: Transaction): Promise<void> {
    const flagged = [...(await findFlags(facts, batch, transaction)), ...(await showTexts(batch, transaction))];
    const added = collect(allUnits);
    for (const document of batch) {
      const fact = toFact(document);
      for (const { at, counts } of momentsOf(fact, shopDays)) added.add(at, fact.segment, counts);
      added.addPerson(shopDays.quarterOf(fact.at), fact.segment, setsOf(fact), fact.person);
    }
    for (const { fact, flags } of flagged) {
      const [at, { counts, sets }] = [shopDays.quarterOf(fact.at), countsOfFlags(fact, flags)];
      added.add(at, fact.segment, counts);
      added.addPerson(at, fact.segment, sets, fact.person);
    }
    await sums.add(added.sums(), transaction);
    await values.add(added.values(), transaction);
    await addPeople(people, added.people(), transaction);
    await noteCounted(batch, flagged, transaction);
  }

  async function noteCounted(
    batch: readonly FactDocument[],
    flagged: readonly FlaggedFact[],
    { session }: Transaction,
  ): Promise<void> {
    await facts.updateMany({ _id: { $in: batch.map(({ _id }) => _id) } }, { $unset: { pending: '' } }, { session });
    const writes = flagged.map(({ fact: { _id }, flags }) => ({
      updateOne: { filter: { _id }, update: { $push: { flags: { $each: [...flags] } } } },
    }));
    if (writes.length > 0) await facts.bulkWrite(writes, { session, ordered: false });
  }

  async function countOldest(limit: number, transaction: Transaction): Promise<number> {
    const { session } = transaction;
    await jobHolders.fence(countingJob, transaction);
    const batch = await facts
      .find(isCountable, { session, hint: 'pending' })
      .sort({ publishedAt: 1 })
      .limit(limit)
      .toArray();
    if (batch.length > 0) await count(batch, transaction);
    return batch.length;
  }

  return {
    job: countingJob,
    async countBatch(limit) {
      // A quick look first. Most of the time there is nothing to count, and then no transaction is needed.
      if ((await facts.findOne(isCountable, { hint: 'pending', projection: { _id: 1 } })) === null) return 0;
      try {
        return await inTransaction(database, (transaction) => countOldest(limit, transaction));
      } catch (error) {
        if (error instanceof JobLostError) return null;
        throw error;
      }
    },
  };
}

export function toFact({ _id: id, kind, at, segment, person, data }: FactDocument): Fact {
  return { id, kind, at, segment, person, data };
}
