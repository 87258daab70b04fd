import { billingErrors, Refusal, type billingHttp } from '@storefront/contracts';
import type { InContext, Repository, Transaction } from '@storefront/mongo';
import { withPaymentOf } from '../../books/domain/books.ts';
import type { BooksStore } from '../../books/store/books.ts';
import type { Provider } from '../../providers/provider.ts';
import { askPayment, maxPending, pendingDays } from '../domain/ask-payment.ts';
import type { Payment } from '../domain/payment.ts';

/** What a trade account wants to pay. */
export interface AskedPayment {
  /** Of the payment: a second attempt has the same one. */
  readonly id: string;
  readonly accountId: string;
  readonly given: billingHttp.PaymentToCreate;
}

/** Makes a payment together with others of the same moment, or says why it can't be. */
export type MakePayment = (asked: AskedPayment) => Promise<Payment | Refusal>;

interface Needs {
  readonly books: BooksStore;
  readonly payments: Repository<Payment>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly shop: { readonly currency: string };
  readonly now: () => Date;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Makes a payment of the account's invoices, to be paid at the page of the first provider that has one. A second attempt under the same
 * id finds the first one's payment. Throws `payments_not_configured`, and what `askPayment` throws.
 */
export async function createPayment(
  { makePayment }: { readonly makePayment: MakePayment },
  asked: AskedPayment,
): Promise<Payment> {
  const made = await makePayment(asked);
  if (made instanceof Refusal) throw made;
  return made;
}

/**
 * Makes payments in one transaction, one after the other: each sees those before it, so that no account passes the bound of payments
 * that wait. Each is one write with its account. The results are in the order of what was asked.
 */
export function makePayments(
  needs: Needs,
  asked: readonly InContext<AskedPayment>[],
): Promise<readonly (Payment | Refusal)[]> {
  return needs.books.transaction(async (transaction) => {
    const made: (Payment | Refusal)[] = [];
    for (const one of asked) made.push(await makeUnlessRefused(needs, transaction, one));
    return made;
  });
}

/** A refusal comes before anything is written, so that it does no harm to the others. */
async function makeUnlessRefused(
  needs: Needs,
  transaction: Transaction,
  asked: InContext<AskedPayment>,
): Promise<Payment | Refusal> {
  try {
    return await make(needs, transaction, asked);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function make(
  { books, payments, providers, shop: { currency }, now }: Needs,
  transaction: Transaction,
  { item: { id, accountId, given }, run }: InContext<AskedPayment>,
): Promise<Payment> {
  const provider = [...providers.values()].find(({ pageOf }) => pageOf !== undefined);
  if (!provider?.pageOf) throw billingErrors.paymentsNotConfigured();
  const earlier = await payments.load(id, transaction);
  if (earlier) return earlier.state;
  const { pageOf, name } = provider;
  const { invoiceIds } = given;
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
  await books.save(transaction, before, withPaymentOf(before, made), [], (_id, work) => run(work));
  return made;
}
