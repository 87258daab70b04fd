import { billingErrors, billingFields, invalidFields } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';
import { owedOf } from '../../invoices/domain/balance.ts';
import type { Invoice } from '../../invoices/domain/invoice.ts';
import { emptyPayment, type Payment } from './payment.ts';

/** How many payments of an account may wait to be paid. */
export const maxPending = 50;
/** For how many days a payment counts as one that waits. */
export const pendingDays = 30;

interface Asked {
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
 * A payment that is to be paid. `invoices` are those of the account among the ones that are asked for, `pending` says how many payments
 * of the account wait. Throws `validation_failed` with every id that is of none of its invoices, `nothing_owed`, `more_than_owed` and
 * `too_many_pending_payments`.
 */
export function askPayment(
  { id, accountId, provider, currency, invoiceIds, amount }: Asked,
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
  const asked = amount ?? owed;
  if (asked > owed) throw billingErrors.moreThanOwed(`${toDecimal({ amount: owed, currency })} ${currency}`);
  if (pending >= maxPending) throw billingErrors.tooManyPendingPayments();
  return { ...emptyPayment(id, provider, currency, now), accountId, asked, invoiceIds };
}
