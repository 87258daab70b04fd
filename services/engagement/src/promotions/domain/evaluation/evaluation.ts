import type { engagementHttp } from '@storefront/contracts';

/** Why a campaign does not apply. */
export type Reason = engagementHttp.DiscountReason;

/** What a cart costs, and the result of each campaign. All amounts are in minor units of the cart's currency. */
export interface CartEvaluation {
  readonly currency: string;
  readonly subtotal: number;
  /** The discounts on lines, without those on shipping. */
  readonly discount: number;
  readonly shipping: number;
  readonly shippingDiscount: number;
  readonly total: number;
  /** The lines in the order of the cart. */
  readonly lines: readonly EvaluatedLine[];
  /** The campaigns by priority, then by id. */
  readonly campaigns: readonly EvaluatedCampaign[];
}

export type EvaluatedCode = Readonly<engagementHttp.EvaluationBody['codes'][number]>;

/** An evaluation of a cart with codes. */
export interface Evaluation extends CartEvaluation {
  /** The result of each code, in the order of the request. */
  readonly codes: readonly EvaluatedCode[];
}

export interface EvaluatedLine {
  readonly lineId: string;
  readonly productId: string;
  /** The variant of the product; null where it is not known. */
  readonly variantId: string | null;
  /** The SKU of the variant; null where it is not known. */
  readonly sku: string | null;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly discount: number;
  readonly total: number;
  /** The discounts on the line in the order in which they were taken off. */
  readonly discounts: readonly { readonly campaignId: string; readonly amount: number }[];
}

export interface EvaluatedCampaign {
  readonly campaignId: string;
  readonly name: string;
  readonly code: string | null;
  readonly applied: boolean;
  /** What the campaign takes off; 0 where it does not apply. */
  readonly amount: number;
  /** Why the campaign does not apply; null where it applies. */
  readonly reason: Reason | null;
  /** How much the cart still needs to reach a minimum: an amount in minor units, or a number of units. */
  readonly missing: number | null;
}

/** Shows an evaluation to clients: each amount has its currency. */
export function showEvaluation(evaluation: Evaluation): engagementHttp.EvaluationBody {
  const { currency, subtotal, discount, shipping, shippingDiscount, total, lines, campaigns, codes } = evaluation;
  const money = (amount: number) => ({ amount, currency });
  return {
    currency,
    subtotal: money(subtotal),
    discount: money(discount),
    shipping: money(shipping),
    shippingDiscount: money(shippingDiscount),
    total: money(total),
    lines: lines.map((line) => ({
      ...line,
      unitPrice: money(line.unitPrice),
      subtotal: money(line.subtotal),
      discount: money(line.discount),
      total: money(line.total),
      discounts: line.discounts.map(({ campaignId, amount }) => ({ campaignId, amount: money(amount) })),
    })),
    campaigns: campaigns.map(({ amount, missing, ...campaign }) => ({
      ...campaign,
      amount: money(amount),
      missing: missing !== null && campaign.reason === 'minimum_subtotal' ? money(missing) : null,
      missingQuantity: campaign.reason === 'minimum_quantity' ? missing : null,
    })),
    codes: [...codes],
  };
}
