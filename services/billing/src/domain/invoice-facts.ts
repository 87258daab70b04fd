import { audited, billingEvents, fact, type Actor, type Fact } from '@storefront/contracts';
import type { z } from 'zod';
import { owedOf } from './balance.ts';
import type { Invoice } from './invoice.ts';

/** The invoice data that every event about an invoice contains. */
export function summaryOf(invoice: Invoice) {
  const { accountId, number, currency, total, dueOn } = invoice;
  return { accountId, number, currency, total, balance: owedOf(invoice), dueOn };
}

type Invoices = ReadonlyMap<string, Invoice>;
/** Why the owed amount has changed. */
type Reason = z.input<typeof billingEvents.invoiceBalanceChanged.data>['reason'];

/**
 * The events about invoices after a change at the time `at`: by how much the owed amount of each has changed, and which
 * invoices are now paid.
 */
export function balanceFacts(
  { before, after }: { readonly before: Invoices; readonly after: Invoices },
  reason: Reason,
  at: Date,
): Fact[] {
  return [...after.values()].flatMap((invoice) => {
    const known = before.get(invoice.id);
    return [...changedFact(known, invoice, reason, at), ...paidFact(known, invoice)];
  });
}

function changedFact(before: Invoice | undefined, after: Invoice, reason: Reason, at: Date): Fact[] {
  const delta = owedOf(after) - (before ? owedOf(before) : 0);
  if (delta === 0) return [];
  const changedAt = at.toISOString();
  return [fact(billingEvents.invoiceBalanceChanged, after.id, { ...summaryOf(after), delta, reason, changedAt })];
}

/** Not of an invoice that is credited as a whole: nobody has paid it. */
function paidFact(before: Invoice | undefined, after: Invoice): Fact[] {
  const { id, status, amountPaid, issuedAt, paidAt } = after;
  if (status !== 'paid' || paidAt === null || amountPaid === 0 || before?.status === 'paid') return [];
  const times = { issuedAt: issuedAt.toISOString(), paidAt: paidAt.toISOString() };
  return [fact(billingEvents.invoicePaid, id, { ...summaryOf(after), ...times })];
}

/** The audit entry for an action of staff on an invoice. */
export function auditOf(
  actor: Actor,
  action: 'invoice-issued' | 'invoice-voided' | 'credit-note-issued',
  invoice: Invoice,
  details: Readonly<Record<string, string | number | null>>,
): Fact {
  const { id, accountId, number, currency } = invoice;
  return audited('billing', actor, action, {
    object: { type: 'invoice', id },
    about: accountId,
    details: { number, currency, ...details },
  });
}
