import { derivedId } from '@storefront/contracts';
import { creditedForOrder } from '../domain/credited.ts';
import { creditInvoice, type CreditingNeeds } from './issue-credit-note.ts';

/**
 * Credits the invoice of an order that was cancelled, or of which a part was cancelled or refunded, down to what the shop may
 * keep of it. Nothing happens if no more than that is left, or there is no invoice. An erased, closed or held account changes
 * nothing: what goes back is owed to it.
 */
export async function creditOrder(needs: CreditingNeeds, orderId: string): Promise<void> {
  const { books, invoices, orderCredit } = needs;
  const known = await invoices.findOne({ orderRef: orderId }, { fields: ['orderRef'], hint: 'by_order' });
  if (!known) return;
  await books.transaction(async (transaction) => {
    const order = (await orderCredit.find([orderId], transaction)).get(orderId);
    if (!order || (!order.isCancelled && order.charged === null)) return;
    const found = await invoices.load(known.state.id, transaction);
    if (!found || found.state.status === 'void') return;
    const { state: invoice } = found;
    if (invoice.total - invoice.credited <= order.due) return;
    await creditInvoice(needs, transaction, invoice, {
      id: derivedId('cn', invoice.id, `credit note ${invoice.creditNotes.length + 1}`),
      reason: order.isCancelled ? 'The order was cancelled.' : 'A part of the order was cancelled or refunded.',
      ...creditedForOrder(invoice, order.isCancelled ? { charged: null, due: 0 } : order),
    });
  });
}
