import {
  audited,
  billingErrors,
  billingFields,
  invalidFields,
  type Actor,
  type billingHttp,
  type Fact,
  type FieldError,
} from '@storefront/contracts';
import type { Books } from '../../domain/books.ts';
import type { Payment } from '../../domain/payment.ts';
import { placePayment } from './settle-payment.ts';

/**
 * Gives money of unknown purpose to an account. The money pays the named invoices, and the remainder becomes credit.
 * `books` are the account's books with these invoices; null if there is no such account. Throws `nothing_to_allocate`,
 * and `validation_failed` with every wrong field.
 */
export function allocatePayment(
  books: Books | null,
  payment: Payment,
  {
    allocation,
    currency,
    actor,
    now,
  }: {
    readonly allocation: billingHttp.Allocation;
    readonly currency: string;
    readonly actor: Actor;
    readonly now: Date;
  },
): { readonly books: Books; readonly facts: readonly Fact[] } {
  if (payment.unallocatedReason === null || payment.received === 0) throw billingErrors.nothingToAllocate();
  const wrong = wrongFields(books, payment, allocation, currency);
  if (books === null || wrong.length > 0) throw invalidFields(wrong);

  const { accountId, invoiceIds, worth } = allocation;
  const given: Payment = {
    ...payment,
    accountId,
    invoiceIds,
    worth: worth ? { amount: worth.amount, currency: worth.currency, of: payment.received } : null,
  };
  const { books: after, facts } = placePayment(books, given, { wentBack: 'refund', now });
  const numbers = invoiceIds.flatMap((id) => after.invoices.get(id)?.number ?? []);
  const audit = audited('billing', actor, 'payment-allocated', {
    object: { type: 'payment', id: payment.id },
    about: accountId,
    details: {
      amount: payment.received,
      currency: payment.currency,
      ...(worth ? { worth: worth.amount } : {}),
      invoices: numbers.join(', '),
    },
  });
  return { books: after, facts: [...facts, audit] };
}

function wrongFields(
  books: Books | null,
  payment: Payment,
  { invoiceIds, worth }: billingHttp.Allocation,
  currency: string,
): FieldError[] {
  const isForeign = payment.currency !== currency;
  const ofWorth = [
    ...(isForeign && worth === undefined ? [billingFields.worthRequired()] : []),
    ...(!isForeign && worth !== undefined ? [billingFields.worthNotTaken()] : []),
    ...(isForeign && worth !== undefined && worth.currency !== currency
      ? [billingFields.otherCurrency('/worth', currency)]
      : []),
    ...(isForeign && worth?.amount === 0 ? [billingFields.nothing('/worth')] : []),
  ];
  if (books === null || books.account.erasedAt !== null) return [billingFields.noSuchAccount(), ...ofWorth];
  const missing = invoiceIds.flatMap((id, at) => (books.invoices.has(id) ? [] : [billingFields.noSuchInvoice(at)]));
  return [...missing, ...ofWorth];
}
