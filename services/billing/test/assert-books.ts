import { isDeepStrictEqual } from 'node:util';
import { eventually } from '@storefront/testing';
import { expect } from 'vitest';
import type { Entry } from '../src/domain/books.ts';
import type { Account } from '../src/domain/account.ts';
import type { Invoice } from '../src/domain/invoice.ts';
import type { Payment } from '../src/domain/payment.ts';
import type { Harness } from './harness.ts';

type Stored<State> = Omit<State, 'id'> & { readonly _id: string };

/** What is stored of all accounts at one moment. */
interface Everything {
  readonly accounts: readonly Stored<Account>[];
  readonly invoices: readonly Stored<Invoice>[];
  readonly payments: readonly Stored<Payment>[];
  readonly journal: readonly Entry[];
}

/** Checks that the books of all accounts are right, in one look at the database. */
export async function assertBooks({
  connection,
  collection,
}: Pick<Harness, 'connection' | 'collection'>): Promise<void> {
  await connection.getClient().withSession({ snapshot: true }, async (session) => {
    // The connection's own read concern would go before that of the session.
    const all = async (name: string) =>
      (await collection(name).find({}, { session, readConcern: 'snapshot' }).toArray()) as never;
    expectBooks({
      accounts: await all('accounts'),
      invoices: await all('invoices'),
      payments: await all('payments'),
      journal: await all('journal'),
    });
  });
}

/** Waits until the events of all invoices add up to what is owed of each. An event that was published twice is one. */
export async function assertBalancesPublished({
  collection,
  events,
}: Pick<Harness, 'collection' | 'events'>): Promise<void> {
  const invoices = (await collection('invoices').find({}).toArray()) as unknown as Everything['invoices'];
  const owed = Object.fromEntries(
    invoices.flatMap(({ _id, status, balance }) => (status === 'void' || balance === 0 ? [] : [[_id, balance]])),
  );
  const published = () => {
    const changes = events.filter(({ type }) => type === 'billing.invoice-balance-changed');
    const sums: Record<string, number> = {};
    for (const { subject, data } of new Map(changes.map((event) => [event.id, event])).values())
      sums[subject] = (sums[subject] ?? 0) + data.delta;
    return Object.fromEntries(Object.entries(sums).filter(([, balance]) => balance !== 0));
  };
  await eventually(() => isDeepStrictEqual(published(), owed), 'events that add up to what is owed', 60_000);
}

/** Throws where a sum is not what it has to be at any moment. */
export function expectBooks({ accounts, invoices, payments, journal }: Everything): void {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  for (const { _id: accountId, outstanding, unused, entries } of accounts) {
    const own = <Item extends { readonly accountId: string | null }>(items: readonly Item[]) =>
      items.filter((item) => item.accountId === accountId);
    const entered = own(journal).toSorted((a, b) => a.sequence - b.sequence);
    expect(entered.map(({ sequence }) => sequence)).toEqual(Array.from({ length: entries }, (_, index) => index + 1));
    let balance = 0;
    for (const entry of entered) {
      balance += entry.amount;
      expect(entry.balance).toBe(balance);
    }
    expect(balance).toBe(outstanding - unused);
    expect(outstanding).toBe(sum(own(invoices).map((invoice) => (invoice.status === 'void' ? 0 : invoice.balance))));
    const counted = own(payments).filter(({ unallocatedReason }) => unallocatedReason === null);
    expect(unused).toBe(sum(counted.map(({ remainder }) => remainder)));
  }
  for (const { _id: id, total, credited, amountPaid, balance, payments: paid, creditNotes, isPrepaid } of invoices) {
    expect(total).toBe(credited + amountPaid + balance);
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(amountPaid).toBe(sum(paid.map(({ amount }) => amount)));
    expect(credited).toBe(sum(creditNotes.map((note) => note.total)));
    // The money of an order is in the record of the order.
    if (isPrepaid) continue;
    const allocated = payments.flatMap(({ allocations }) => allocations.filter(({ invoiceId }) => invoiceId === id));
    expect(amountPaid).toBe(sum(allocated.map(({ amount }) => amount)));
  }
  for (const { _id: id, orderId, received, worth, allocations, remainder } of payments) {
    expect(remainder).toBeGreaterThanOrEqual(0);
    // The money of an order is in the record of the order.
    if (orderId !== null) {
      expect([allocations, remainder]).toEqual([[], 0]);
      continue;
    }
    const held = worth === null ? received : Math.round((worth.amount * received) / worth.of);
    expect(held).toBe(sum(allocations.map(({ amount }) => amount)) + remainder);
    for (const { invoiceId, amount } of allocations) {
      const invoice = invoices.find(({ _id }) => _id === invoiceId);
      expect(amount).toBe(
        sum((invoice?.payments ?? []).filter((each) => each.paymentId === id).map((each) => each.amount)),
      );
    }
  }
}
