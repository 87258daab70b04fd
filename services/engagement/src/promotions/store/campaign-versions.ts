import { batch, collectionOf, defineCollection, type Transaction } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { z } from 'zod';

/** The id of the only document. */
export const versionId = 'campaigns';

/** One document, `campaigns`. Every change of a campaign raises its version, in the same transaction. */
export const campaignVersions = defineCollection(
  'campaign_versions',
  { version: z.int() },
  { sharding: { unsharded: 'one document' } },
);

/** A number that grows with every change of any campaign. */
export interface CampaignVersions {
  /** Stores the first version where there is no version yet. Must be called first. */
  begin(): Promise<void>;
  /**
   * Returns the version. It includes every change that was acknowledged before the call. Calls at the same moment share
   * one read.
   */
  present(): Promise<number>;
  /** Raises the version. Two changes of campaigns at the same time conflict here, and one of them starts again. */
  raise(transaction: Transaction): Promise<void>;
}

export function openCampaignVersions({ database }: Pick<Resources, 'database'>): CampaignVersions {
  const collection = collectionOf(database, campaignVersions);
  const read = batch<null, number>({
    concurrency: 2,
    async work(calls) {
      // Reads only a version that survives a change of the primary. Otherwise a version could be lost and its number
      // used again for another change.
      const found = await collection.findOne({ _id: versionId }, { readConcern: 'majority' });
      return calls.map(() => found?.version ?? 0);
    },
  });
  return {
    async begin() {
      await collection.updateOne({ _id: versionId }, { $setOnInsert: { version: 0 } }, { upsert: true });
    },
    present: () => read(null),
    async raise({ session }) {
      await collection.updateOne({ _id: versionId }, { $inc: { version: 1 } }, { session });
    },
  };
}
