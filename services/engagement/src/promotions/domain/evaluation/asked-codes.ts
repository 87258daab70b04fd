import type { engagementHttp } from '@storefront/contracts';
import { statusAt } from '../campaigns/rules.ts';
import type { Cart, Shopper } from './cart.ts';
import type { CompiledCampaign } from './compile.ts';
import type { Reason, Usage } from './eligibility.ts';
import { evaluate, type CampaignUse } from './evaluate.ts';

/** A code of a campaign, as it is stored. */
export interface Code {
  readonly campaignId: string;
  /** How many held and confirmed redemptions there are. */
  readonly uses: number;
  /** Null for any number. */
  readonly maximumUses: number | null;
  readonly hasEnded: boolean;
}

/** A cart, who is about to order, and the codes that were typed. */
export interface AskedCart {
  readonly cart: Cart;
  readonly shopper: Shopper;
  /** Each once, in the order in which they count. */
  readonly codes: readonly string[];
}

/** What there is for a cart. */
export interface Offers {
  /** Automatic ones that could touch the cart; those that do not run at the time are left out. */
  readonly automatic: readonly CompiledCampaign[];
  readonly codes: ReadonlyMap<string, Code>;
  /** The campaigns of the codes. */
  readonly campaigns: ReadonlyMap<string, CompiledCampaign>;
  readonly usage: ReadonlyMap<string, Usage>;
  /** Automatic ones in the order of priority. Until 50 campaigns are named, those that run are named too. */
  readonly others: readonly CompiledCampaign[];
}

type CodeStatus = engagementHttp.EvaluationBody['codes'][number]['status'];

const namedAtMost = 50;
const neverUsed: Usage = { redemptions: 0, amount: 0 };

/**
 * What the campaigns take off the cart, and what became of each code. A campaign counts once, by the first of its codes that can
 * still be used. Where none can, its reason is that of the first. The codes of drafts are unknown.
 */
export function evaluateWithCodes(
  { cart, shopper, codes }: AskedCart,
  offers: Offers,
  now: Date,
): engagementHttp.EvaluationBody {
  const byCode = new Map<string, string>();
  const unusable = new Map<string, { readonly code: string; readonly reason: Reason }>();
  for (const code of codes) {
    const found = knownCode(code, offers);
    if (!found || byCode.has(found.campaign.rules.id)) continue;
    const { id } = found.campaign.rules;
    const reason = reasonOf(found.code);
    if (reason === null) byCode.set(id, code);
    else if (!unusable.has(id)) unusable.set(id, { code, reason });
  }

  const uses: CampaignUse[] = offers.automatic
    .filter(({ rules }) => statusAt(rules, now) === 'active')
    .map((campaign) => ({ campaign, usage: usageOf(campaign), code: null, reason: null }));
  for (const [id, code] of byCode) {
    const campaign = offers.campaigns.get(id);
    if (campaign) uses.push({ campaign, usage: usageOf(campaign), code, reason: null });
  }
  for (const [id, { code, reason }] of unusable) {
    const campaign = byCode.has(id) ? undefined : offers.campaigns.get(id);
    if (campaign) uses.push({ campaign, usage: usageOf(campaign), code, reason });
  }
  const named = new Set(uses.map(({ campaign: { rules } }) => rules.id));
  uses.push(...othersThan(named, offers.others, now));

  const evaluation = evaluate({ cart, shopper, campaigns: uses, now });
  const applied = new Set(evaluation.campaigns.flatMap((one) => (one.applied && one.code !== null ? [one.code] : [])));
  return {
    ...evaluation,
    shipping: evaluation.shipping ?? 0,
    codes: codes.map((code) => shownCode(code, applied, offers, now)),
  };

  function usageOf({ rules }: CompiledCampaign): Usage {
    return offers.usage.get(rules.id) ?? neverUsed;
  }
}

/** Running campaigns that match nothing in the cart. */
function othersThan(named: ReadonlySet<string>, others: Offers['others'], now: Date): CampaignUse[] {
  const found: CampaignUse[] = [];
  for (const campaign of others) {
    if (named.size + found.length >= namedAtMost) break;
    if (!named.has(campaign.rules.id) && statusAt(campaign.rules, now) === 'active')
      found.push({ campaign, usage: neverUsed, code: null, reason: 'no_matching_items' });
  }
  return found;
}

function reasonOf({ hasEnded, uses, maximumUses }: Code): Reason | null {
  if (hasEnded) return 'ended';
  return maximumUses !== null && uses >= maximumUses ? 'used_up' : null;
}

function knownCode(code: string, { codes, campaigns }: Offers): { code: Code; campaign: CompiledCampaign } | null {
  const known = codes.get(code);
  const campaign = known && campaigns.get(known.campaignId);
  return known && campaign && campaign.rules.stage !== 'draft' ? { code: known, campaign } : null;
}

function shownCode(code: string, applied: ReadonlySet<string>, offers: Offers, now: Date) {
  const known = knownCode(code, offers);
  if (!known) return { code, status: 'unknown' as const, campaignId: null };
  const status: CodeStatus = applied.has(code)
    ? 'applied'
    : statusAt(known.campaign.rules, now) === 'ended'
      ? 'ended'
      : (unusableStatus(known.code) ?? 'not_applied');
  return { code, status, campaignId: known.code.campaignId };
}

function unusableStatus(code: Code): 'ended' | 'used_up' | null {
  if (code.hasEnded) return 'ended';
  return reasonOf(code) === null ? null : 'used_up';
}
