import type { engagementHttp } from '@storefront/contracts';
import { byPriority, statusAt } from '../../campaigns/domain/rules.ts';
import type { Cart, Shopper } from './cart.ts';
import type { CompiledCampaign } from './compile.ts';
import type { Reason, Usage } from './eligibility.ts';
import { evaluate } from './evaluate.ts';
import type { CampaignUse, EvaluatedCampaign } from './evaluate.ts';

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
  readonly others: readonly Pick<CompiledCampaign, 'rules'>[];
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
    .map((campaign) => ({ campaign, usage: usageOf(campaign), code: null }));
  const left: LeftOut[] = [];
  for (const [id, code] of byCode) {
    const campaign = offers.campaigns.get(id);
    if (campaign) uses.push({ campaign, usage: usageOf(campaign), code });
  }
  for (const [id, { code, reason }] of unusable) {
    const campaign = byCode.has(id) ? undefined : offers.campaigns.get(id);
    if (campaign) left.push({ rules: campaign.rules, code, reason });
  }
  const named = new Set([...uses.map(({ campaign }) => campaign), ...left].map(({ rules }) => rules.id));
  left.push(...othersThan(named, offers.others, now));

  const { campaigns, shipping, ...evaluated } = evaluate({ cart, shopper, campaigns: uses, now });
  const applied = new Set(campaigns.flatMap((one) => (one.applied && one.code !== null ? [one.code] : [])));
  return {
    ...evaluated,
    shipping: shipping ?? 0,
    campaigns: left.length === 0 ? campaigns : inOrder(campaigns, uses, left),
    codes: codes.map((code) => shownCode(code, applied, offers, now)),
  };

  function usageOf({ rules }: CompiledCampaign): Usage {
    return offers.usage.get(rules.id) ?? neverUsed;
  }
}

/** A campaign that takes nothing off, and is not worked out. */
interface LeftOut {
  readonly rules: CompiledCampaign['rules'];
  readonly code: string | null;
  readonly reason: Reason;
}

/** Running campaigns that match nothing in the cart. */
function othersThan(named: ReadonlySet<string>, others: Offers['others'], now: Date): LeftOut[] {
  const found: LeftOut[] = [];
  for (const { rules } of others) {
    if (named.size + found.length >= namedAtMost) break;
    if (!named.has(rules.id) && statusAt(rules, now) === 'active')
      found.push({ rules, code: null, reason: 'no_matching_items' });
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

/** By priority, then by id. */
function inOrder(
  worked: readonly EvaluatedCampaign[],
  uses: readonly CampaignUse[],
  left: readonly LeftOut[],
): EvaluatedCampaign[] {
  const priorities = new Map(uses.map(({ campaign: { rules } }) => [rules.id, rules.priority]));
  const all = [
    ...worked.map((shown) => ({ id: shown.campaignId, priority: priorities.get(shown.campaignId) ?? 0, shown })),
    ...left.map((one) => ({ id: one.rules.id, priority: one.rules.priority, shown: shownLeftOut(one) })),
  ];
  return all.sort(byPriority).map(({ shown }) => shown);
}

function shownLeftOut({ rules, code, reason }: LeftOut): EvaluatedCampaign {
  return { campaignId: rules.id, name: rules.name, code, applied: false, amount: 0, reason, missing: null };
}
