import { leftCart, noteLeft } from '../domain/left-cart.ts';
import type { CartReminders } from '../store/cart-reminders.ts';
import type { CartNeeds } from './change-carts.ts';

export type LeftNeeds = Pick<CartNeeds, 'carts' | 'cartReads' | 'inTransaction' | 'currency' | 'now'> & {
  readonly cartReminders: CartReminders;
};

/**
 * Publishes that the owner of a cart has left it, unless nothing in it is for sale, or the user was reminded of a cart
 * less than 7 days ago. Does nothing for a cart that was not left, or that was noted before.
 */
export async function publishLeft(
  { carts, cartReads, cartReminders, inTransaction, currency, now }: LeftNeeds,
  id: string,
): Promise<void> {
  const known = await carts.load(id);
  if (!known) return;
  const products = await cartReads.products(known.state.lines.map(({ productId }) => productId));
  await inTransaction(async (transaction) => {
    const current = (await carts.load(id, transaction))?.state ?? null;
    const left = leftCart(current, { products, currency, now: now() });
    if (!left) return;
    const isPublished = left.lines.length > 0 && (await cartReminders.take(left.userId, transaction));
    await carts.changeAll(transaction, [id], (_id, cart) => noteLeft(cart, isPublished ? left : null));
  });
}
