import {
  accountErrors,
  accountEvents,
  accountFields,
  changed,
  fact,
  invalidFields,
  notFound,
  unchanged,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { prices, tier, type Tier } from './price.ts';
import type { KnownProduct } from './product.ts';

const maxItems = 500;

/** One item of a wishlist. */
const wishlistItem = z.object({
  id: z.string(),
  productId: z.string(),
  /** Missing where the user named no variant. */
  variantId: z.string().optional(),
  createdAt: z.date(),
  priceAtAdding: prices,
});
export type WishlistItem = StateOf<typeof wishlistItem>;

export const wishlist = z.object({
  /** The user's id. */
  id: z.string(),
  /** The tier whose prices the user saw at the last change of the list. Alerts show prices of the same tier. */
  tier,
  /** The oldest first; each product at most once. */
  items: z.array(wishlistItem),
  /** The link by which anybody who has it may see the list; null where there is no link. */
  share: z.object({ tokenHash: z.string(), createdAt: z.date() }).nullable(),
});
export type Wishlist = StateOf<typeof wishlist>;

/** The owner of a wishlist, with the tier of the prices that the owner sees. */
export interface WishlistOwner {
  readonly userId: string;
  readonly tier: Tier;
}

/** A product to put on a list, and the id that its item gets. */
export interface NewItem {
  readonly itemId: string;
  readonly product: KnownProduct;
  readonly variantId?: string | undefined;
}

type WishlistDecision<Result> = Decision<Wishlist, Result>;
type Expect = (version: number) => void;

/**
 * Puts a product on the list. If the product is already on the list, its item gets the variant that is named now, if
 * any, and nothing else changes. Throws `wishlist_full` beyond 500 items, and `validation_failed` for a variant that the
 * product does not have.
 */
export function addItem(
  list: Wishlist | null,
  owner: WishlistOwner,
  newItem: NewItem,
  now: Date,
): WishlistDecision<{ item: WishlistItem; added: boolean }> {
  const before = list ?? emptyList(owner);
  const { product, variantId } = newItem;
  if (variantId !== undefined && product.facts.variantIds?.includes(variantId) !== true)
    throw invalidFields([accountFields.unknownVariant('/variantId')]);
  const known = before.items.find(({ productId }) => productId === product.id);
  if (known && (variantId ?? known.variantId) === known.variantId) return unchanged({ item: known, added: false });
  if (known) {
    const item = { ...known, variantId };
    const items = before.items.map((each) => (each === known ? item : each));
    return changed({ ...before, tier: owner.tier, items }, [], { item, added: false });
  }
  if (before.items.length >= maxItems) throw accountErrors.wishlistFull(maxItems);
  const item = itemOf(newItem, now);
  const after = { ...before, tier: owner.tier, items: [...before.items, item] };
  return changed(after, [addedFact(owner, item)], { item, added: true });
}

/** Puts products on the list in the given order, as many as fit. `noRoom` has the products that did not fit. */
export function mergeItems(
  list: Wishlist | null,
  owner: WishlistOwner,
  newItems: readonly NewItem[],
  now: Date,
): WishlistDecision<{ list: Wishlist; added: string[]; noRoom: string[] }> {
  const before = list ?? emptyList(owner);
  const held = new Set(before.items.map(({ productId }) => productId));
  const missing = newItems.filter(({ product }) => !held.has(product.id));
  const room = maxItems - before.items.length;
  const items = missing.slice(0, room).map((entry) => itemOf(entry, now));
  const noRoom = missing.slice(room).map(({ product }) => product.id);
  if (items.length === 0) return unchanged({ list: before, added: [], noRoom });
  const after = { ...before, tier: owner.tier, items: [...before.items, ...items] };
  const result = { list: after, added: items.map(({ productId }) => productId), noRoom };
  return changed(
    after,
    items.map((item) => addedFact(owner, item)),
    result,
  );
}

export function removeItem(
  list: Wishlist | null,
  owner: WishlistOwner,
  itemId: string,
  version: number,
  expect: Expect,
): WishlistDecision<Wishlist> {
  const item = list?.items.find(({ id }) => id === itemId);
  if (!list || !item) throw notFound('wishlist item');
  expect(version);
  const after = { ...list, tier: owner.tier, items: list.items.filter((other) => other !== item) };
  return changed(after, [removedFact(owner, item)]);
}

export function clearItems(
  list: Wishlist | null,
  owner: WishlistOwner,
  version: number,
  expect: Expect,
): WishlistDecision<Wishlist> {
  expect(version);
  if (!list || list.items.length === 0) return unchanged(list ?? emptyList(owner));
  return changed(
    { ...list, tier: owner.tier, items: [] },
    list.items.map((item) => removedFact(owner, item)),
  );
}

/** Makes the link by which the list can be seen. An earlier link no longer works. */
export function shareList(
  list: Wishlist | null,
  owner: WishlistOwner,
  tokenHash: string,
  now: Date,
): WishlistDecision<Wishlist> {
  return changed({ ...(list ?? emptyList(owner)), tier: owner.tier, share: { tokenHash, createdAt: now } }, []);
}

export function unshareList(list: Wishlist | null): WishlistDecision<null> {
  return list?.share ? changed({ ...list, share: null }, [], null) : unchanged(null);
}

export function emptyList({ userId, tier }: WishlistOwner): Wishlist {
  return { id: userId, tier, items: [], share: null };
}

function itemOf({ itemId, product, variantId }: NewItem, now: Date): WishlistItem {
  const { price, tradePrice } = product.facts;
  const item = { id: itemId, productId: product.id, createdAt: now, priceAtAdding: { price, tradePrice } };
  return variantId === undefined ? item : { ...item, variantId };
}

function addedFact({ userId, tier }: WishlistOwner, { id, productId }: WishlistItem): Fact {
  return fact(accountEvents.wishlistItemAdded, userId, { itemId: id, productId, tier });
}

function removedFact({ userId, tier }: WishlistOwner, { id, productId }: WishlistItem): Fact {
  return fact(accountEvents.wishlistItemRemoved, userId, { itemId: id, productId, tier });
}
