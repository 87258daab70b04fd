import { billingErrors, billingFields, invalidFields } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import { owedOf } from '../../domain/balance.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { emptyPayment, type Payment } from '../../domain/payment.ts';

/** The largest number of pending payments of an account. */
export const maxPending = 50;
/** The number of days for which a payment counts as pending. */
export const pendingDays = 30;

interface Request {
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  /** The currency of the shop. */
  readonly currency: string;
  readonly invoiceIds: readonly string[];
  /** In minor units; undefined to pay everything that is owed. */
  readonly amount: number | undefined;
}

/**
 * Makes a new payment that waits for its money. `invoices` contains those of `invoiceIds` that belong to the account.
 * `pending` is the number of the account's pending payments. Throws `validation_failed` with every id that is not an
 * invoice of the account, `nothing_owed`, `more_than_owed` and `too_many_pending_payments`.
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
