import { changed, unchanged } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import type { OrderPayment } from '../domain/order-payment.ts';
import { creditInvoiced, invoiceCredited, reservedOf } from '../domain/reserve-credit.ts';
import type { OrderPayments } from '../store/order-payments.ts';
import type { ProviderCalls } from './call-providers.ts';

/** What an order means for its invoice: what the shop may keep of it, and what is still charged. */
export interface KeptOfOrder extends Pick<OrderPayment, 'charged' | 'due' | 'isCancelled'> {
  /** The credit that its account has for it already, in minor units; 0 if it has none. */
  readonly reserved: number;
  readonly accountId: string | null;
  /** What came by card, by payment. */
  readonly paid: readonly { readonly paymentId: string; readonly amount: number }[];
}

/** What the invoices of orders need of the orders, and tell them, in their transactions. */
export interface OrderCredit {
  /** The orders that are known, by id. */
  find(orderIds: readonly string[], transaction?: Transaction): Promise<ReadonlyMap<string, KeptOfOrder>>;
  /** From now on the invoices of these orders count, in place of their credit. The caller changes the accounts. */
  setInvoiced(orderIds: readonly string[], transaction: Transaction): Promise<void>;
  /**
   * So much is credited of the order's invoice in all, and so much is left. The order system is told, and money that came by
   * card goes back. Nothing happens for an order that is not known.
   */
  setCredited(orderId: string, sums: { credited: number; left: number }, transaction: Transaction): Promise<void>;
}

export function createOrderCredit({
  orderPayments,
  calls,
  now,
}: {
  readonly orderPayments: OrderPayments;
  readonly calls: Pick<ProviderCalls, 'callSoon'>;
  readonly now: () => Date;
}): OrderCredit {
  return {
    async find(orderIds, transaction) {
      if (orderIds.length === 0) return new Map();
      const found = await orderPayments.find(
        { _id: { $in: [...orderIds] } },
        { fields: ['isCancelled', 'charged', 'due', 'credit', 'transfers'], ...(transaction && { transaction }) },
      );
      return new Map(
        found.map(({ state }) => {
          const { id, isCancelled, charged, due, credit, transfers } = state;
          const paid = transfers.map(({ paymentId, received: amount }) => ({ paymentId, amount }));
          const accountId = credit?.accountId ?? null;
          return [id, { isCancelled, charged, due, reserved: reservedOf(state), accountId, paid }];
        }),
      );
    },

    async setInvoiced(orderIds, transaction) {
      if (orderIds.length === 0) return;
      await orderPayments.changeAll(transaction, orderIds, (_id, current) =>
        current === null ? unchanged(null) : changed(creditInvoiced(current, now()), [], null),
      );
    },

    async setCredited(orderId, sums, transaction) {
      await orderPayments.changeAll(transaction, [orderId], (_id, current) => {
        if (current === null) return unchanged(null);
        const { record, facts } = invoiceCredited(current, sums, now());
        return changed(record, facts, null);
      });
      transaction.afterCommit(() => calls.callSoon(orderId));
    },
  };
}
