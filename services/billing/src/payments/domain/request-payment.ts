import { billingErrors, billingFields, invalidFields } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import { owedOf } from '../../domain/balance.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { emptyPayment, type Payment } from '../../domain/payment.ts';

/** How many payments of an account may be pending. */
export const maxPending = 50;
/** For how many days a payment counts as pending. */
export const pendingDays = 30;

interface Request {
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  /** The currency of the shop. */
  readonly currency: string;
  readonly invoiceIds: readonly string[];
  /** In minor units; all that is owed where it is undefined. */
  readonly amount: number | undefined;
}

/**
 * A payment that is to be paid. `invoices` are those of `invoiceIds` that belong to the account; `pending` is how many of its payments
 * are pending. Throws `validation_failed` with every id that is not of one of its invoices, `nothing_owed`, `more_than_owed` and
 * `too_many_pending_payments`.
 */
export function requestPayment(
  { id, accountId, provider, currency, invoiceIds, amount }: Request,
  invoices: ReadonlyMap<string, Invoice>,
  { pending, now }: { readonly pending: number; readonly now: Date },
): Payment {
  const missing = invoiceIds.flatMap((invoiceId, at) =>
    invoices.has(invoiceId) ? [] : [billingFields.noSuchInvoice(at)],
  );
  if (missing.length > 0) throw invalidFields(missing);
  let owed = 0;
  for (const invoice of invoices.values()) owed += owedOf(invoice);
  if (owed === 0) throw billingErrors.nothingOwed();
  const requested = amount ?? owed;
  if (requested > owed) throw billingErrors.moreThanOwed(`${toDecimal({ amount: owed, currency })} ${currency}`);
  if (pending >= maxPending) throw billingErrors.tooManyPendingPayments();
  return { ...emptyPayment(id, provider, currency, now), accountId, asked: requested, invoiceIds };
}
