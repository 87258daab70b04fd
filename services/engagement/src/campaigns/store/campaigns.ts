import { engagementHttp } from '@storefront/contracts';
import type { PageOf, Slice } from '@storefront/contracts';
import { date, defineCollection, oneOf, openRepository, text, versioned } from '@storefront/mongo';
import type { Resources } from '@storefront/service';

/** The order of lists: the id decides where the time is the same. */
const newestFirst = { createdAt: -1, _id: -1 } as const;

export const campaigns = defineCollection(
  'campaigns',
  {
    ...versioned,
    name: text(),
    status: oneOf(engagementHttp.campaignStatus.options),
    createdAt: date(),
    updatedAt: date(),
  },
  { indexes: { 'createdAt_-1__id_-1': { keys: newestFirst } } },
);

export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly status: engagementHttp.CampaignBody['status'];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Campaigns {
  /** Newest first. */
  list(slice: Slice): Promise<PageOf<Campaign>>;
}

export function openCampaigns({ database }: Resources): Campaigns {
  const repository = openRepository<Campaign>(campaigns, { database });
  return {
    async list(slice) {
      const { items, next } = await repository.page({ order: newestFirst, slice });
      return { items: items.map(({ state }) => state), next };
    },
  };
}
