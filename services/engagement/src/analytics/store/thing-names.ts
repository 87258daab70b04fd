import type { CampaignReads } from '../../promotions/store/campaigns.ts';
import type { CatalogCopies } from '../../promotions/store/catalog-copies.ts';

/** The names of products or campaigns by their ids; one that is not known any more is missing in the answer. */
type NamesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The names of what reports are about. */
export interface ThingNames {
  readonly products: NamesOf;
  readonly campaigns: NamesOf;
}

export function openThingNames({
  catalogCopies,
  campaigns,
}: {
  readonly catalogCopies: CatalogCopies;
  readonly campaigns: CampaignReads;
}): ThingNames {
  return {
    async products(ids) {
      const found = await catalogCopies.find(ids);
      return new Map([...found].map(([id, { name }]) => [id, name]));
    },

    async campaigns(ids) {
      const found = await Promise.all(ids.map((id) => campaigns.load(id)));
      return new Map(found.flatMap((campaign) => (campaign ? [[campaign.state.id, campaign.state.name]] : [])));
    },
  };
}
