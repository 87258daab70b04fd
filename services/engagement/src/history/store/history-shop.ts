import { collectionOf } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { campaigns } from '../../promotions/store/campaigns.ts';
import { products } from '../../promotions/store/catalog-copies.ts';
import { percentOff, type HistoryShop } from '../domain/shop.ts';

/** What engagement knows of the shop at present. Products without a price in `currency` are left out. */
export async function readHistoryShop(
  { database }: Pick<Resources, 'database'>,
  currency: string,
): Promise<HistoryShop> {
  // By name: ids are others in each shop, and the order decides what is bought most.
  const [ofProducts, ofCampaigns] = [
    { 'facts.name': 1, _id: 1 },
    { name: 1, _id: 1 },
  ] as const;
  const [found, advertised] = await Promise.all([
    collectionOf(database, products).find({ deleted: false, 'facts.listed': true }).sort(ofProducts).toArray(),
    collectionOf(database, campaigns)
      .find({ stage: { $ne: 'draft' }, currency })
      .sort(ofCampaigns)
      .toArray(),
  ]);
  return {
    currency,
    products: found.flatMap(({ _id: id, facts }) => {
      if (facts?.price.currency !== currency) return [];
      const price = facts.price.amount;
      return { id, categoryId: facts.categoryIds[0] ?? null, price, tradePrice: facts.tradePrice?.amount ?? price };
    }),
    campaigns: advertised.map(({ _id: id, conditions, discount }) => ({
      id,
      segment: conditions.segment,
      percent: percentOff(discount),
    })),
  };
}
