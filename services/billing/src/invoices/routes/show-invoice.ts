import type { billingHttp } from '@storefront/contracts';
import type { z } from 'zod';
import { owedOf } from '../../domain/balance.ts';
import type { CreditNote, Invoice, Sums } from '../../domain/invoice.ts';

/** An invoice as the API shows it. */
export function showInvoice(invoice: Invoice): billingHttp.InvoiceBody {
  const { currency, paidAt, voidedAt, payments, creditNotes } = invoice;
  const money = (amount: number) => ({ amount, currency });
  return {
    id: invoice.id,
    number: invoice.number,
    accountId: invoice.accountId,
    status: invoice.status,
    buyer: invoice.buyer,
    seller: invoice.seller,
    reference: invoice.reference,
    orderRef: invoice.orderRef,
    ...showSums(invoice, currency),
    taxTreatment: invoice.taxTreatment,
    reverseCharge: invoice.reverseCharge,
    amountPaid: money(invoice.amountPaid),
    credited: money(invoice.credited),
    balance: money(owedOf(invoice)),
    termsDays: invoice.termsDays,
    issuedAt: invoice.issuedAt.toISOString(),
    issuedOn: invoice.issuedOn,
    dueAt: invoice.dueAt.toISOString(),
    dueOn: invoice.dueOn,
    paidAt: paidAt?.toISOString() ?? null,
    voidedAt: voidedAt?.toISOString() ?? null,
    payments: payments.map(({ paymentId, amount, at }) => ({
      paymentId,
      amount: money(amount),
      at: at.toISOString(),
    })),
    creditNotes: creditNotes.map((note) => showNote(note, currency)),
  };
}

/** A credit note of the invoice as the API shows it by itself. */
export function showCreditNote(
  { id: invoiceId, accountId, currency }: Invoice,
  note: CreditNote,
): z.infer<typeof billingHttp.creditNoteOfInvoice> {
  return { ...showNote(note, currency), invoiceId, accountId };
}

function showNote(note: CreditNote, currency: string): billingHttp.CreditNoteBody {
  return {
    id: note.id,
    number: note.number,
    issuedAt: note.issuedAt.toISOString(),
    issuedOn: note.issuedOn,
    reason: note.reason,
    ...showSums(note, currency),
  };
}

function showSums({ lines, taxes, subtotal, tax, total }: Sums, currency: string) {
  const money = (amount: number) => ({ amount, currency });
  return {
    lines: lines.map(({ description, sku, quantity, unitPrice, discount, taxRate, net }) => ({
      description,
      sku,
      quantity,
      unitPrice: money(unitPrice),
      discount: money(discount),
      taxRate,
      net: money(net),
    })),
    taxes: taxes.map(({ rate, base, amount }) => ({ rate, base: money(base), amount: money(amount) })),
    subtotal: money(subtotal),
    tax: money(tax),
    total: money(total),
  };
}
