import { byPriority } from '../../campaigns/domain/rules.ts';
import type { CampaignRules, Selector } from '../../campaigns/domain/rules.ts';
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
}

/** Costs more than to search in it: the caller keeps it until a campaign changes. */
export function indexOf(campaigns: readonly CompiledCampaign[]): CampaignIndex {
  const all = campaigns.toSorted((a, b) => byPriority(a.rules, b.rules));
  const always: Entry[] = [];
  const byProduct = new Map<string, Entry[]>();
  const byCategory = new Map<string, Entry[]>();
  for (const [place, campaign] of all.entries()) {
    const entry = { campaign, place };
    const selectors = selectorsOf(campaign.rules);
    if (selectors.length === 0 || selectors.some(isOfAll)) {
      always.push(entry);
      continue;
    }
    for (const id of new Set(selectors.flatMap(({ products }) => products ?? []))) add(byProduct, id, entry);
    for (const id of new Set(selectors.flatMap(({ categories }) => categories ?? []))) add(byCategory, id, entry);
  }

  return {
    all,
    touching(products) {
      const found = new Set(always);
      for (const product of products) {
        addTouching(found, byProduct.get(product.productId), product);
        for (const id of product.categoryIds) addTouching(found, byCategory.get(id), product);
      }
      return [...found].sort((a, b) => a.place - b.place).map(({ campaign }) => campaign);
    },
  };
}

function addTouching(found: Set<Entry>, candidates: readonly Entry[] | undefined, product: Product): void {
  if (candidates === undefined) return;
  for (const entry of candidates) if (!found.has(entry) && touches(entry.campaign, product)) found.add(entry);
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
