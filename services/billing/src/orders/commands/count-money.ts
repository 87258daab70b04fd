import { changed } from '@storefront/contracts';
import type { Repository, Transaction } from '@storefront/mongo';
import type { Payment } from '../../domain/payment.ts';
import { withReceiptSums } from '../../domain/receipts.ts';
import { countMoney as count } from '../domain/count-money.ts';
import { paymentOf } from '../domain/provider-actions.ts';
import type { OrderPayments } from '../store/order-payments.ts';
import type { ProviderCalls } from './call-providers.ts';

interface Needs {
  readonly orderPayments: OrderPayments;
  readonly payments: Repository<Payment>;
  readonly calls: Pick<ProviderCalls, 'callSoon'>;
  readonly now: () => Date;
}

/** Counts the receipts of an order's payment, as part of the transaction in which they came. */
export type CountMoney = (transaction: Transaction, payment: Payment) => Promise<void>;

/** Saves the payment, counts its money for its order, and has what is too much refunded after the commit. */
export function createMoneyCount({ orderPayments, payments, calls, now }: Needs): CountMoney {
  return async (transaction, payment) => {
    const { id, orderId } = payment;
    const found = orderId === null ? null : await orderPayments.latest(orderId, transaction);
    if (orderId === null || found === null) throw new Error(`${id} is a payment of an order without a record`);
    const at = now();
    const { record, facts } = count(found.state, payment, at);
    await orderPayments.changeAll(transaction, [orderId], () => changed(record, facts), [[orderId, found]]);
    await payments.changeAll(transaction, [id], () => changed(paymentOf(withReceiptSums(payment, at), record, at), []));
    transaction.afterCommit(() => calls.callSoon(orderId, record));
  };
}
