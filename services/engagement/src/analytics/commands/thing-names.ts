import type { Promotions } from '../../promotions/promotions.ts';

/** The names of products or campaigns, by id. Ids that are no longer known are left out of the result. */
type NamesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Looks up the names of the things in reports. */
export interface ThingNames {
  readonly products: NamesOf;
  readonly campaigns: NamesOf;
}

export function thingNames({
  catalogCopies,
  findCampaign,
}: Pick<Promotions, 'catalogCopies' | 'findCampaign'>): ThingNames {
  return {
    async products(ids) {
      const found = await catalogCopies.find(ids);
      return new Map([...found].map(([id, { name }]) => [id, name]));
    },

    async campaigns(ids) {
      const found = await Promise.all(ids.map(async (id) => [id, (await findCampaign(id))?.name] as const));
      return new Map(found.flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])));
    },
  };
}
