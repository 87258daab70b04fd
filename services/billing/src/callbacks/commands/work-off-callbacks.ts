import { changed, deleted, isId, unchanged, type billingHttp } from '@storefront/contracts';
import type { InContext, InContextOf, Repository, Transaction } from '@storefront/mongo';
import type { BooksStore } from '../../books/store/books.ts';
import type { Invoice } from '../../invoices/domain/invoice.ts';
import type { Payment } from '../../payments/domain/payment.ts';
import { newPaymentOf, paymentIdOf, takesFact, type ProviderFact } from '../../payments/domain/provider-fact.ts';
import { hasCome, hasRoomFor, withFact, withMoreOf } from '../../payments/domain/receipts.ts';
import { indivisiblePayment, setApart, settlePayment } from '../../payments/domain/settle-payment.ts';
import type { Provider } from '../../providers/provider.ts';
import { workedOff, type Callback, type Done } from '../domain/callback.ts';

interface Needs {
  readonly callbacks: Repository<Callback>;
  readonly payments: Repository<Payment>;
  readonly invoices: Repository<Invoice>;
  readonly books: BooksStore;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly shop: { readonly currency: string };
  readonly now: () => Date;
}

/** Does the work of one callback. */
export type WorkOffCallback = (id: string) => Promise<Done>;

/**
 * Does the work of callbacks, of all of them or of none. Of each it is done once, however often it is asked for: what is written of money
 * and of the callback is one write, and what a callback states counts once, also where an administrator has it done again.
 */
export function workOffCallbacks(needs: Needs, items: readonly InContext<string>[]): Promise<readonly Done[]> {
  return needs.books.transaction(async (transaction) => {
    const done: Done[] = [];
    for (const { item: id, run } of items) done.push(await workOff(needs, transaction, id, (_id, work) => run(work)));
    return done;
  });
}

const nothing: Done = { outcome: 'ignored', reason: null, paymentId: null };

async function workOff(needs: Needs, transaction: Transaction, id: string, inContextOf: InContextOf): Promise<Done> {
  const { callbacks, now } = needs;
  const found = await callbacks.load(id, transaction);
  if (found?.state.outcome !== 'received') return nothing;
  const done = await outcomeOf(needs, transaction, found.state, inContextOf);
  await callbacks.changeAll(transaction, [id], () => changed(workedOff(found.state, done, now()), []), inContextOf);
  return done;
}

async function outcomeOf(
  needs: Needs,
  transaction: Transaction,
  callback: Callback,
  inContextOf: InContextOf,
): Promise<Done> {
  const { paymentId } = callback;
  const provider = needs.providers.get(callback.provider);
  if (!provider) return { outcome: 'failed', reason: 'provider_not_configured', paymentId };
  const translation = provider.translate(callback.body);
  if (translation.kind === 'malformed') return { outcome: 'failed', reason: 'malformed', paymentId };
  if (translation.kind === 'ignored') return { outcome: 'ignored', reason: null, paymentId };
  const { fact } = translation;
  const place = fact.kind === 'indivisible' ? setIndivisibleApart : placeFact;
  return await place(needs, transaction, { provider: callback.provider, fact, inContextOf });
}

/** A fact of a provider, and the context of its callback. */
interface FactInContext {
  readonly provider: string;
  readonly fact: ProviderFact;
  readonly inContextOf: InContextOf;
}

async function placeFact(
  needs: Needs,
  transaction: Transaction,
  { provider, fact, inContextOf }: FactInContext,
): Promise<Done> {
  const { payments, books, shop } = needs;
  const now = needs.now();
  const wentBack = fact.kind === 'disputed' ? 'dispute' : 'refund';
  const unknown = fact.invoiceNumber === null ? 'unknown_payment' : 'unknown_invoice';
  const found = await findPayment(needs, transaction, { provider, fact, now });
  // Nothing came, and nothing is known that it could have come for.
  if (found === null) return { outcome: 'failed', reason: unknown, paymentId: null };
  const hasRoom = hasRoomFor(found.receipts, fact);
  const payment = hasRoom ? { ...found, receipts: withFact(found.receipts, fact) } : found;
  const { id, accountId } = payment;

  const before =
    accountId === null
      ? null
      : await books.load(transaction, accountId, {
          invoiceIds: [...new Set([...payment.invoiceIds, ...payment.allocations.map(({ invoiceId }) => invoiceId)])],
          paymentIds: [id],
        });
  if (before === null) {
    const apart = setApart(payment, { reason: unknown, wentBack, now });
    await payments.changeAll(transaction, [id], () => changed(apart.payment, apart.facts), inContextOf);
    return { outcome: 'failed', reason: unknown, paymentId: id };
  }
  const { books: after, facts } = settlePayment(before, payment, { currency: shop.currency, wentBack, now });
  await books.save(transaction, before, after, facts, inContextOf);
  const reason = hasRoom ? (after.payments.get(id)?.unallocatedReason ?? null) : 'too_many_refunds';
  return { outcome: reason === null ? 'done' : 'failed', reason, paymentId: id };
}

/** Keeps, for an administrator, that an amount was stated which can't be counted. */
async function setIndivisibleApart(
  { payments, now }: Needs,
  transaction: Transaction,
  { provider, fact, inContextOf }: FactInContext,
): Promise<Done> {
  const { payment, facts } = indivisiblePayment(provider, fact, now());
  const { id, unallocatedReason: reason } = payment;
  await payments.changeAll<null>(
    transaction,
    [id],
    (_id, current) => (current === null ? changed(payment, facts, null) : unchanged(null)),
    inContextOf,
  );
  return { outcome: 'failed', reason, paymentId: id };
}

/**
 * The payment that counts the fact. A transfer stays with the payment that has counted its money, whatever later facts about it name;
 * until then it is of the payment that they name, else a new one, for the account of the invoice that they name. Null for a fact that
 * brings nothing and names nothing that is known.
 */
async function findPayment(
  needs: Needs,
  transaction: Transaction,
  { provider, fact, now }: { provider: string; fact: ProviderFact; now: Date },
): Promise<Payment | null> {
  const { payments } = needs;
  const { paymentId, reference, currency } = fact;
  const ownId = paymentIdOf(provider, fact);
  const own = (await payments.load(ownId, transaction))?.state ?? null;
  if (own !== null && own.accountId !== null && hasCome(own.receipts)) return own;
  const named =
    paymentId !== null && isId('pay', paymentId)
      ? ((await payments.load(paymentId, transaction))?.state ?? null)
      : null;
  const counting = await payments.findOne(
    { 'receipts.reference': reference, provider, currency, _id: { $ne: ownId } },
    { transaction, hint: 'by_reference' },
  );
  const other = counting?.state ?? (named !== null && takesFact(named, provider, fact) ? named : null);
  if (other !== null && own !== null && !hasCome(own.receipts)) {
    // What was stated of the transfer before anybody knew whose it is.
    await payments.changeAll(transaction, [ownId], () => deleted([], null));
    return { ...other, receipts: own.receipts.reduce(withMoreOf, other.receipts) };
  }
  if (other !== null && own === null) return other;

  const payment = own ?? newPaymentOf(provider, fact, now);
  if (payment.accountId !== null) return payment;
  if (named !== null && named.provider === provider)
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
