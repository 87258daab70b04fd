import { notFound, type Actor, type billingHttp } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import type { BooksStore } from '../../store/books.ts';
import { allocatePayment as allocate } from '../domain/allocate-payment.ts';
import type { Payment } from '../../domain/payment.ts';

interface Needs {
  readonly books: BooksStore;
  readonly payments: Repository<Payment>;
  readonly shop: { readonly currency: string };
  readonly now: () => Date;
}

/**
 * Allocates a payment of unknown purpose to an account and its invoices. Throws `not_found`, `nothing_to_allocate`, and
 * `validation_failed` with every wrong field.
 */
export async function allocatePayment(
  { books, payments, shop: { currency }, now }: Needs,
  { id, allocation, actor }: { id: string; allocation: billingHttp.Allocation; actor: Actor },
): Promise<Payment> {
  return await books.transaction(async (transaction) => {
    const found = await payments.load(id, transaction);
    if (!found) throw notFound('payment');
    const { accountId, invoiceIds } = allocation;
    const before = await books.load(transaction, accountId, { invoiceIds });
    const { books: after, facts } = allocate(before, found.state, { allocation, currency, actor, now: now() });
    if (before !== null) await books.save(transaction, before, after, facts);
    return after.payments.get(id) ?? found.state;
  });
}
