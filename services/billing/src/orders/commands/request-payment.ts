import { changed, unchanged } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { emptyPayment, type Payment } from '../../domain/payment.ts';
import type { Provider } from '../../providers/provider.ts';
import type { BooksStore } from '../../store/books.ts';
import { newOrderPayment, type OrderPayment } from '../domain/order-payment.ts';
import { requestCard, type PaymentRequest } from '../domain/request-payment.ts';
import { reserveCredit } from '../domain/reserve-credit.ts';
import type { OrderPayments } from '../store/order-payments.ts';
import type { ProviderCalls } from './call-providers.ts';

interface Needs {
  readonly orderPayments: OrderPayments;
  readonly payments: Repository<Payment>;
  readonly books: BooksStore;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly calls: Pick<ProviderCalls, 'callSoon'>;
  readonly now: () => Date;
}

/**
 * Starts the payment of an order. By card: its payment and its record are written, then the page of the first provider
 * that has pages is opened. On account: the credit is taken. The answer is an event. A request that has no effect any
 * more, such as one of a cancelled order, is not answered. Throws if the payment's id belongs to something else.
 */
export async function requestPayment(needs: Needs, request: PaymentRequest): Promise<void> {
  if (request.data.method === 'invoice') await requestCredit(needs, request);
  else await requestPage(needs, request);
}

async function requestPage(needs: Needs, request: PaymentRequest): Promise<void> {
  const { orderPayments, payments, providers, calls, now } = needs;
  const { subject: orderId, data } = request;
  const provider = [...providers.values()].find(({ orderPages }) => orderPages !== undefined)?.name ?? null;
  const record = await orderPayments.transactionOfNew(async (transaction, isNew) => {
    const decide = (current: OrderPayment | null) => {
      const before = current ?? newOrderPayment(orderId, data.currency, now());
      const decided = requestCard(before, request, { provider, now: now() });
      if (decided === null) return unchanged(null);
      const isNewAttempt = before.attempts.every(({ paymentId }) => paymentId !== data.paymentId);
      return changed(decided.record, decided.facts, { record: decided.record, isNewAttempt });
    };
    const known = isNew ? ([[orderId, null]] as const) : [];
    const [saved] = await orderPayments.changeAll(transaction, [orderId], (_id, current) => decide(current), known);
    const result = saved?.result ?? null;
    if (provider === null || !result?.isNewAttempt) return result?.record;
    const { paymentId, userId: accountId, currency, amount: asked } = data;
    const payment = { ...emptyPayment(paymentId, provider, currency, now()), accountId, orderId, asked };
    // It fails if the id is that of another payment.
    await payments.changeAll(transaction, [paymentId], () => changed(payment, []), [[paymentId, null]]);
    return result.record;
  });
  calls.callSoon(orderId, record);
}

async function requestCredit(needs: Needs, request: PaymentRequest): Promise<void> {
  const { orderPayments, books, now } = needs;
  const { subject: orderId, data } = request;
  await books.transaction(async (transaction) => {
    const found = await orderPayments.load(orderId, transaction);
    const record = found?.state ?? newOrderPayment(orderId, data.currency, now());
    const before = data.userId === null ? null : await books.load(transaction, data.userId, {});
    const account = before === null || before.account.erasedAt !== null ? null : before.account;
    const decided = reserveCredit(record, account, request, now());
    if (decided === null) return;
    await orderPayments.changeAll(
      transaction,
      [orderId],
      () => changed(decided.record, decided.facts),
      found ? [[orderId, found]] : [],
    );
    if (before !== null && decided.account !== null && decided.account !== account)
      await books.save(transaction, before, { ...before, account: decided.account }, []);
  });
}
