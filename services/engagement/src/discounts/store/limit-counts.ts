import { batchReadsOfMany, collectionOf, inTransaction, isDuplicate } from '@storefront/mongo';
import type { Collection, DocumentOf, Transaction } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { campaignCodes } from '../../campaigns/store/campaign-codes.ts';
import { campaignUsage } from '../../campaigns/store/campaign-usage.ts';
import type { Code } from '../domain/asked-codes.ts';
import type { CountChanges, Counted, ShopperCount } from '../domain/counts.ts';
import type { Usage } from '../domain/eligibility.ts';
import { shoppers } from './shoppers.ts';

/** What to read of what limits are counted by. The campaigns of the codes come along in a transaction. */
export interface WantedCounts {
  readonly campaignIds: Iterable<string>;
  readonly codes: Iterable<string>;
  readonly userIds: Iterable<string>;
}

/** What limits are counted by, as a transaction sees it. */
export interface CountedInTransaction extends Counted {
  /** The versions of the campaigns that exist. */
  readonly versions: ReadonlyMap<string, number>;
}

/** The counts of campaigns, codes and users. */
export interface LimitCounts {
  /** As they are now; the calls of one moment are a read of each collection at most. */
  find(wanted: WantedCounts): Promise<Counted>;
  /** Runs `work` in a transaction; where another one collides with it, `work` runs again. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  read(wanted: WantedCounts, transaction: Transaction): Promise<CountedInTransaction>;
  write(changes: CountChanges, transaction: Transaction): Promise<void>;
  /** Deletes what is known of a user. Transactions under way that write it fail, and start again. */
  forget(userId: string, erase: () => Promise<void>): Promise<void>;
}

type UsageDocument = DocumentOf<typeof campaignUsage>;
type CodeDocument = DocumentOf<typeof campaignCodes>;
type ShopperDocument = DocumentOf<typeof shoppers>;

const maxAttempts = 20;

export function openLimitCounts({ database }: Pick<Resources, 'database'>): LimitCounts {
  const usage = collectionOf(database, campaignUsage);
  const codes = collectionOf(database, campaignCodes);
  const known = collectionOf(database, shoppers);
  const findUsage = batchReadsOfMany(usage, {});
  const findCodes = batchReadsOfMany(codes, {});
  const findShoppers = batchReadsOfMany(known, {});

  return {
    async find({ campaignIds, codes: typed, userIds }) {
      const found = await Promise.all([findUsage([...campaignIds]), findCodes([...typed]), findShoppers([...userIds])]);
      return counted(...found);
    },

    async transaction(work) {
      for (let attempt = 1; ; attempt += 1)
        try {
          return await inTransaction(database, work);
        } catch (error) {
          // Another instance has written a document of this id, or for this order, meanwhile: the next attempt finds it.
          if (!isDuplicate(error) || attempt === maxAttempts) throw error;
        }
    },

    async read({ campaignIds, codes: typed, userIds }, transaction) {
      // One after the other: a transaction takes one command at a time.
      const found = await findIn(codes, [...typed], transaction);
      const counting = new Set([...campaignIds, ...found.map(({ campaignId }) => campaignId)]);
      const usages = await findIn(usage, [...counting], transaction);
      const users = await findIn(known, [...userIds], transaction);
      const versions = new Map(usages.map(({ _id, campaignVersion }) => [_id, campaignVersion]));
      return { ...counted(usages, found, users), versions };
    },

    async write(changes, { session }) {
      const usageWrites = [...changes.usage].map(([_id, { redemptions, amount }]) => ({
        updateOne: { filter: { _id }, update: { $inc: { redemptions, amount }, $set: { ever: true } } },
      }));
      const codeWrites = [...changes.codes].map(([_id, uses]) => ({
        updateOne: { filter: { _id }, update: { $inc: { uses } } },
      }));
      const shopperWrites = [...changes.shoppers].map(([_id, { uses, ...shopper }]) => ({
        replaceOne: { filter: { _id }, replacement: { ...shopper, uses: Object.fromEntries(uses) }, upsert: true },
      }));
      if (usageWrites.length > 0) await usage.bulkWrite(usageWrites, { session });
      if (codeWrites.length > 0) await codes.bulkWrite(codeWrites, { session });
      if (shopperWrites.length > 0) await known.bulkWrite(shopperWrites, { session });
    },

    async forget(userId, erase) {
      // What is under way for the user conflicts with it, starts again, and finds that the user was erased.
      const nothing = { firstOrder: null, uses: {}, day: '' };
      await known.updateOne({ _id: userId }, { $inc: { redemptions: 1 }, $setOnInsert: nothing }, { upsert: true });
      await erase();
      await known.deleteOne({ _id: userId });
    },
  };
}

function counted(
  usages: readonly UsageDocument[],
  codes: readonly CodeDocument[],
  users: readonly ShopperDocument[],
): Counted {
  return {
    usage: new Map(usages.map(({ _id, redemptions, amount }): [string, Usage] => [_id, { redemptions, amount }])),
    codes: new Map(
      codes.map(({ _id, campaignId, uses, maximumUses, endedAt }): [string, Code] => [
        _id,
        { campaignId, uses, maximumUses, hasEnded: endedAt !== null },
      ]),
    ),
    shoppers: new Map(
      users.map(({ _id, uses, ...shopper }): [string, ShopperCount] => [
        _id,
        { ...shopper, uses: new Map(Object.entries(uses)) },
      ]),
    ),
  };
}

async function findIn<Document extends { _id: string }>(
  collection: Collection<Document>,
  ids: readonly string[],
  { session }: Transaction,
): Promise<Document[]> {
  if (ids.length === 0) return [];
  return collection.find<Document>({ _id: { $in: ids } } as object, { session }).toArray();
}
