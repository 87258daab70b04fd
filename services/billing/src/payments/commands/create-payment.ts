import { billingErrors } from '@storefront/contracts';
import type { billingHttp } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { withPaymentOf } from '../../books/domain/books.ts';
import type { BooksStore } from '../../books/store/books.ts';
import type { Provider } from '../../providers/provider.ts';
import { askPayment, maxPending, pendingDays } from '../domain/ask-payment.ts';
import type { Payment } from '../domain/payment.ts';

export interface CreatePaymentNeeds {
  readonly books: BooksStore;
  readonly payments: Repository<Payment>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly shop: { readonly currency: string };
  readonly now: () => Date;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Makes a payment of the account's invoices, to be paid at the page of the first provider that has one. It is one write with the
 * account, so that no two requests at once pass the bound of payments that wait. A second attempt under the same id finds the first
 * one's payment. Throws `payments_not_configured`, and what `askPayment` throws.
 */
export async function createPayment(
  { books, payments, providers, shop: { currency }, now }: CreatePaymentNeeds,
  { id, accountId, given }: { id: string; accountId: string; given: billingHttp.PaymentToCreate },
): Promise<Payment> {
  const provider = [...providers.values()].find(({ pageOf }) => pageOf !== undefined);
  if (!provider?.pageOf) throw billingErrors.paymentsNotConfigured();
  const { pageOf, name } = provider;
  const { invoiceIds } = given;
  return await books.transaction(async (transaction) => {
    const earlier = await payments.load(id, transaction);
    if (earlier) return earlier.state;
    const at = now();
    const before = await books.load(transaction, accountId, { invoiceIds });
    const pending = await payments.count(
      {
        accountId,
        status: 'pending',
        createdAt: { $gt: new Date(at.getTime() - pendingDays * day) },
        asked: { $ne: null },
      },
      { transaction, hint: 'by_status', limit: maxPending },
    );
    const asked = { id, accountId, provider: name, currency, invoiceIds, amount: given.amount?.amount };
    const invoices = before === null || before.account.erasedAt !== null ? new Map() : before.invoices;
    const payment = askPayment(asked, invoices, { pending, now: at });
    if (before === null) throw billingErrors.nothingOwed();
    const numbers = invoiceIds.flatMap((invoiceId) => before.invoices.get(invoiceId)?.number ?? []);
    const redirectUrl = pageOf({ paymentId: id, amount: payment.asked ?? 0, currency, numbers });
    const made = { ...payment, redirectUrl };
    await books.save(transaction, before, withPaymentOf(before, made), []);
    return made;
  });
}
