import { later, minutes } from './demand.ts';
import type { HistoryCampaign, HistoryShop } from './shop.ts';
import type { Story } from './story.ts';

/** The campaign that the person uses, if any: mostly one that is advertised. */
export function campaignFor(
  { random, segment }: Story,
  { campaigns }: Pick<HistoryShop, 'campaigns'>,
  pushed: readonly HistoryCampaign[],
): HistoryCampaign | null {
  if (!random.happens(0.35)) return null;
  const open = pushed.length > 0 && random.happens(0.7) ? pushed : campaigns;
  const fitting = open.filter((campaign) => campaign.segment === 'all' || campaign.segment === segment);
  return fitting[random.below(fitting.length)] ?? null;
}

/**
 * Takes the discount of the campaign off an order. Returns the amount. `isAbandoned`: nobody orders, and after a while the discount
 * is given back.
 */
export function redeem(
  { random, tell }: Story,
  at: Date,
  of: { gross: number; campaign: HistoryCampaign; currency: string; isAbandoned: boolean },
): number {
  const amount = Math.round((of.gross * of.campaign.percent) / 100);
  const redemption = {
    currency: of.currency,
    total: of.gross - amount,
    campaigns: [{ campaignId: of.campaign.id, amount }],
  };
  tell('discount-redeemed', at, redemption);
  if (of.isAbandoned) tell('discount-released', later(at, minutes(random.between(20, 30))), redemption);
  else tell('discount-confirmed', later(at, minutes(random.between(0.1, 1))), redemption);
  return amount;
}
