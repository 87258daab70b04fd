import type { engagementHttp, FieldError } from '@storefront/contracts';
import { pricedCart, shopperOf, type Buyer, type Cart, type PricedProduct } from '../domain/evaluation/cart.ts';
import type { CompiledCampaign } from '../domain/evaluation/compiled-campaigns.ts';
import { evaluateWithCodes, type Code } from '../domain/evaluation/evaluate.ts';
import type { Evaluation } from '../domain/evaluation/evaluation.ts';
import { notBefore } from '../domain/campaigns/rules.ts';
import type { CodeGuesses } from '../store/code-guesses.ts';
import type { LimitCounts } from '../store/limit-counts.ts';
import type { CampaignsOfMoment, RunningCampaigns } from '../store/running-campaigns.ts';

export interface CartNeeds {
  readonly catalogCopies: { find(productIds: readonly string[]): Promise<ReadonlyMap<string, PricedProduct>> };
  readonly codeGuesses: CodeGuesses;
  readonly limitCounts: Pick<LimitCounts, 'find'>;
  /** The shop's currency. */
  readonly currency: string;
}

interface Needs extends CartNeeds {
  readonly runningCampaigns: RunningCampaigns;
  readonly limitCounts: LimitCounts;
  readonly databaseNow: () => Date;
}

export type EvaluateCart = (
  buyer: Buyer,
  ip: string | null,
  request: engagementHttp.CartToEvaluate,
) => Promise<Evaluation>;

/**
 * Returns the cart with the prices and categories of the catalog. Throws `validation_failed` with every line that can't
 * be sold in the cart's currency, and with the faults that `findFaults` returns.
 */
export async function priceCart(
  { catalogCopies, currency }: CartNeeds,
  buyer: Buyer,
  request: Pick<engagementHttp.CartToRedeem, 'currency' | 'lines' | 'shipping' | 'expectedDiscount'>,
  findFaults: (products: ReadonlyMap<string, PricedProduct>) => readonly FieldError[] = () => [],
): Promise<Cart> {
  const products = await catalogCopies.find([...new Set(request.lines.map(({ productId }) => productId))]);
  return pricedCart(request, request.currency ?? currency, buyer.segment, products, findFaults(products));
}

/**
 * Returns the codes that exist. Throws `too_many_unknown_codes` where the user or the client's network has tried too
 * many codes that do not exist. Staff can list all codes anyway, so they may try any number.
 */
export async function lookUpCodes(
  { codeGuesses, limitCounts }: CartNeeds,
  { userId, isStaff }: Buyer,
  ip: string | null,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Code>> {
  const find = async () => (await limitCounts.find({ codes, userIds: [] })).codes;
  return isStaff ? find() : codeGuesses.lookUp({ userId, ip }, codes, find);
}

/**
 * Returns a function that calculates what a cart costs, and says for each campaign what it took off or why it took
 * nothing. It stores only how many unknown codes were tried.
 */
export function createCartEvaluation(needs: Needs): EvaluateCart {
  const { runningCampaigns, limitCounts, databaseNow } = needs;

  /** Returns the campaigns of the codes, also ended ones. */
  async function campaignsOf(codes: ReadonlyMap<string, Code>, running: CampaignsOfMoment) {
    const ids = [...new Set([...codes.values()].map(({ campaignId }) => campaignId))];
    const others = ids.filter((id) => !running.byId.has(id));
    const found = others.length === 0 ? null : await runningCampaigns.find(others);
    return new Map(
      ids.flatMap((id) => {
        const known = running.byId.get(id) ?? found?.get(id);
        return known ? [[id, known.compiled] as const] : [];
      }),
    );
  }

  /**
   * Returns the campaigns that may apply to the cart, with their counts. The result is right only if no campaign has
   * changed since `running` was read.
   */
  async function candidatesAmong(
    running: CampaignsOfMoment,
    cart: Cart,
    codes: ReadonlyMap<string, Code>,
    buyer: Buyer,
  ) {
    const automatic = running.index.touching(cart.lines);
    const campaigns = await campaignsOf(codes, running);
    const counted = await limitCounts.findForCart(countsFor([...automatic, ...campaigns.values()], buyer.userId));
    return { running, automatic, campaigns, counted };
  }

  async function findCandidates(cart: Cart, codes: ReadonlyMap<string, Code>, buyer: Buyer) {
    const remembered = runningCampaigns.remembered();
    // Campaigns change seldom. So the campaigns in memory are used, and their version is read together with the counts.
    // Where the version is newer, campaigns and counts are read again.
    const candidates = remembered && (await candidatesAmong(remembered, cart, codes, buyer));
    if (candidates && candidates.counted.version <= candidates.running.version) return candidates;
    return candidatesAmong(await runningCampaigns.present(), cart, codes, buyer);
  }

  return async (buyer, ip, request) => {
    const [cart, codes] = await Promise.all([
      priceCart(needs, buyer, request),
      lookUpCodes(needs, buyer, ip, request.codes),
    ]);
    const { running, automatic, campaigns, counted } = await findCandidates(cart, codes, buyer);
    const known = buyer.userId === null ? undefined : counted.shoppers.get(buyer.userId);
    return evaluateWithCodes(
      { cart, shopper: shopperOf(buyer, known, null), codes: request.codes },
      { automatic, codes, campaigns, usage: counted.usage, others: running.index.all },
      request.at ?? notBefore(databaseNow(), running.lastActivation),
    );
  };
}

/** Returns which counts the limits and conditions of these campaigns need. */
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
