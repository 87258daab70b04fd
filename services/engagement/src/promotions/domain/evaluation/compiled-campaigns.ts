import { byPriority, isOfAll, type CampaignRules, type Selector } from '../campaigns/rules.ts';

/** The data of an item that selectors need. */
interface Item {
  readonly productId: string;
  /** The variant of the product; null where it is not known. */
  readonly variantId: string | null;
  /** The product's categories with all their ancestors. */
  readonly categoryIds: readonly string[];
}

type Matches = (item: Item) => boolean;

/** The order in which discounts are taken off. Each phase takes from the amounts that the earlier phases left. */
export const phases = ['items', 'order', 'shipping'] as const;
type Phase = (typeof phases)[number];

/** A campaign that is ready to be evaluated. */
export interface CompiledCampaign {
  readonly rules: CampaignRules;
  readonly phase: Phase;
  /** Whether the campaign may take something off this item. */
  readonly takesFrom: Matches;
  /** Whether this item counts as bought. Always false where the campaign does not require a purchase. */
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
function matcherOf(items: Selector): Matches {
  const { products, variants, categories, excludedProducts, excludedVariants } = items;
  const named = isOfAll(items) ? () => true : anyOf(ofProducts(products), ofVariants(variants), within(categories));
  if (excludedProducts.length === 0 && excludedVariants.length === 0) return named;
  const excluded = anyOf(ofProducts(excludedProducts), ofVariants(excludedVariants));
  return (item) => !excluded(item) && named(item);
}

type Ids = readonly string[] | null;

function ofProducts(ids: Ids): Matches {
  const wanted = new Set(ids);
  return wanted.size === 0 ? none : ({ productId }) => wanted.has(productId);
}

function ofVariants(ids: Ids): Matches {
  const wanted = new Set<string | null>(ids);
  return wanted.size === 0 ? none : ({ variantId }) => wanted.has(variantId);
}

function within(ids: Ids): Matches {
  const wanted = new Set(ids);
  if (wanted.size === 0) return none;
  return ({ categoryIds }) => {
    for (const id of categoryIds) if (wanted.has(id)) return true;
    return false;
  };
}

function anyOf(...all: readonly Matches[]): Matches {
  const [first = none, ...others] = all.filter((matches) => matches !== none);
  return others.reduce<Matches>((some, other) => (item) => some(item) || other(item), first);
}

/**
 * Finds the campaigns that could apply to a cart. Campaigns that match no item of the cart do not make the search
 * slower.
 */
export interface CampaignIndex {
  /** All campaigns, by priority, then by id. */
  readonly all: readonly CompiledCampaign[];
  /**
   * Returns the campaigns with a selector that matches one of the items, and all campaigns that match every item or take
   * off shipping. They are ordered by priority, then by id.
   */
  touching(items: readonly Item[]): CompiledCampaign[];
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
  const byVariant = new Map<string, Entry[]>();
  const byCategory = new Map<string, Entry[]>();
  for (const [place, campaign] of all.entries()) {
    const entry = { campaign, place, foundBy: 0 };
    const selectors = selectorsOf(campaign.rules);
    if (selectors.length === 0 || selectors.some(isOfAll)) {
      always.push(entry);
      continue;
    }
    for (const id of new Set(selectors.flatMap(({ products }) => products ?? []))) add(byProduct, id, entry);
    for (const id of new Set(selectors.flatMap(({ variants }) => variants ?? []))) add(byVariant, id, entry);
    for (const id of new Set(selectors.flatMap(({ categories }) => categories ?? []))) add(byCategory, id, entry);
  }

  let searches = 0;

  return {
    all,
    touching(items) {
      const search = (searches += 1);
      const found = [...always];
      const addTouching = (candidates: readonly Entry[] | undefined, item: Item) => {
        if (candidates === undefined) return;
        for (const entry of candidates) {
          if (entry.foundBy === search || !touches(entry.campaign, item)) continue;
          entry.foundBy = search;
          found.push(entry);
        }
      };
      for (const item of items) {
        addTouching(byProduct.get(item.productId), item);
        if (item.variantId !== null) addTouching(byVariant.get(item.variantId), item);
        for (const id of item.categoryIds) addTouching(byCategory.get(id), item);
      }
      return found.sort((a, b) => a.place - b.place).map(({ campaign }) => campaign);
    },
  };
}

/**
 * Whether the campaign matches the item. The index by category also finds campaigns that exclude the item; for these
 * this is false.
 */
function touches({ takesFrom, buys }: CompiledCampaign, item: Item): boolean {
  return takesFrom(item) || buys(item);
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

function add(entries: Map<string, Entry[]>, id: string, entry: Entry): void {
  const there = entries.get(id);
  if (there === undefined) entries.set(id, [entry]);
  else there.push(entry);
}
