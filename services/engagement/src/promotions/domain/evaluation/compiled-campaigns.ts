import { byPriority, type CampaignRules, type Selector } from '../campaigns/rules.ts';

/** The data of a product that selectors need. */
interface Product {
  readonly productId: string;
  /** The product's categories with all their ancestors. */
  readonly categoryIds: readonly string[];
}

type Matches = (product: Product) => boolean;

/** The order in which discounts are taken off. Each phase takes from the amounts that the earlier phases left. */
export const phases = ['items', 'order', 'shipping'] as const;
type Phase = (typeof phases)[number];

/** A campaign that is ready to be evaluated. */
export interface CompiledCampaign {
  readonly rules: CampaignRules;
  readonly phase: Phase;
  /** Whether the campaign may take something off this product. */
  readonly takesFrom: Matches;
  /** Whether this product counts as bought. Always false where the campaign does not require a purchase. */
  readonly buys: Matches;
}

/**
 * Makes a campaign ready to be evaluated. This takes longer than an evaluation, so the caller should keep the result.
 */
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

/** A cart is matched against hundreds of selectors. So, for speed, no function looks into an empty set. */
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

/**
 * Finds the campaigns that could apply to a cart. Campaigns that match no product of the cart do not make the search
 * slower.
 */
export interface CampaignIndex {
  /** All campaigns, by priority, then by id. */
  readonly all: readonly CompiledCampaign[];
  /**
   * Returns the campaigns with a selector that matches one of the products, and all campaigns that match every product
   * or take off shipping. They are ordered by priority, then by id.
   */
  touching(products: readonly Product[]): CompiledCampaign[];
}

interface Entry {
  readonly campaign: CompiledCampaign;
  /** The campaign's place in the order of priority. */
  readonly place: number;
  /**
   * The number of the last search that found this entry. A cart meets hundreds of entries. With a set of the found ones
   * instead, a search takes three times as long.
   */
  foundBy: number;
}

/**
 * Makes an index of campaigns. This takes longer than a search, so the caller should keep the index until a campaign
 * changes.
 */
export function indexOf(campaigns: readonly CompiledCampaign[]): CampaignIndex {
  const all = campaigns.toSorted((a, b) => byPriority(a.rules, b.rules));
  const always: Entry[] = [];
  const byProduct = new Map<string, Entry[]>();
  const byCategory = new Map<string, Entry[]>();
  for (const [place, campaign] of all.entries()) {
    const entry = { campaign, place, foundBy: 0 };
    const selectors = selectorsOf(campaign.rules);
    if (selectors.length === 0 || selectors.some(isOfAll)) {
      always.push(entry);
      continue;
    }
    for (const id of new Set(selectors.flatMap(({ products }) => products ?? []))) add(byProduct, id, entry);
    for (const id of new Set(selectors.flatMap(({ categories }) => categories ?? []))) add(byCategory, id, entry);
  }

  let searches = 0;

  return {
    all,
    touching(products) {
      const search = (searches += 1);
      const found = [...always];
      const addTouching = (candidates: readonly Entry[] | undefined, product: Product) => {
        if (candidates === undefined) return;
        for (const entry of candidates) {
          if (entry.foundBy === search || !touches(entry.campaign, product)) continue;
          entry.foundBy = search;
          found.push(entry);
        }
      };
      for (const product of products) {
        addTouching(byProduct.get(product.productId), product);
        for (const id of product.categoryIds) addTouching(byCategory.get(id), product);
      }
      return found.sort((a, b) => a.place - b.place).map(({ campaign }) => campaign);
    },
  };
}

/**
 * Whether the campaign matches the product. The index by category also finds campaigns that exclude the product; for
 * these this is false.
 */
function touches({ takesFrom, buys }: CompiledCampaign, product: Product): boolean {
  return takesFrom(product) || buys(product);
}

function selectorsOf({ discount }: CampaignRules): readonly Selector[] {
  switch (discount.type) {
    case 'percentage':
    case 'fixed-amount':
      return [discount.items];
    case 'buy-x-get-y':
      return [discount.buy.items, discount.get.items];
    case 'free-shipping':
      return [];
  }
}

function isOfAll({ products, categories }: Selector): boolean {
  return products === null && categories === null;
}

function add(entries: Map<string, Entry[]>, id: string, entry: Entry): void {
  const there = entries.get(id);
  if (there === undefined) entries.set(id, [entry]);
  else there.push(entry);
}
