import type { CampaignRules, Selector } from '../../campaigns/domain/rules.ts';

/** A product, as far as selectors look at it. */
export interface Product {
  readonly productId: string;
  /** With all ancestors. */
  readonly categoryIds: readonly string[];
}

type Matches = (product: Product) => boolean;

/** The order of work: each phase takes from what the former ones left. */
export const phases = ['items', 'order', 'shipping'] as const;
type Phase = (typeof phases)[number];

/** A campaign that is ready to be evaluated. */
export interface CompiledCampaign {
  readonly rules: CampaignRules;
  readonly phase: Phase;
  /** Whether it may take something off this product. */
  readonly takesFrom: Matches;
  /** Whether this product counts as bought; none does where nothing has to be bought. */
  readonly buys: Matches;
}

/** Makes campaigns ready to be evaluated. Costs more than an evaluation: the caller keeps what it returns. */
export function compile(rules: CampaignRules): CompiledCampaign {
  const { discount } = rules;
  switch (discount.type) {
    case 'percentage':
    case 'fixed-amount':
      return { rules, phase: discount.target, takesFrom: matcherOf(discount.items), buys: none };
    case 'buy-x-get-y':
      return {
        rules,
        phase: 'items',
        takesFrom: matcherOf(discount.get.items),
        buys: matcherOf(discount.buy.items),
      };
    case 'free-shipping':
      return { rules, phase: 'shipping', takesFrom: none, buys: none };
  }
}

const none: Matches = () => false;

function matcherOf({ products, categories, excludedProducts }: Selector): Matches {
  const excluded = new Set(excludedProducts);
  if (products === null && categories === null)
    return excluded.size === 0 ? () => true : ({ productId }) => !excluded.has(productId);
  const wanted = new Set(products);
  const within = new Set(categories);
  return ({ productId, categoryIds }) => {
    if (excluded.has(productId)) return false;
    if (wanted.has(productId)) return true;
    for (const id of categoryIds) if (within.has(id)) return true;
    return false;
  };
}
