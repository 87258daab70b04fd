import { newId } from '@storefront/contracts';
import { noRelay } from '@storefront/mongo';
import { entered, pay, receive, withPaymentOf } from '../src/domain/books.ts';
import { openBooks } from '../src/store/books.ts';
import { openStore } from '../src/store/collections.ts';
import type { Harness } from './harness.ts';
import { aPayment } from './states.ts';

/** Money of an account that comes and pays these invoices; what is more is credit. Returns the id of the payment. */
export async function receiveMoney(
  { connection, now }: Pick<Harness, 'connection' | 'now'>,
  accountId: string,
  amount: number,
  invoiceIds: readonly string[] = [],
): Promise<string> {
  const books = openBooks(openStore({ database: connection, relay: noRelay, now }), 'EUR');
  const id = newId('pay');
  await books.transaction(async (transaction) => {
    const before = await books.load(transaction, accountId, { invoiceIds });
    if (!before) throw new Error(`${accountId} has no books`);
    const money = receive(withPaymentOf(before, aPayment({ id, accountId, status: 'succeeded' })), id, amount, now());
    const after = entered(
      before,
      pay(money, id, invoiceIds, now()).books,
      { kind: 'payment', id, number: null },
      now(),
    );
    await books.save(transaction, before, after, []);
  });
  return id;
}
