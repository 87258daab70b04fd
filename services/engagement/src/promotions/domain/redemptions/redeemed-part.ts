import type { engagementHttp } from '@storefront/contracts';

/** What a redemption took from one campaign. */
export interface RedeemedPart {
  readonly campaignId: string;
  readonly code: string | null;
  /** In minor units. */
  readonly amount: number;
  /** What it was taken off. */
  readonly of: 'items' | 'shipping';
}

/** What a cart got of each campaign. What comes off no line comes off the shipping. */
export function partsOf({ campaigns, lines }: engagementHttp.EvaluationBody): RedeemedPart[] {
  const onLines = new Set(lines.flatMap(({ discounts }) => discounts.map(({ campaignId }) => campaignId)));
  return campaigns
    .filter(({ applied }) => applied)
    .map(({ campaignId, code, amount }) => {
      const of = onLines.has(campaignId) ? ('items' as const) : ('shipping' as const);
      return { campaignId, code, amount, of };
    });
}
