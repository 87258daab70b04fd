import type { CategoryNode, ItemSelector } from '@storefront/client';

/** A product or a variant with its name, since the API takes and answers ids alone. */
export interface Item {
  readonly kind: 'product' | 'variant';
  readonly id: string;
  readonly name: string;
}

/** Which items a campaign is for. */
export interface Items {
  readonly chosen: readonly Item[];
  readonly excluded: readonly Item[];
  readonly categories: readonly string[];
}

export const allItems: Items = { chosen: [], excluded: [], categories: [] };

export const isOfAll = ({ chosen, categories }: Items): boolean => chosen.length + categories.length === 0;

/** The selector of a request. */
export function selectorOf({ chosen, excluded, categories }: Items): ItemSelector {
  const idsOf = (items: readonly Item[], of: Item['kind']) =>
    items.flatMap(({ kind, id }) => (kind === of ? [id] : []));
  const lists: ItemSelector = {
    products: idsOf(chosen, 'product'),
    variants: idsOf(chosen, 'variant'),
    categories: [...categories],
    excludedProducts: idsOf(excluded, 'product'),
    excludedVariants: idsOf(excluded, 'variant'),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0));
}

/** A category with all that are below it. */
export const flatten = (node: CategoryNode): CategoryNode[] => [node, ...(node.children ?? []).flatMap(flatten)];

/** What of a line of a cart decides whether it is among the items. */
export interface VariantOfCart {
  readonly productId: string;
  readonly variantId: string | undefined;
  readonly categoryIds: readonly string[];
}

/** Whether the shop counts a variant among the items: a category stands for all that is below it too. */
export function isAmong(
  { productId, variantId, categoryIds }: VariantOfCart,
  items: Items,
  categories: readonly CategoryNode[],
): boolean {
  const has = (some: readonly Item[]) => some.some(({ id }) => id === productId || id === variantId);
  if (has(items.excluded)) return false;
  if (isOfAll(items) || has(items.chosen)) return true;
  const within = categories.filter(({ id }) => items.categories.includes(id)).flatMap(flatten);
  return within.some(({ id }) => categoryIds.includes(id));
}
