import { billingErrors, Refusal, type billingHttp } from '@storefront/contracts';
import type { InContext, Repository, Transaction } from '@storefront/mongo';
import { withPaymentOf } from '../../domain/books.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Provider } from '../providers/provider.ts';
import { requestPayment, maxPending, pendingDays } from '../domain/request-payment.ts';
import type { Payment } from '../../domain/payment.ts';

/** A payment that a trade account wants to make. */
export interface RequestedPayment {
  /** The payment's; the same for each attempt. */
  readonly id: string;
  readonly accountId: string;
  readonly given: billingHttp.PaymentToCreate;
}

/** Creates a payment together with others that are requested at the same moment; a refusal says why it can't be. */
export type CreateTogether = (requested: RequestedPayment) => Promise<Payment | Refusal>;

interface Needs {
  readonly books: BooksStore;
  readonly payments: Repository<Payment>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly shop: { readonly currency: string };
  readonly now: () => Date;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Creates a payment of the account's invoices, to be paid at the page of the first provider that has one. A second attempt under the same
 * id gets the payment of the first. Throws `payments_not_configured`, and what `requestPayment` throws.
 */
export async function createPayment(
  { createTogether }: { readonly createTogether: CreateTogether },
  requested: RequestedPayment,
): Promise<Payment> {
  const created = await createTogether(requested);
  if (created instanceof Refusal) throw created;
  return created;
}

/**
 * Creates payments in one transaction, one after the other: each sees those before it, so that no account exceeds the limit of pending
 * payments. Each is one write with its account. The results are in the order of the requests.
 */
export function createPayments(
  needs: Needs,
  requested: readonly InContext<RequestedPayment>[],
): Promise<readonly (Payment | Refusal)[]> {
  return needs.books.transaction(async (transaction) => {
    const created: (Payment | Refusal)[] = [];
    for (const { item, run } of requested) created.push(await run(() => createUnlessRefused(needs, transaction, item)));
    return created;
  });
}

/** A refusal comes before anything is written, so that it does no harm to the others. */
async function createUnlessRefused(
  needs: Needs,
  transaction: Transaction,
  requested: RequestedPayment,
): Promise<Payment | Refusal> {
  try {
    return await create(needs, transaction, requested);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function create(
  { books, payments, providers, shop: { currency }, now }: Needs,
  transaction: Transaction,
  { id, accountId, given }: RequestedPayment,
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
  const requested = { id, accountId, provider: name, currency, invoiceIds, amount: given.amount?.amount };
  const invoices = before === null || before.account.erasedAt !== null ? new Map() : before.invoices;
  const payment = requestPayment(requested, invoices, { pending, now: at });
  if (before === null) throw billingErrors.nothingOwed();
  const numbers = invoiceIds.flatMap((invoiceId) => before.invoices.get(invoiceId)?.number ?? []);
  const redirectUrl = pageOf({ paymentId: id, amount: payment.asked ?? 0, currency, numbers });
  const created = { ...payment, redirectUrl };
  await books.save(transaction, before, withPaymentOf(before, created), []);
  return created;
}
