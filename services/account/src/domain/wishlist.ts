import { accountEvents, fact } from '@storefront/contracts';
import type { Fact } from '@storefront/contracts';
import { changed, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { notFound } from '@storefront/service-kit/problem';
import { wishlistFull } from './errors.ts';
import type { Prices, Tier } from './price.ts';
import type { Product, ProductFacts } from './product.ts';

const maxWishes = 500;

export interface Wish {
  readonly id: string;
  readonly productId: string;
  readonly createdAt: Date;
  readonly priceAtAdding: Prices;
}

export interface Wishlist {
  /** The user's id. */
  readonly id: string;
  /** Whose prices the user saw at the last change: alerts are in the same ones. */
  readonly tier: Tier;
  /** The oldest first; a product at most once. */
  readonly items: readonly Wish[];
  /** Who has the link may look; null where there is none. */
  readonly share: { readonly tokenHash: string; readonly createdAt: Date } | null;
}

export interface Owner {
  readonly userId: string;
  readonly tier: Tier;
}

/** A product that can be wished for, and the id that its item gets. */
export interface Wanted {
  readonly itemId: string;
  readonly product: Product & { readonly facts: ProductFacts };
}

type Decided<Result> = Decision<Wishlist, Result>;
type Expect = (version: number) => void;

/** Puts a product on the list; one that is there already stays as it is. */
export function addWish(
  list: Wishlist | null,
  owner: Owner,
  wanted: Wanted,
  now: Date,
): Decided<{ item: Wish; added: boolean }> {
  const before = list ?? emptyList(owner);
  const known = before.items.find(({ productId }) => productId === wanted.product.id);
  if (known) return unchanged({ item: known, added: false });
  if (before.items.length >= maxWishes) throw wishlistFull(maxWishes);
  const item = wishOf(wanted, now);
  const after = { ...before, tier: owner.tier, items: [...before.items, item] };
  return changed(after, [added(owner, item)], { item, added: true });
}

/** Puts as many as fit on the list, in the order given. */
export function mergeWishes(
  list: Wishlist | null,
  owner: Owner,
  wanted: readonly Wanted[],
  now: Date,
): Decided<{ list: Wishlist; added: string[]; noRoom: string[] }> {
  const before = list ?? emptyList(owner);
  const held = new Set(before.items.map(({ productId }) => productId));
  const missing = wanted.filter(({ product }) => !held.has(product.id));
  const room = maxWishes - before.items.length;
  const items = missing.slice(0, room).map((entry) => wishOf(entry, now));
  const noRoom = missing.slice(room).map(({ product }) => product.id);
  if (items.length === 0) return unchanged({ list: before, added: [], noRoom });
  const after = { ...before, tier: owner.tier, items: [...before.items, ...items] };
  const result = { list: after, added: items.map(({ productId }) => productId), noRoom };
  return changed(
    after,
    items.map((item) => added(owner, item)),
    result,
  );
}

export function removeWish(
  list: Wishlist | null,
  owner: Owner,
  itemId: string,
  version: number,
  expect: Expect,
): Decided<Wishlist> {
  const item = list?.items.find(({ id }) => id === itemId);
  if (!list || !item) throw notFound('wishlist item');
  expect(version);
  const after = { ...list, tier: owner.tier, items: list.items.filter((other) => other !== item) };
  return changed(after, [removed(owner, item)]);
}

export function clearWishes(list: Wishlist | null, owner: Owner, version: number, expect: Expect): Decided<Wishlist> {
  expect(version);
  if (!list || list.items.length === 0) return unchanged(list ?? emptyList(owner));
  return changed(
    { ...list, tier: owner.tier, items: [] },
    list.items.map((item) => removed(owner, item)),
  );
}

/** From now on the list can be seen by this link, and by no earlier one. */
export function shareList(list: Wishlist | null, owner: Owner, tokenHash: string, now: Date): Decided<Wishlist> {
  return changed({ ...(list ?? emptyList(owner)), tier: owner.tier, share: { tokenHash, createdAt: now } }, []);
}

export function unshareList(list: Wishlist | null): Decided<null> {
  return list?.share ? changed({ ...list, share: null }, [], null) : unchanged(null);
}

export function emptyList({ userId, tier }: Owner): Wishlist {
  return { id: userId, tier, items: [], share: null };
}

function wishOf({ itemId, product }: Wanted, now: Date): Wish {
  const { price, tradePrice } = product.facts;
  return { id: itemId, productId: product.id, createdAt: now, priceAtAdding: { price, tradePrice } };
}

function added({ userId, tier }: Owner, { id, productId }: Wish): Fact {
  return fact(accountEvents.wishlistItemAdded, userId, { itemId: id, productId, tier });
}

function removed({ userId, tier }: Owner, { id, productId }: Wish): Fact {
  return fact(accountEvents.wishlistItemRemoved, userId, { itemId: id, productId, tier });
}
