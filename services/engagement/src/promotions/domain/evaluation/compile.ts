import type { CampaignRules, Selector } from '../campaigns/rules.ts';

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

/** A cart asks hundreds of times, so it looks into no set that is empty. */
function matcherOf({ products, categories, excludedProducts }: Selector): Matches {
  const named = namedBy(products, categories);
  if (excludedProducts.length === 0) return named;
  const excluded = new Set(excludedProducts);
  return (product) => !excluded.has(product.productId) && named(product);
}

function namedBy(products: Selector['products'], categories: Selector['categories']): Matches {
  if (products === null && categories === null) return () => true;
  const wanted = new Set(products);
  const within = new Set(categories);
  const isWithin: Matches = ({ categoryIds }) => {
    for (const id of categoryIds) if (within.has(id)) return true;
    return false;
  };
  if (wanted.size === 0) return isWithin;
  if (within.size === 0) return ({ productId }) => wanted.has(productId);
  return (product) => wanted.has(product.productId) || isWithin(product);
}
