import { byPriority, type CampaignRules, type Selector } from '../campaigns/rules.ts';
import type { CompiledCampaign, Product } from './compile.ts';

/** Finds the campaigns that could touch a cart. What it costs does not grow with the campaigns that match nothing of the cart. */
export interface CampaignIndex {
  /** By priority, then by id. */
  readonly all: readonly CompiledCampaign[];
  /**
   * Those of which a selector matches one of the products, with all that match every product or take from the shipping; by priority,
   * then by id.
   */
  touching(products: readonly Product[]): CompiledCampaign[];
}

interface Entry {
  readonly campaign: CompiledCampaign;
  /** In the order of priority. */
  readonly place: number;
  /** The search that found it last. A search takes a third of the time that it takes with a set, as a cart asks hundreds of times. */
  foundBy: number;
}

/** Costs more than to search in it: the caller keeps it until a campaign changes. */
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

/** Excluded products are found by their categories, and not touched. */
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
