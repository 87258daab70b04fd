import {
  batch,
  batchReadsOfMany,
  collectionOf,
  inTransactionOfNew,
  type DocumentOf,
  type Transaction,
} from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { mongo } from 'mongoose';
import { campaignCodes } from './campaign-codes.ts';
import { campaignUsage } from './campaign-usage.ts';
import { campaignVersions, versionId } from './campaign-versions.ts';
import type { Usage } from '../domain/evaluation/deductions.ts';
import type { Code } from '../domain/evaluation/evaluate.ts';
import type { CountChanges, Counted, ShopperCount } from '../domain/redemptions/counts.ts';
import { shoppers } from './shoppers.ts';

/** The counts to read. The campaigns of the codes are read as well. */
interface WantedCounts {
  readonly campaignIds: Iterable<string>;
  readonly codes: Iterable<string>;
  readonly userIds: Iterable<string>;
}

/** The counts, and the version of all campaigns, which was not read after them. */
export interface CountedWithVersion extends Counted {
  readonly version: number;
  /** The versions of the campaigns that exist. */
  readonly versions: ReadonlyMap<string, number>;
}

/** The counts of campaigns, codes and users. */
export interface LimitCounts {
  /**
   * Returns the present counts of codes and users. Calls at the same moment share at most one read of each collection.
   */
  find(wanted: Omit<WantedCounts, 'campaignIds'>): Promise<Omit<Counted, 'usage'>>;
  /**
   * Returns the counts of campaigns and users, and the version of all campaigns. Calls during a read share the next
   * read, which begins after the present one.
   */
  findForCart(wanted: Omit<WantedCounts, 'codes'>): Promise<CountedWithVersion>;
  /** Runs `work` as `inTransactionOfNew` does. Where another transaction conflicts with it, `work` runs again. */
  transaction<Result>(work: (transaction: Transaction, areNew: boolean) => Promise<Result>): Promise<Result>;
  read(wanted: WantedCounts, transaction: Transaction): Promise<CountedWithVersion>;
  write(changes: CountChanges, transaction: Transaction): Promise<void>;
  /**
   * Deletes the counts of a user after `erase`. Transactions under way that write these counts fail and start again.
   */
  forget(userId: string, erase: () => Promise<void>): Promise<void>;
}

type VersionDocument = DocumentOf<typeof campaignVersions>;
type UsageDocument = DocumentOf<typeof campaignUsage>;
type CodeDocument = DocumentOf<typeof campaignCodes>;
type ShopperDocument = DocumentOf<typeof shoppers>;

export function openLimitCounts({ database }: Pick<Resources, 'database'>): LimitCounts {
  const usage = collectionOf(database, campaignUsage);
  const codes = collectionOf(database, campaignCodes);
  const known = collectionOf(database, shoppers);
  const findCodes = batchReadsOfMany(codes, {});
  const findShoppers = batchReadsOfMany(known, {});
  const readForCarts = batch<Omit<WantedCounts, 'codes'>, CountedWithVersion>({
    concurrency: 1,
    async work(queries) {
      const wanted = {
        campaignIds: new Set(queries.flatMap(({ campaignIds }) => [...campaignIds])),
        codes: [],
        userIds: new Set(queries.flatMap(({ userIds }) => [...userIds])),
      };
      // Reads only a version that survives a change of the primary. Otherwise a version could be lost and its number
      // used again for another change.
      const found = await readCounts(database, wanted, { readConcern: 'majority' });
      return queries.map(() => found);
    },
  });

  return {
    async find({ codes: typed, userIds }) {
      const found = await Promise.all([findCodes([...typed]), findShoppers([...userIds])]);
      return counted([], ...found);
    },

    findForCart: (wanted) => readForCarts(wanted),

    transaction: (work) => inTransactionOfNew(database, work),

    read: (wanted, { session }) => readCounts(database, wanted, { session }),

    async write(changes, { session }) {
      const usageWrites = [...changes.usage].map(([_id, { redemptions, amount }]) => ({
        updateOne: { filter: { _id }, update: { $inc: { redemptions, amount }, $set: { ever: true } } },
      }));
      const codeWrites = [...changes.codes].map(([_id, uses]) => ({
        updateOne: { filter: { _id }, update: { $inc: { uses } } },
      }));
      const shopperWrites = [...changes.shoppers].map(([_id, { uses, ...shopper }]) => ({
        replaceOne: {
          filter: { _id },
          replacement: { ...shopper, holds: [...shopper.holds], uses: Object.fromEntries(uses) },
          upsert: true,
        },
      }));
      if (usageWrites.length > 0) await usage.bulkWrite(usageWrites, { session });
      if (codeWrites.length > 0) await codes.bulkWrite(codeWrites, { session });
      if (shopperWrites.length > 0) await known.bulkWrite(shopperWrites, { session });
    },

    async forget(userId, erase) {
      // Transactions under way for this user conflict with this write and start again. Then they find that the user was
      // erased.
      const nothing = { firstOrder: null, uses: {}, day: '', heldSeconds: 0, holds: [] };
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

interface CountedBesideVersion extends VersionDocument {
  readonly usage?: readonly UsageDocument[];
  readonly codes?: readonly (CodeDocument & { readonly usage: readonly UsageDocument[] })[];
  readonly shoppers?: readonly ShopperDocument[];
}

/**
 * Reads four collections with one command. As many commands would cost MongoDB 1.5 times as much, and the driver twice
 * as much. The stages run one after the other, so the counts are never older than the version.
 */
async function readCounts(
  database: Resources['database'],
  { campaignIds, codes: typed, userIds }: WantedCounts,
  options: mongo.AggregateOptions,
): Promise<CountedWithVersion> {
  const usageOfCode = { from: campaignUsage.name, localField: 'campaignId', foreignField: '_id', as: 'usage' };
  const [found] = await collectionOf(database, campaignVersions)
    .aggregate<CountedBesideVersion>(
      [
        { $match: { _id: versionId } },
        ...beside('usage', campaignUsage.name, campaignIds),
        ...beside('codes', campaignCodes.name, typed, [{ $lookup: usageOfCode }]),
        ...beside('shoppers', shoppers.name, userIds),
      ],
      options,
    )
    .toArray();
  if (!found) throw new Error('the campaigns have no version');
  const { version, usage = [], codes = [], shoppers: users = [] } = found;
  const usages = [...usage, ...codes.flatMap((code) => code.usage)];
  const versions = new Map(usages.map(({ _id, campaignVersion }) => [_id, campaignVersion]));
  return { version, ...counted(usages, codes, users), versions };
}

function beside(as: string, from: string, ids: Iterable<string>, more: readonly object[] = []) {
  const wanted = [...ids];
  if (wanted.length === 0) return [];
  return [{ $lookup: { from, pipeline: [{ $match: { _id: { $in: wanted } } }, ...more], as } }];
}
