import { audited, billingEvents, fact } from '@storefront/contracts';
import type { Actor, Fact } from '@storefront/contracts';
import { owedOf } from './balance.ts';
import type { Invoice } from './invoice.ts';

/** What every event about an invoice says of it. */
export function toldOf(invoice: Invoice) {
  const { accountId, number, currency, total, dueOn } = invoice;
  return { accountId, number, currency, total, balance: owedOf(invoice), dueOn };
}

/** Of the invoices after a change, those that are paid and were not before: each is told. */
export function paidFacts(before: ReadonlyMap<string, Invoice>, after: ReadonlyMap<string, Invoice>): Fact[] {
  return [...after.values()].flatMap((invoice) => {
    const { id, status, paidAt } = invoice;
    if (status !== 'paid' || paidAt === null || before.get(id)?.status === 'paid') return [];
    return [fact(billingEvents.invoicePaid, id, { ...toldOf(invoice), paidAt: paidAt.toISOString() })];
  });
}

/** What the audit log is told of an administrator's action on an invoice. */
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
