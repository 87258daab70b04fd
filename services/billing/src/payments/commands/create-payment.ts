import { billingErrors, Refusal, type billingHttp } from '@storefront/contracts';
import type { InContext, Repository, Transaction } from '@storefront/mongo';
import { withPaymentOf } from '../../domain/books.ts';
import { returnAddress } from '../../domain/return-address.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Provider } from '../../providers/provider.ts';
import { requestPayment, maxPending, pendingDays } from '../domain/request-payment.ts';
import type { Payment } from '../../domain/payment.ts';

/** A payment that a trade account wants to make. */
export interface RequestedPayment {
  /** The id of the payment. A repeated request has the same id. */
  readonly id: string;
  readonly accountId: string;
  readonly given: billingHttp.PaymentToCreate;
}

/**
 * Creates a payment. Payments that are requested at the same moment are created in one transaction. Returns a refusal
 * if the payment can't be created.
 */
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
 * Creates a payment for invoices of the account. It is paid on the page of the first provider that has one. If the id
 * was used before, the existing payment is returned. Throws `payments_not_configured`, and the errors of
 * `requestPayment`.
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
 * Creates payments in one transaction, one after the other. Each sees the payments created before it, so that no
 * account exceeds the limit of pending payments. Each payment is written together with its account. The results are in
 * the order of `requested`.
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

/**
 * Returns a refusal instead of throwing it. A refusal is decided before anything is written, so the other payments of
 * the transaction are still created.
 */
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
      orderId: null,
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
  const returnUrl = given.returnUrl === undefined ? null : returnAddress(given.returnUrl, { payment: id });
  const redirectUrl = pageOf({ paymentId: id, amount: payment.asked ?? 0, currency, numbers, returnUrl });
  const created = { ...payment, redirectUrl };
  await books.save(transaction, before, withPaymentOf(before, created), []);
  return created;
}
