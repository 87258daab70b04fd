import { batch, collectionOf, defineCollection, integer, type Transaction } from '@storefront/mongo';
import type { Resources } from '@storefront/service';

/** The id of the only document. */
export const versionId = 'campaigns';

/** One document, `campaigns`: its version is raised by every change of a campaign, in the same transaction. */
export const campaignVersions = defineCollection(
  'campaign_versions',
  { version: integer() },
  { sharding: { unsharded: 'one document' } },
);

/** A number that grows with every change of any campaign. */
export interface CampaignVersions {
  /** Stores the first version where there is none yet. To be done before anything else. */
  begin(): Promise<void>;
  /** Never less than what was acknowledged before the call. The calls of one moment are one read. */
  present(): Promise<number>;
  /** Changes of campaigns that are under way at the same time conflict here: one of them starts again. */
  raise(transaction: Transaction): Promise<void>;
}

export function openCampaignVersions({ database }: Pick<Resources, 'database'>): CampaignVersions {
  const collection = collectionOf(database, campaignVersions);
  const read = batch<null, number>({
    concurrency: 2,
    async work(calls) {
      // A version that is lost when the primary changes must not be taken for the one that comes in its place.
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
