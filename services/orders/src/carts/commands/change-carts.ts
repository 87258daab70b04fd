import { randomUUID } from 'node:crypto';
import {
  changed,
  deleted,
  invalidFields,
  notFound,
  ordersFields,
  unchanged,
  type ordersHttp,
} from '@storefront/contracts';
import type { Loaded, Repository, Transaction } from '@storefront/mongo';
import type { Settings } from '../../settings/settings.ts';
import * as decide from '../domain/cart.ts';
import { offersOf } from '../domain/product.ts';
import type { CartIds } from '../secrets/cart-ids.ts';
import type { CartBudgets } from '../store/cart-budgets.ts';
import type { CartReads } from '../store/cart-reads.ts';

export interface CartNeeds {
  readonly carts: Repository<decide.Cart>;
  readonly cartReads: CartReads;
  readonly cartIds: CartIds;
  readonly cartBudgets: CartBudgets;
  readonly findShippingOption: Settings['findShippingOption'];
  readonly inTransaction: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;
  /** The shop's currency. */
  readonly currency: string;
  readonly now: () => Date;
}

/** A cart to change, by its secret id. `expect` throws where the client has read another version of it. */
interface Target {
  readonly id: string;
  readonly expect: (version: number) => void;
}
/** `by` is null where nobody is logged in. */
interface LineTarget extends Target {
  readonly variantId: string;
  readonly by: decide.Shopper | null;
}

/**
 * Creates a cart. `seed` is that of a repeated request, whose cart is the same one. Throws `too_many_carts`, and
 * `validation_failed` for lines that name nothing that is for sale.
 */
export async function createCart(
  { carts, cartReads, cartIds, cartBudgets, currency, now }: CartNeeds,
  {
    by,
    ip,
    lines,
    seed = randomUUID(),
  }: {
    by: decide.Shopper | null;
    ip: string;
    lines: readonly ordersHttp.NewCartLine[];
    seed?: string | undefined;
  },
): Promise<Loaded<decide.Cart>> {
  const products = await cartReads.products(lines.map(({ productId }) => productId));
  const wanted = decide.wantedBy(lines, products, currency);
  await cartBudgets.spend({ userId: by?.userId ?? null, ip });
  const id = cartIds.digestOf(cartIds.idOf(seed));
  const { result, version } = await carts.change(
    id,
    (current) => (current ? unchanged(current) : decide.newCart({ id, seed }, wanted, { by, now: now() })),
    null,
  );
  return { state: result, version };
}

/** Sets how many of a variant are in the cart. Throws `not_found` for a variant that is not for sale. */
export async function setCartLine(
  { carts, cartReads, cartIds, currency, now }: CartNeeds,
  { id, expect, variantId, quantity, by }: LineTarget & { readonly quantity: number },
): Promise<Loaded<decide.Cart>> {
  const digest = cartIds.digestOf(id);
  const known = await carts.load(digest);
  decide.assertOpen(known?.state ?? null);
  const [found] = (await cartReads.withVariant(variantId)).values();
  const offer = offersOf(found, currency).find(({ variant }) => variant.id === variantId);
  if (!offer) throw notFound('variant');
  const { result, version } = await carts.change(
    digest,
    (current, at) => decide.setLine(current, at, { offer, quantity }, { now: now(), expect, by }),
    known,
  );
  return { state: result, version };
}

export async function removeCartLine(
  { carts, cartIds, now }: CartNeeds,
  { id, expect, variantId, by }: LineTarget,
): Promise<Loaded<decide.Cart>> {
  const { result, version } = await carts.change(cartIds.digestOf(id), (current, at) =>
    decide.removeLine(current, at, variantId, { now: now(), expect, by }),
  );
  return { state: result, version };
}

/** Changes codes, note, country or shipping option. Throws `validation_failed` for an option that is not offered. */
export async function changeCart(
  { carts, cartIds, findShippingOption, now }: CartNeeds,
  { id, expect, change }: Target & { readonly change: ordersHttp.CartChange },
): Promise<Loaded<decide.Cart>> {
  const { shippingOptionId = null } = change;
  const digest = cartIds.digestOf(id);
  if (shippingOptionId !== null) {
    decide.assertOpen((await carts.load(digest))?.state ?? null);
    if (!(await findShippingOption(shippingOptionId))) throw invalidFields([ordersFields.noSuchShippingOption()]);
  }
  const { result, version } = await carts.change(digest, (current, at) =>
    decide.changeFields(current, at, change, { now: now(), expect }),
  );
  return { state: result, version };
}

/**
 * Joins a guest's cart with the newest one of the user, or makes it the user's where there is none. The guest's cart is
 * gone then. Throws `validation_failed` where there is no such cart, or it is another user's, and `cart_frozen`.
 */
export async function mergeCart(
  { carts, cartReads, cartIds, inTransaction, currency, now }: CartNeeds,
  { by, cartId }: { readonly by: decide.Shopper; readonly cartId: string },
): Promise<{ readonly cart: decide.Cart; readonly noRoom: string[] }> {
  const { userId } = by;
  const guestsId = cartIds.digestOf(cartId);
  const [guests, own] = await Promise.all([carts.load(guestsId), cartReads.newestOf(userId)]);
  const products = await cartReads.products((guests?.state.lines ?? []).map(({ productId }) => productId));
  const ownId = own && own.state.id !== guestsId && cartIds.idOfCart(own.state) !== null ? own.state.id : null;

  return inTransaction(async (transaction) => {
    const read = async (id: string) => (await carts.load(id, transaction))?.state ?? null;
    const given = await read(guestsId);
    if (!given || (given.userId ?? userId) !== userId) throw invalidFields([ordersFields.noSuchCart()]);
    const guest = decide.assertOpen(given);
    // Where the own cart began to stand still meanwhile, the guest's one takes its place.
    const target = ownId === null ? null : await read(ownId);
    if (!target || target.orderId !== null) {
      const cart = decide.taken(guest, by, now());
      if (guest.userId === null) await carts.changeAll(transaction, [guestsId], () => changed(cart, [], null));
      return { cart, noRoom: [] };
    }
    const join = decide.joined(target, guest, { products, currency, now: now(), by });
    await carts.changeAll<unknown>(transaction, [target.id, guestsId], (id) =>
      id === guestsId ? deleted([], null) : join,
    );
    return join.result;
  });
}
