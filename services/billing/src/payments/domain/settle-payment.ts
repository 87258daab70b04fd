import { billingEvents, fact, type billingHttp, type Fact } from '@storefront/contracts';
import { entered, pay, receive, takeBack, withPaymentOf, type Books, type Moved } from '../../domain/books.ts';
import { owedOf } from '../../domain/balance.ts';
import { balanceFacts } from '../../domain/invoice-facts.ts';
import { emptyPayment, type Payment } from '../../domain/payment.ts';
import { indivisibleIdOf, type ProviderFact } from '../../domain/provider-fact.ts';
import { receivedOf, withReceiptSums, worthOf } from '../../domain/receipts.ts';

/** Why money was returned. */
type WentBack = 'refund' | 'dispute';

interface Needs {
  /** The currency of the shop. */
  readonly currency: string;
  readonly wentBack: WentBack;
  readonly now: Date;
}

/**
 * Moves money until the payment agrees with its receipts. Received money pays the payment's invoices, the oldest due
 * date first; the remainder is credit of the account. Refunded money is deducted from this credit first. If the purpose
 * of the money is unknown, it is kept as unallocated. `books` are the books of the payment's account, with the invoices
 * that the payment is for and those that it has paid. The payment itself may be new.
 */
export function settlePayment(
  books: Books,
  payment: Payment,
  { currency, wentBack, now }: Needs,
): { readonly books: Books; readonly facts: readonly Fact[] } {
  const received = receivedOf(payment.receipts);
  const reason = received > 0 && !hasPlace(payment) ? unplacedReasonOf(books, payment, currency) : null;
  if (reason === null) return placePayment(books, payment, { wentBack, now });
  const apart = setApart(payment, { reason, wentBack, now });
  return { books: withPaymentOf(books, apart.payment), facts: apart.facts };
}

/** Moves money until the payment agrees with its receipts, even if the purpose of the money is unknown. */
export function placePayment(
  books: Books,
  payment: Payment,
  { wentBack, now }: Omit<Needs, 'currency'>,
): { readonly books: Books; readonly facts: readonly Fact[] } {
  const received = receivedOf(payment.receipts);
  const placed = payment.unallocatedReason === null ? payment : { ...payment, remainder: 0, unallocatedReason: null };
  const held = placed.remainder + placed.allocations.reduce((sum, { amount }) => sum + amount, 0);
  const change = worthOf(placed, received) - held;
  const start = withPaymentOf(books, placed);
  const { books: moved, allocations } = move(start, placed, change, now);
  const after = withPaymentOf(moved, withReceiptSums(inBooks(moved, payment.id), now));
  if (change === 0) return { books: after, facts: moneyBackFacts(payment, { received, wentBack }) };

  const invoices = { before: books.invoices, after: after.invoices };
  const facts = [
    ...balanceFacts(invoices, change > 0 ? 'paid' : 'refunded', now),
    change > 0
      ? fact(billingEvents.paymentReceived, payment.id, movedData(placed, change, allocations, after))
      : fact(billingEvents.paymentRefunded, payment.id, {
          ...movedData(placed, -change, allocations, after),
          kind: wentBack,
        }),
  ];
  const kind = change > 0 ? 'payment' : 'refund';
  return { books: entered(books, after, { kind, id: payment.id, number: null }, now), facts };
}

/** Keeps the money of a payment as unallocated, until staff say what it is for. */
export function setApart(
  payment: Payment,
  { reason, wentBack, now }: Omit<Needs, 'currency'> & { readonly reason: billingHttp.UnallocatedReason },
): { readonly payment: Payment; readonly facts: readonly Fact[] } {
  const received = receivedOf(payment.receipts);
  const isApart = received > 0;
  const after = withReceiptSums(
    { ...payment, remainder: received, unallocatedReason: isApart ? reason : null, updatedAt: now },
    now,
  );
  const change = received - payment.received;
  const { accountId, provider, currency } = payment;
  const facts =
    change > 0
      ? [fact(billingEvents.paymentUnallocated, payment.id, { accountId, provider, currency, amount: change, reason })]
      : moneyBackFacts(payment, { received, wentBack });
  return { payment: after, facts };
}

/**
 * A payment without money. It stands for a stated amount that is not a whole number of the currency's minor units and
 * so can't be counted. Only the provider knows what happened to that money.
 */
export function indivisiblePayment(
  provider: string,
  stated: ProviderFact,
  now: Date,
): { readonly payment: Payment; readonly facts: readonly Fact[] } {
  const { currency } = stated;
  const id = indivisibleIdOf(provider, stated);
  const unallocatedReason = 'indivisible_amount';
  const payment: Payment = {
    ...emptyPayment(id, provider, currency, now),
    accountId: null,
    status: 'unallocated',
    unallocatedReason,
  };
  const data = { accountId: null, provider, currency, amount: 0, reason: unallocatedReason };
  return { payment, facts: [fact(billingEvents.paymentUnallocated, id, data)] };
}

/**
 * Whether the money is already known to belong to the account: it is allocated, or staff have stated its
 * worth.
 */
function hasPlace({ unallocatedReason, allocations, remainder, worth }: Payment): boolean {
  return unallocatedReason === null && (worth !== null || allocations.length > 0 || remainder > 0);
}

/** Why the payment's money can't be allocated; null if it can. */
function unplacedReasonOf(
  { account, invoices }: Books,
  payment: Payment,
  currency: string,
): billingHttp.UnallocatedReason | null {
  if (payment.currency !== currency && payment.worth === null) return 'other_currency';
  const found = payment.invoiceIds.flatMap((id) => invoices.get(id) ?? []);
  if (found.length > 0 && found.every(({ status }) => status === 'void')) return 'invoice_void';
  const isOwed = found.some((invoice) => owedOf(invoice) > 0);
  // The user of the account was erased, so nobody could use the credit.
  return account.erasedAt !== null && !isOwed ? 'account_closed' : null;
}

function move(
  books: Books,
  { id, invoiceIds }: Payment,
  change: number,
  now: Date,
): { readonly books: Books; readonly allocations: readonly Moved[] } {
  if (change === 0) return { books, allocations: [] };
  const { books: after, moved } =
    change > 0 ? pay(receive(books, id, change, now), id, invoiceIds, now) : takeBack(books, id, -change, now);
  return { books: after, allocations: moved };
}

/** The data of an event about moved money, in the currency of the invoices. */
function movedData(payment: Payment, amount: number, moved: readonly Moved[], { invoices }: Books) {
  const { accountId, provider, currency, worth } = payment;
  const allocated = moved.reduce((sum, each) => sum + each.amount, 0);
  return {
    accountId,
    provider,
    currency: worth?.currency ?? currency,
    amount,
    allocations: moved.map((each) => ({ ...each, number: invoices.get(each.invoiceId)?.number ?? '' })),
    // The allocations may include credit that the payment had before, and so may be more than `amount`.
    credit: Math.max(0, amount - allocated),
  };
}

/** The event about unallocated money that was returned. */
function moneyBackFacts(
  payment: Payment,
  { received, wentBack }: { readonly received: number; readonly wentBack: WentBack },
): readonly Fact[] {
  const { id, accountId, provider, currency, unallocatedReason } = payment;
  const amount = payment.received - received;
  if (unallocatedReason === null || amount <= 0) return [];
  return [
    fact(billingEvents.paymentRefunded, id, {
      accountId,
      provider,
      currency,
      amount,
      kind: wentBack,
      allocations: [],
      credit: 0,
    }),
  ];
}

function inBooks({ payments }: Books, id: string): Payment {
  const payment = payments.get(id);
  if (!payment) throw new Error(`${id} is not in the books`);
  return payment;
}
