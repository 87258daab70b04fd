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
import { prices, tier, type Prices, type Tier } from './price.ts';
import type { KnownProduct, VariantDetails } from './product.ts';

const maxItems = 500;

/** One item of a wishlist. */
const wishlistItem = z.object({
  id: z.string(),
  productId: z.string(),
  /** Missing where the item stands for the product. */
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
  /** The oldest first; each product and each variant at most once. */
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
 * Puts a product on the list, or one of its variants. Changes nothing if the list has an item of the same product and
 * variant. Throws `wishlist_full` beyond 500 items, and `validation_failed` for a variant that the product does not have.
 */
export function addItem(
  list: Wishlist | null,
  owner: WishlistOwner,
  newItem: NewItem,
  now: Date,
): WishlistDecision<{ item: WishlistItem; added: boolean }> {
  const before = list ?? emptyList(owner);
  const { product, variantId } = newItem;
  if (!isSold(product, variantId)) throw invalidFields([accountFields.unknownVariant('/variantId')]);
  const known = itemAbout(before, { productId: product.id, variantId });
  if (known) return unchanged({ item: known, added: false });
  if (before.items.length >= maxItems) throw accountErrors.wishlistFull(maxItems);
  const item = itemOf(newItem, now);
  const after = { ...before, tier: owner.tier, items: [...before.items, item] };
  return changed(after, [addedFact(owner, item)], { item, added: true });
}

/** Whether the product has the variant; also where none is named. */
export function isSold({ facts }: KnownProduct, variantId: string | undefined): boolean {
  return variantId === undefined || facts.variants.some(({ id, active }) => id === variantId && active);
}

/** A product, or one of its variants. */
export interface Wish {
  readonly productId: string;
  readonly variantId?: string | undefined;
}

/** The item that stands for the product, or for the variant if one is named. */
export function itemAbout({ items }: Wishlist, { productId, variantId }: Wish): WishlistItem | undefined {
  return items.find((item) => item.productId === productId && item.variantId === variantId);
}

/** The wishes, each once. */
export function distinctWishes(wishes: readonly Wish[]): Wish[] {
  return [...new Map(wishes.map((wish) => [keyOf(wish), wish])).values()];
}

/** A text that is the same for two wishes for the same. */
export function keyOf({ productId, variantId = '' }: Wish): string {
  return `${productId} ${variantId}`;
}

/**
 * Puts what is not on the list on it in the given order, as much as fits. `noRoom` has what did not fit. A product of which
 * the list has a variant is on the list.
 */
export function mergeItems(
  list: Wishlist | null,
  owner: WishlistOwner,
  newItems: readonly NewItem[],
  now: Date,
): WishlistDecision<{ list: Wishlist; added: Wish[]; noRoom: Wish[] }> {
  const before = list ?? emptyList(owner);
  const missing = newItems.filter(({ product: { id: productId }, variantId }) =>
    variantId === undefined
      ? before.items.every((item) => item.productId !== productId)
      : !itemAbout(before, { productId, variantId }),
  );
  const room = maxItems - before.items.length;
  const items = missing.slice(0, room).map((entry) => itemOf(entry, now));
  const noRoom = missing.slice(room).map(({ product, variantId }) => asWish({ productId: product.id, variantId }));
  if (items.length === 0) return unchanged({ list: before, added: [], noRoom });
  const after = { ...before, tier: owner.tier, items: [...before.items, ...items] };
  const result = { list: after, added: items.map(asWish), noRoom };
  return changed(
    after,
    items.map((item) => addedFact(owner, item)),
    result,
  );
}

function asWish({ productId, variantId }: Wish): Wish {
  return { productId, ...(variantId !== undefined && { variantId }) };
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

/** Removes all items of a product, or the one of its variant if one is named. */
export function removeItemsAbout(
  list: Wishlist | null,
  owner: WishlistOwner,
  { productId, variantId }: Wish,
  version: number,
  expect: Expect,
): WishlistDecision<Wishlist> {
  expect(version);
  const isRemoved = (item: WishlistItem) =>
    item.productId === productId && (variantId === undefined || item.variantId === variantId);
  const removed = list?.items.filter(isRemoved) ?? [];
  if (!list || removed.length === 0) return unchanged(list ?? emptyList(owner));
  const items = list.items.filter((item) => !isRemoved(item));
  return changed(
    { ...list, tier: owner.tier, items },
    removed.map((item) => removedFact(owner, item)),
  );
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
  const item = { id: itemId, productId: product.id, ...(variantId !== undefined && { variantId }), createdAt: now };
  const { price, tradePrice } = variantOf(item, product) ?? product.facts;
  return { ...item, priceAtAdding: { price, tradePrice } };
}

/** What an item is about, as it is now. */
interface Wished extends Prices {
  /** Null if the item stands for the product, and if its variant was deleted. */
  readonly variant: VariantDetails | null;
  readonly available: boolean;
}

/** What the item is about. Of a deleted variant only the prices are known that it had when it was put on the list. */
export function wishedBy(item: WishlistItem, product: KnownProduct): Wished {
  const variant = variantOf(item, product);
  if (!variant && item.variantId !== undefined) return { variant: null, ...item.priceAtAdding, available: false };
  const { price, tradePrice, available } = variant ?? product.facts;
  return { variant, price, tradePrice, available };
}

function variantOf({ variantId }: Wish, { facts }: KnownProduct): VariantDetails | null {
  return facts.variants.find(({ id }) => id === variantId) ?? null;
}

function addedFact({ userId, tier }: WishlistOwner, item: WishlistItem): Fact {
  return fact(accountEvents.wishlistItemAdded, userId, { ...wishOf(item), tier });
}

function removedFact({ userId, tier }: WishlistOwner, item: WishlistItem): Fact {
  return fact(accountEvents.wishlistItemRemoved, userId, { ...wishOf(item), tier });
}

function wishOf({ id, productId, variantId }: WishlistItem) {
  return { itemId: id, productId, ...(variantId !== undefined && { variantId }) };
}
