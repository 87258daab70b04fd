import { changed, unchanged } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import { creditInvoiced, reservedOf } from '../domain/reserve-credit.ts';
import type { OrderPayments } from '../store/order-payments.ts';

/** What an order means for its invoice. */
export interface CreditOfOrder {
  /** A cancelled order is not invoiced. */
  readonly isCancelled: boolean;
  /** The credit that its account has for it already, in minor units; 0 if it has none. */
  readonly reserved: number;
  readonly accountId: string | null;
}

/** The credit of orders, for the transactions that issue their invoices. */
export interface OrderCredit {
  /** The orders that are known, by id. */
  find(orderIds: readonly string[], transaction?: Transaction): Promise<ReadonlyMap<string, CreditOfOrder>>;
  /** From now on the invoices of these orders count, in place of their credit. The caller changes the accounts. */
  setInvoiced(orderIds: readonly string[], transaction: Transaction): Promise<void>;
}

export function createOrderCredit({
  orderPayments,
  now,
}: {
  readonly orderPayments: OrderPayments;
  readonly now: () => Date;
}): OrderCredit {
  return {
    async find(orderIds, transaction) {
      if (orderIds.length === 0) return new Map();
      const found = await orderPayments.find(
        { _id: { $in: [...orderIds] } },
        { fields: ['isCancelled', 'credit'], ...(transaction && { transaction }) },
      );
      return new Map(
        found.map(({ state }) => [
          state.id,
          {
            isCancelled: state.isCancelled,
            reserved: reservedOf(state),
            accountId: state.credit?.accountId ?? null,
          },
        ]),
      );
    },

    async setInvoiced(orderIds, transaction) {
      if (orderIds.length === 0) return;
      await orderPayments.changeAll(transaction, orderIds, (_id, current) =>
        current === null ? unchanged(null) : changed(creditInvoiced(current, now()), [], null),
      );
    },
  };
}
