import type { Promotions } from '../../promotions/promotions.ts';
import { partsOfVariantKey } from '../domain/facts/variant-key.ts';

/** The names of products or campaigns by id, or of variants by `variantKey`. Ids that are no longer known are left out of the result. */
type NamesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Looks up the names of the things in reports. */
export interface ThingNames {
  readonly products: NamesOf;
  readonly variants: NamesOf;
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

    async variants(keys) {
      const parts = keys.map((key) => ({ key, ...partsOfVariantKey(key) }));
      const found = await catalogCopies.find(new Set(parts.map(({ productId }) => productId)));
      return new Map(
        parts.flatMap(({ key, productId, variantId }) => {
          const product = found.get(productId);
          if (variantId === null) return product ? [[key, product.name]] : [];
          const variant = product?.variants.find(({ id }) => id === variantId);
          return product && variant ? [[key, [product.name, ...variant.values].join(', ')]] : [];
        }),
      );
    },

    async campaigns(ids) {
      const found = await Promise.all(ids.map(async (id) => [id, (await findCampaign(id))?.name] as const));
      return new Map(found.flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])));
    },
  };
}
