import { creditedToItsOrder, type CreditingNeeds } from './credit-invoice.ts';

/**
 * Credits the invoice of an order that was cancelled, or of which a part was cancelled or refunded, down to what the shop may
 * keep of it. Nothing happens if no more than that is left, or there is no invoice. An erased, closed or held account changes
 * nothing: what goes back is owed to it.
 */
export async function creditOrder(needs: CreditingNeeds, orderId: string): Promise<void> {
  const { books, invoices } = needs;
  const known = await invoices.findOne({ orderRef: orderId }, { fields: ['orderRef'], hint: 'by_order' });
  if (!known) return;
  await books.transaction(async (transaction) => {
    const found = await invoices.load(known.state.id, transaction);
    if (found) await creditedToItsOrder(needs, transaction, found.state);
  });
}
