import type { engagementHttp } from '@storefront/contracts';
import { notBefore } from '../domain/campaigns/campaign.ts';
import type { CampaignsOfMoment, RunningCampaigns } from '../store/running-campaigns.ts';
import { evaluateWithCodes, type Code } from '../domain/evaluation/asked-codes.ts';
import type { Asker } from '../domain/evaluation/asker.ts';
import type { Cart, Shopper } from '../domain/evaluation/cart.ts';
import type { CompiledCampaign } from '../domain/evaluation/compile.ts';
import { hasOrdered } from '../domain/redemptions/counts.ts';
import type { CountedForCart, LimitCounts } from '../store/limit-counts.ts';
import { lookUpCodes, type CodeNeeds } from './look-up-codes.ts';
import { priceCart, type PricingNeeds } from './price-cart.ts';

interface Needs extends CodeNeeds, PricingNeeds {
  readonly runningCampaigns: RunningCampaigns;
  readonly limitCounts: LimitCounts;
  readonly databaseNow: () => Date;
}

export type EvaluateCart = (
  asker: Asker,
  ip: string | null,
  asked: engagementHttp.CartToEvaluate,
) => Promise<engagementHttp.EvaluationBody>;

/**
 * Says what a cart costs, and why each campaign took something off it or not. Stores nothing but how many unknown codes were tried.
 */
export function createCartEvaluation(needs: Needs): EvaluateCart {
  const { runningCampaigns, limitCounts, databaseNow } = needs;

  /** The campaigns of codes, ended ones too. */
  async function campaignsOf(codes: ReadonlyMap<string, Code>, present: CampaignsOfMoment) {
    const ids = [...new Set([...codes.values()].map(({ campaignId }) => campaignId))];
    const others = ids.filter((id) => !present.byId.has(id));
    const found = others.length === 0 ? null : await runningCampaigns.find(others);
    return new Map(
      ids.flatMap((id) => {
        const known = present.byId.get(id) ?? found?.get(id);
        return known ? [[id, known.compiled] as const] : [];
      }),
    );
  }

  /** What there is for the cart, if these campaigns are the present ones. */
  async function offersOf(present: CampaignsOfMoment, cart: Cart, codes: ReadonlyMap<string, Code>, asker: Asker) {
    const automatic = present.index.touching(cart.lines);
    const campaigns = await campaignsOf(codes, present);
    const counted = await limitCounts.findForCart(countsFor([...automatic, ...campaigns.values()], asker.userId));
    return { present, automatic, campaigns, counted };
  }

  async function presentOffers(cart: Cart, codes: ReadonlyMap<string, Code>, asker: Asker) {
    const remembered = runningCampaigns.remembered();
    // Campaigns change seldom. So their version is read together with the counts, and both are read again where it is a new one.
    const offers = remembered && (await offersOf(remembered, cart, codes, asker));
    if (offers && offers.counted.version <= offers.present.version) return offers;
    return offersOf(await runningCampaigns.present(), cart, codes, asker);
  }

  return async (asker, ip, asked) => {
    const [cart, codes] = await Promise.all([
      priceCart(needs, asker, asked),
      lookUpCodes(needs, asker, ip, asked.codes),
    ]);
    const { present, automatic, campaigns, counted } = await presentOffers(cart, codes, asker);
    return evaluateWithCodes(
      { cart, shopper: shopperOf(asker, counted), codes: asked.codes },
      { automatic, codes, campaigns, usage: counted.usage, others: present.index.all },
      asked.at ?? notBefore(databaseNow(), present.lastActivation),
    );
  };
}

/** What the limits of these campaigns are counted by. */
function countsFor(candidates: readonly CompiledCampaign[], userId: string | null) {
  const looksAtShopper = candidates.some(
    ({ rules: { limits, conditions } }) => limits.perUser !== null || conditions.firstOrderOnly,
  );
  return {
    campaignIds: candidates
      .filter(({ rules: { limits } }) => limits.total !== null || limits.budget !== null)
      .map(({ rules }) => rules.id),
    userIds: looksAtShopper && userId !== null ? [userId] : [],
  };
}

function shopperOf({ segment, userId }: Asker, { shoppers }: CountedForCart): Shopper {
  const known = userId === null ? undefined : shoppers.get(userId);
  return {
    segment,
    userId,
    hasOrdered: known !== undefined && hasOrdered(known, null),
    uses: known?.uses ?? new Map(),
  };
}
