import { changed, deleted, isId, unchanged, type billingHttp } from '@storefront/contracts';
import type { InContext, Repository, Transaction } from '@storefront/mongo';
import type { CountMoney } from '../../orders/orders.ts';
import type { BooksStore } from '../../store/books.ts';
import type { Invoice } from '../../domain/invoice.ts';
import type { Payment } from '../../domain/payment.ts';
import { newPaymentOf, paymentIdOf, takesFact, type ProviderFact } from '../../domain/provider-fact.ts';
import { hasCome, hasRoomFor, withFact, withMoreOf } from '../../domain/receipts.ts';
import { indivisiblePayment, setApart, settlePayment } from '../domain/settle-payment.ts';
import type { Provider } from '../../providers/provider.ts';
import { processed, type Callback, type Processed } from '../domain/callback.ts';

interface Needs {
  readonly callbacks: Repository<Callback>;
  readonly payments: Repository<Payment>;
  readonly invoices: Repository<Invoice>;
  readonly books: BooksStore;
  readonly countMoney: CountMoney;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly shop: { readonly currency: string };
  readonly now: () => Date;
}

/** Processes one callback. */
export type ProcessCallback = (id: string) => Promise<Processed>;

/**
 * Processes callbacks in one transaction: all of them or none. Each callback is processed only once, because its money
 * and its own state are written together. Its content also counts only once if staff let it be processed
 * again.
 */
export function processCallbacks(needs: Needs, items: readonly InContext<string>[]): Promise<readonly Processed[]> {
  return needs.books.transaction(async (transaction) => {
    const results: Processed[] = [];
    for (const { item: id, run } of items) results.push(await run(() => processCallback(needs, transaction, id)));
    return results;
  });
}

const notReceived: Processed = { outcome: 'ignored', reason: null, paymentId: null };

async function processCallback(needs: Needs, transaction: Transaction, id: string): Promise<Processed> {
  const { callbacks, now } = needs;
  const latest = await callbacks.latest(id, transaction);
  // Staff may have let it be processed again.
  const found = latest?.state.outcome === 'received' ? latest : await callbacks.load(id, transaction);
  if (found?.state.outcome !== 'received') return notReceived;
  const result = await outcomeOf(needs, transaction, found.state);
  await callbacks.changeAll(transaction, [id], () => changed(processed(found.state, result, now()), []), [[id, found]]);
  return result;
}

async function outcomeOf(needs: Needs, transaction: Transaction, callback: Callback): Promise<Processed> {
  const { paymentId } = callback;
  const provider = needs.providers.get(callback.provider);
  if (!provider) return { outcome: 'failed', reason: 'provider_not_configured', paymentId };
  const translation = provider.translate(callback.body);
  if (translation.kind === 'malformed') return { outcome: 'failed', reason: 'malformed', paymentId };
  if (translation.kind === 'ignored') return { outcome: 'ignored', reason: null, paymentId };
  const { fact } = translation;
  const place = fact.kind === 'indivisible' ? setIndivisibleApart : placeFact;
  return await place(needs, transaction, { provider: callback.provider, fact });
}

/** A fact, and the name of the provider that stated it. */
interface FactOfProvider {
  readonly provider: string;
  readonly fact: ProviderFact;
}

async function placeFact(
  needs: Needs,
  transaction: Transaction,
  { provider, fact }: FactOfProvider,
): Promise<Processed> {
  const { payments, books, shop } = needs;
  const now = needs.now();
  const wentBack = fact.kind === 'disputed' ? 'dispute' : 'refund';
  const unknown = fact.invoiceNumber === null ? 'unknown_payment' : 'unknown_invoice';
  const found = await findPayment(needs, transaction, { provider, fact, now });
  // The provider states that the transfer failed, and names no payment or invoice that is known here. So there is
  // nothing to count.
  if (found === null) return { outcome: 'failed', reason: unknown, paymentId: null };
  const hasRoom = hasRoomFor(found.receipts, fact);
  const payment = hasRoom ? { ...found, receipts: withFact(found.receipts, fact) } : found;
  const { id, accountId } = payment;
  if (payment.orderId !== null) {
    await needs.countMoney(transaction, payment);
    return hasRoom
      ? { outcome: 'done', reason: null, paymentId: id }
      : { outcome: 'failed', reason: 'too_many_refunds', paymentId: id };
  }

  const before =
    accountId === null
      ? null
      : await books.load(transaction, accountId, {
          invoiceIds: [...new Set([...payment.invoiceIds, ...payment.allocations.map(({ invoiceId }) => invoiceId)])],
          paymentIds: [id],
        });
  if (before === null) {
    const apart = setApart(payment, { reason: unknown, wentBack, now });
    await payments.changeAll(transaction, [id], () => changed(apart.payment, apart.facts));
    return { outcome: 'failed', reason: unknown, paymentId: id };
  }
  const { books: after, facts } = settlePayment(before, payment, { currency: shop.currency, wentBack, now });
  await books.save(transaction, before, after, facts);
  const reason = hasRoom ? (after.payments.get(id)?.unallocatedReason ?? null) : 'too_many_refunds';
  return { outcome: reason === null ? 'done' : 'failed', reason, paymentId: id };
}

/** Stores a payment without money, so that staff see the stated amount, which can't be counted. */
async function setIndivisibleApart(
  { payments, now }: Needs,
  transaction: Transaction,
  { provider, fact }: FactOfProvider,
): Promise<Processed> {
  const { payment, facts } = indivisiblePayment(provider, fact, now());
  const { id, unallocatedReason: reason } = payment;
  await payments.changeAll<null>(transaction, [id], (_id, current) =>
    current === null ? changed(payment, facts, null) : unchanged(null),
  );
  return { outcome: 'failed', reason, paymentId: id };
}

/**
 * Finds the payment that counts the fact. Once a payment has counted a transfer's money, all later facts about the
 * transfer go to the same payment, whatever they name. Before that, the fact goes to the payment that it names. If it
 * names none, a new payment is made for the account of the invoice that it names. Null for a failed transfer that names
 * nothing known.
 */
async function findPayment(
  needs: Needs,
  transaction: Transaction,
  { provider, fact, now }: { provider: string; fact: ProviderFact; now: Date },
): Promise<Payment | null> {
  const { payments } = needs;
  const { paymentId, reference, currency } = fact;
  const ownId = paymentIdOf(provider, fact);
  const namedId = paymentId !== null && isId('pay', paymentId) ? paymentId : null;
  const known = await payments.readAll(transaction, [ownId, ...(namedId === null ? [] : [namedId])]);
  const own = known.get(ownId)?.state ?? null;
  if (own !== null && own.accountId !== null && hasCome(own.receipts)) return own;
  const named = known.get(namedId ?? '')?.state ?? null;
  const counting = await payments.findOne(
    { 'receipts.reference': reference, provider, currency, _id: { $ne: ownId } },
    { transaction, hint: 'by_reference' },
  );
  const other = counting?.state ?? (named !== null && takesFact(named, provider, fact) ? named : null);
  if (other !== null && own !== null && !hasCome(own.receipts)) {
    // The provider has stated this transfer before its payment was known. The receipts go to that payment now.
    await payments.changeAll(transaction, [ownId], () => deleted([], null));
    return { ...other, receipts: own.receipts.reduce(withMoreOf, other.receipts) };
  }
  if (other !== null && own === null) return other;

  const payment = own ?? newPaymentOf(provider, fact, now);
  if (payment.accountId !== null) return payment;
  // Money that the payment of an order can't count is kept apart, until staff say what it is for.
  if (named !== null && named.provider === provider && named.orderId === null)
    return { ...payment, accountId: named.accountId, invoiceIds: named.invoiceIds };
  const invoice = await findInvoice(needs, transaction, fact.invoiceNumber);
  if (invoice !== null) return { ...payment, accountId: invoice.accountId, invoiceIds: [invoice.id] };
  return own === null && fact.kind === 'failed' ? null : payment;
}

async function findInvoice(
  { invoices }: Needs,
  transaction: Transaction,
  number: billingHttp.InvoiceBody['number'] | null,
): Promise<Invoice | null> {
  if (number === null) return null;
  return (await invoices.findOne({ number }, { transaction, hint: 'by_number' }))?.state ?? null;
}
