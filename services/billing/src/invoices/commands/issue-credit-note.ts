import { notFound, type Actor } from '@storefront/contracts';
import { auditOf } from '../../domain/invoice-facts.ts';
import type { Invoice } from '../../domain/invoice.ts';
import { creditedOf, type CreditedLine } from '../domain/credited.ts';
import { creditInvoice, creditedToItsOrder, type CreditingNeeds } from './credit-invoice.ts';

/**
 * Credits an invoice or a part of it for staff; everything that is left if no lines are given. If the note's id was used
 * before, nothing is credited again and the current invoice is returned. `expect` gets the invoice's version and throws if
 * the client has seen another one. Also throws the errors of `creditedOf`.
 */
export async function issueCreditNote(
  needs: CreditingNeeds,
  admin: Actor,
  {
    invoiceId,
    note: { id, lines, reason },
    expect,
  }: {
    readonly invoiceId: string;
    readonly note: { readonly id: string; readonly lines: readonly CreditedLine[] | null; readonly reason: string };
    readonly expect: (version: number) => void;
  },
): Promise<{ readonly invoice: Invoice; readonly version: number }> {
  const { books, invoices } = needs;
  return books.transaction(async (transaction) => {
    const found = await invoices.load(invoiceId, transaction);
    if (!found) throw notFound('invoice');
    const { state, version } = found;
    if (state.creditNotes.some((each) => each.id === id)) return { invoice: state, version };
    const account = await books.load(transaction, state.accountId, {});
    if (!account || account.account.erasedAt !== null) throw notFound('invoice');
    expect(version);
    // A part of the order that was refunded just before goes back as well.
    const invoice = (await creditedToItsOrder(needs, transaction, state)) ?? state;
    const note = { id, reason, ...creditedOf(invoice, lines) };
    return await creditInvoice(needs, transaction, invoice, note, (credited, creditNote) => [
      auditOf(admin, 'credit-note-issued', credited, { creditNote, reason }),
    ]);
  });
}
