import { batchReads, collectionOf, defineCollection, type Transaction } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { z } from 'zod';
import { campaignUsage as usage, type CampaignUsage } from '../domain/campaigns/rules.ts';

/**
 * The usage of a campaign: the sum of its discounts. It is stored apart from the campaign, because redemptions write
 * it. The id is the campaign's id.
 * Every change of a campaign writes the campaign's version here in the same transaction. So a redemption with the old
 * version of the campaign conflicts with the change and starts again.
 */
export const campaignUsage = defineCollection(
  'campaign_usage',
  { ...usage.shape, campaignVersion: z.int() },
  { sharding: { unsharded: 'one document for each campaign' } },
);

interface StoredUsage extends CampaignUsage {
  readonly campaignVersion: number;
}

export interface CampaignUsages {
  /** Returns the usage; null where there is no such campaign. Calls at the same moment share one read. */
  find(campaignId: string): Promise<CampaignUsage | null>;
  /**
   * Writes the version of a campaign that is about to change, and returns the usage. From then on, no redemption of the
   * campaign is committed before this transaction ends. Null where there is no such campaign.
   */
  takeForChange(campaignId: string, transaction: Transaction): Promise<StoredUsage | null>;
  setVersion(campaignId: string, campaignVersion: number, transaction: Transaction): Promise<void>;
  add(campaignId: string, transaction: Transaction): Promise<CampaignUsage>;
  remove(campaignId: string, transaction: Transaction): Promise<void>;
}

const unused = { redemptions: 0, amount: 0, ever: false };

export function openCampaignUsage({ database }: Pick<Resources, 'database'>): CampaignUsages {
  const collection = collectionOf(database, campaignUsage);
  return {
    find: batchReads(collection, {}),
    async takeForChange(campaignId, { session }) {
      return collection.findOneAndUpdate(
        { _id: campaignId },
        { $inc: { campaignVersion: 1 } },
        { session, returnDocument: 'after' },
      );
    },
    async setVersion(campaignId, campaignVersion, { session }) {
      await collection.updateOne({ _id: campaignId }, { $set: { campaignVersion } }, { session });
    },
    async add(campaignId, { session }) {
      await collection.insertOne({ _id: campaignId, ...unused, campaignVersion: 1 }, { session });
      return unused;
    },
    async remove(campaignId, { session }) {
      await collection.deleteOne({ _id: campaignId }, { session });
    },
  };
}
