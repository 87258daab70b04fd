import { changed, deleted, isId } from '@storefront/contracts';
import type { billingHttp } from '@storefront/contracts';
import type { InContext, InContextOf, Repository, Transaction } from '@storefront/mongo';
import type { BooksStore } from '../../books/store/books.ts';
import type { Invoice } from '../../invoices/domain/invoice.ts';
import { newPaymentOf, paymentIdOf, takesFact } from '../../payments/domain/payment.ts';
import type { Payment } from '../../payments/domain/payment.ts';
import type { ProviderFact } from '../../payments/domain/provider-fact.ts';
import { withFact, withMoreOf } from '../../payments/domain/receipts.ts';
import { setApart, settlePayment } from '../../payments/domain/settle-payment.ts';
import type { Provider } from '../../providers/provider.ts';
import { workedOff } from '../domain/callback.ts';
import type { Callback, Done } from '../domain/callback.ts';

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
 * and of the callback is one write, and a payment counts a callback once, also where an administrator has it done again.
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
  const translation = provider.translate(Buffer.from(callback.body ?? ''));
  if (translation.kind === 'malformed') return { outcome: 'failed', reason: 'malformed', paymentId };
  if (translation.kind === 'ignored') return { outcome: 'ignored', reason: null, paymentId };
  return await placeFact(needs, transaction, { callback, fact: translation.fact, inContextOf });
}

async function placeFact(
  needs: Needs,
  transaction: Transaction,
  { callback, fact, inContextOf }: { callback: Callback; fact: ProviderFact; inContextOf: InContextOf },
): Promise<Done> {
  const { payments, books, shop } = needs;
  const now = needs.now();
  const wentBack = fact.kind === 'disputed' ? 'dispute' : 'refund';
  const unknown = fact.invoiceNumber === null ? 'unknown_payment' : 'unknown_invoice';
  const found = await findPayment(needs, transaction, { provider: callback.provider, fact, now });
  // Nothing came, and nothing is known that it could have come for.
  if (found === null) return { outcome: 'failed', reason: unknown, paymentId: null };
  const receipts = callback.paymentId === null ? withFact(found.receipts, fact) : found.receipts;
  const payment = { ...found, receipts };
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
  const reason = after.payments.get(id)?.unallocatedReason ?? null;
  return { outcome: reason === null ? 'done' : 'failed', reason, paymentId: id };
}

/**
 * The payment that counts the fact: the one that it names, or that has counted the same transfer; else a new one, for the account of
 * the invoice that it names. Null for a fact that brings nothing and names nothing that is known.
 */
async function findPayment(
  needs: Needs,
  transaction: Transaction,
  { provider, fact, now }: { provider: string; fact: ProviderFact; now: Date },
): Promise<Payment | null> {
  const { payments } = needs;
  const { paymentId, reference, currency } = fact;
  const ownId = paymentIdOf(provider, fact);
  const named =
    paymentId !== null && isId('pay', paymentId)
      ? ((await payments.load(paymentId, transaction))?.state ?? null)
      : null;
  const known =
    named !== null && takesFact(named, provider, fact)
      ? named
      : ((
          await payments.findOne(
            { 'receipts.reference': reference, provider, currency },
            { transaction, hint: 'by_reference' },
          )
        )?.state ?? null);
  if (known !== null && known.id !== ownId) return await withOwnOf(payments, transaction, known, ownId);

  const payment = known ?? newPaymentOf(provider, fact, now);
  if (payment.accountId !== null) return payment;
  if (named !== null && named.provider === provider)
    return { ...payment, accountId: named.accountId, invoiceIds: named.invoiceIds };
  const invoice = await findInvoice(needs, transaction, fact.invoiceNumber);
  if (invoice !== null) return { ...payment, accountId: invoice.accountId, invoiceIds: [invoice.id] };
  return known === null && fact.kind === 'failed' ? null : payment;
}

/**
 * The payment with what was told of the same transfer before anybody knew whose it is: a refund that named no payment, and came before
 * its money. That is kept as a payment of its own until then.
 */
async function withOwnOf(
  payments: Repository<Payment>,
  transaction: Transaction,
  payment: Payment,
  ownId: string,
): Promise<Payment> {
  const own = (await payments.load(ownId, transaction))?.state;
  if (!own || own.receipts.some(({ succeeded }) => succeeded > 0)) return payment;
  await payments.changeAll(transaction, [ownId], () => deleted([], null));
  return { ...payment, receipts: own.receipts.reduce(withMoreOf, payment.receipts) };
}

async function findInvoice(
  { invoices }: Needs,
  transaction: Transaction,
  number: billingHttp.InvoiceBody['number'] | null,
): Promise<Invoice | null> {
  if (number === null) return null;
  return (await invoices.findOne({ number }, { transaction, hint: 'by_number' }))?.state ?? null;
}
