import { isProblem, type Cart, type CartLine } from '@storefront/client';
import type { Ctx } from './context.ts';

/** The shopper's cart; undefined where there is none, or where it has become an order. */
export async function readCart(c: Ctx): Promise<Cart | undefined> {
  const { api, session } = c.var;
  const { cartId, isOpen } = session;
  try {
    const cart = cartId
      ? await api.carts.getCart({ params: { id: cartId } })
      : isOpen
        ? await api.carts.getMyCart()
        : undefined;
    session.cartId = cart?.id;
    c.set('cart', cart);
    return cart;
  } catch (error) {
    if (!isProblem(error, 'not_found')) throw error;
    session.cartId = undefined;
    return undefined;
  }
}

/** How many pieces are in the cart. The header shows it on each page, which is worth no error. */
export async function countOf(c: Ctx): Promise<number> {
  if (!c.var.session.cartId) return 0;
  const cart = c.var.cart ?? (await readCart(c).catch(() => undefined));
  return (cart?.lines ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Puts more of a variant into the cart, which is made where there is none. */
export async function addToCart(c: Ctx, line: { productId: string; variantId: string; quantity: number }) {
  const { api, session } = c.var;
  const cart = await readCart(c);
  if (!cart) return void (session.cartId = (await api.carts.createCart({ body: { lines: [line] } })).id);
  const before = cart.lines.find(({ variantId }) => variantId === line.variantId)?.quantity ?? 0;
  await api.carts.setCartLine({
    params: { id: cart.id, variantId: line.variantId },
    body: { quantity: Math.min(before + line.quantity, 999) },
  });
}

/** Whether there is less of a line than is wanted, or nothing. */
export const isShort = ({ problem }: CartLine) => problem === 'not_enough_stock' || problem === 'unavailable';

/** Leaves in the cart what is there. */
export async function fitCart(c: Ctx): Promise<void> {
  const { carts } = c.var.api;
  const cart = await readCart(c);
  for (const { variantId, available, problem } of cart?.lines.filter(isShort) ?? []) {
    const params = { id: cart?.id ?? '', variantId };
    if (problem === 'unavailable' || available === 0) await carts.removeCartLine({ params });
    else await carts.setCartLine({ params, body: { quantity: available } });
  }
}

/** After a login: the cart that was filled before becomes part of the account's. */
export async function joinCarts(c: Ctx): Promise<void> {
  const { api, session } = c.var;
  const { cartId } = session;
  if (cartId) await api.try.carts.mergeCart({ body: { cartId } });
  session.cartId = undefined;
  await readCart(c);
}

/**
 * What campaigns take off the cart, and what is missing for more. undefined where the cart has nothing to sell, or the shopper
 * has tried too many codes that do not exist.
 */
export async function evaluate(c: Ctx, cart: Cart, shipping?: { amount: number; currency: string }) {
  const lines = cart.lines.filter(({ problem }) => problem !== 'unavailable');
  if (lines.length === 0) return undefined;
  const pieces = lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
  const body = { lines: pieces, codes: cart.codes, shipping };
  const evaluated = await c.var.api.try.discounts.evaluateDiscounts({ body });
  if (evaluated.ok) return evaluated.data;
  if (evaluated.error.code === 'too_many_unknown_codes') return undefined;
  throw evaluated.error;
}
