import { changed, unchanged, type ordersEvents } from '@storefront/contracts';
import { withReserved } from '../../domain/credit.ts';
import type { BooksStore } from '../../store/books.ts';
import { newOrderPayment } from '../domain/order-payment.ts';
import { cancel, reduce, requestClosing } from '../domain/request-payment.ts';
import { reservedOf } from '../domain/reserve-credit.ts';
import type { OrderPayments } from '../store/order-payments.ts';
import type { ProviderCalls } from './call-providers.ts';

interface Needs {
  readonly orderPayments: OrderPayments;
  readonly books: BooksStore;
  readonly eraseAccount: (userId: string) => Promise<void>;
  readonly shop: { readonly currency: string };
  readonly calls: Pick<ProviderCalls, 'callSoon'>;
  readonly now: () => Date;
}

/**
 * Closes all pages of an order, so that it can't be paid any more. `billing.payment-closed` says when that is done, and
 * what came. An order of which nothing is known gets a record, so that a request that comes later opens nothing.
 */
export async function closePayment({ orderPayments, shop, calls, now }: Needs, orderId: string): Promise<void> {
  await orderPayments.change(orderId, (current) => {
    const at = now();
    const { record, facts } = requestClosing(current ?? newOrderPayment(orderId, shop.currency, at), at);
    return changed(record, facts);
  });
  calls.callSoon(orderId);
}

/**
 * Gives back everything of a cancelled order: its pages are closed, its money is refunded, now and whenever more comes,
 * and its credit is released. The caller credits its invoice. An order of which nothing is known gets a record, so that a request that
 * comes later has no effect.
 */
export async function cancelOrder(needs: Needs, orderId: string): Promise<void> {
  const { orderPayments, books, eraseAccount, shop, calls, now } = needs;
  const found = await orderPayments.load(orderId);
  if (found && reservedOf(found.state) > 0) {
    const account = await books.transaction(async (transaction) => {
      const record = (await orderPayments.load(orderId, transaction))?.state;
      const decided = record && cancel(record, now());
      if (!record?.credit || !decided) return null;
      await orderPayments.changeAll(transaction, [orderId], () => changed(decided.record, decided.facts));
      const reserved = reservedOf(record);
      const before = reserved > 0 ? await books.load(transaction, record.credit.accountId, {}) : null;
      if (before !== null)
        await books.save(transaction, before, { ...before, account: withReserved(before.account, -reserved) }, []);
      return before?.account ?? null;
    });
    // An erased account was kept for the order alone, unless it has something else that the law wants kept.
    if (account !== null && account.erasedAt !== null) await eraseAccount(account.id);
  } else {
    await orderPayments.change(orderId, (current) => {
      const at = now();
      // A credit that was reserved meanwhile needs a transaction with its account: the event is tried again.
      if (current && reservedOf(current) > 0) throw new Error(`the credit of ${orderId} was reserved just now`);
      const decided = cancel(current ?? newOrderPayment(orderId, shop.currency, at), at);
      return decided === null ? unchanged(null) : changed(decided.record, decided.facts, null);
    });
  }
  calls.callSoon(orderId);
}

/**
 * Refunds what the shop has of the order's money beyond `keep`, now and whenever more comes. The caller credits the order's
 * invoice. An order of which nothing is known gets a record, so that it holds for a request that comes later.
 */
export async function reduceOrder(
  { orderPayments, calls, now }: Needs,
  orderId: string,
  { currency, ...kept }: Pick<ordersEvents.OrderReduced, 'currency' | 'keep' | 'charged'>,
): Promise<void> {
  await orderPayments.change(orderId, (current) => {
    const at = now();
    const decided = reduce(current ?? newOrderPayment(orderId, currency, at), kept, at);
    return decided === null ? unchanged(null) : changed(decided.record, decided.facts, null);
  });
  calls.callSoon(orderId);
}
