import { setTimeout as wait } from 'node:timers/promises';
import { billingEvents, type Event } from '@storefront/contracts';
import type mongoose from 'mongoose';
import { createAdmin } from '../admin.ts';
import { createClient } from '../client.ts';
import { none } from '../discounts/accounts.ts';
import type { FinalState } from '../final-state.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import { consumeEvents } from '../system/event-queue.ts';
import { createPublisher } from '../system/publish-event.ts';
import type { SystemUnderTest } from '../system/system.ts';
import {
  imbalancesOf,
  netOf,
  wrongBalances,
  wrongNumbers,
  type BalanceChange,
  type StoredBooks,
  type StoredInvoice,
} from './books.ts';
import { makeBuyers, orderPlaced, type Buyer, type OrderOnAccount } from './buyers.ts';
import { createProvider, type Provider, type ProviderEvent } from './provider.ts';

/** An invoice that was asked for, by an administrator or by an order. */
export interface AskedInvoice {
  readonly buyer: Buyer;
  /** The total with tax, in cents. */
  readonly total: number;
  readonly orderRef: string;
  /** Whether it must be there, or may be. */
  state: 'acknowledged' | 'unclear';
  /** What the answer says of it; absent where none came. */
  stored?: { readonly id: string; readonly number: string };
}

/** An event that the provider sent, once or several times. */
export interface SentEvent extends ProviderEvent {
  /** How often it was answered 200. */
  acknowledged: number;
  /** How many tries had no such answer: each may have been kept or not. */
  unclear: number;
}

/** What the virtual users share to buy on account. */
export interface TestInvoices {
  readonly buyers: readonly Buyer[];
  readonly invoices: AskedInvoice[];
  readonly sent: SentEvent[];
  /** The numbers of the invoices that were to be voided: nobody pays them. */
  readonly voided: Set<string>;
  readonly provider: Provider;
  /** Publishes once that an order on account was placed, of so many cents without tax. */
  readonly placeOrder: (order: OrderOnAccount) => Promise<boolean>;
}

/** The invoices of a run, with what looks at the books from outside. */
export interface InvoicesUnderTest extends TestInvoices {
  /** Ends the looks, and publishes again the orders that the broker has not confirmed. */
  stop(): Promise<void>;
  facts(finalState: FinalState): Promise<MeasuredFact[]>;
}

const buyerCount = 4;
const lookPauseMs = 200;
const eventsDeadlineMs = 30_000;
const pauseMs = 250;

/** Makes the buyers of a run, before its faults, and begins to look at the books. */
export async function openInvoices(
  system: SystemUnderTest,
  mongodb: mongoose.mongo.MongoClient,
  { seed }: { seed: number },
): Promise<InvoicesUnderTest> {
  const { gateways, admin: administrator, payments } = system.stack;
  const { amqp } = system.backing.direct;
  const admin = createAdmin(createClient(gateways, randomOf(seed, 'invoices')), administrator);
  const issued = new Map<string, string>();
  const changes = new Map<string, BalanceChange>();
  const { invoiceIssued, invoiceBalanceChanged } = billingEvents;
  const types = [invoiceIssued.type, invoiceBalanceChanged.type];
  const queue = consumeEvents(system.backing.direct, 'faults.invoices', types, ({ content }) => {
    const event = JSON.parse(content.toString()) as Event<{ readonly delta: number }>;
    if (event.type === invoiceIssued.type) issued.set(event.id, event.subject);
    else changes.set(event.id, { invoiceId: event.subject, delta: event.data.delta });
  });
  await queue.opened;
  const database = mongodb.db('storefront_billing');
  const buyers = await makeBuyers({ amqp, mongodb, admin }, { seed, count: buyerCount });
  const invoices: AskedInvoice[] = [];
  const sent: SentEvent[] = [];
  const imbalances = new Set<string>();
  const stopping = new AbortController();
  const orders = createPublisher(amqp);
  let looks = 0;
  let publishedAgain = 0;

  /** All of the books at one moment. */
  async function readBooks(): Promise<StoredBooks> {
    return mongodb.withSession({ snapshot: true }, async (session) => {
      const read = (name: string, filter = {}) => database.collection(name).find(filter, { session }).toArray();
      const [accounts, all, payments, journal] = [
        await read('accounts'),
        await read('invoices'),
        // What is paid for orders is outside the books.
        await read('payments', { orderId: null }),
        await read('journal'),
      ];
      return { accounts, invoices: all, payments, journal } as unknown as StoredBooks;
    });
  }

  async function lookAgainAndAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Faults make many looks fail.
      const books = await readBooks().catch(() => null);
      if (books) {
        looks += 1;
        for (const imbalance of imbalancesOf(books)) imbalances.add(imbalance);
      }
      await wait(lookPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const looking = lookAgainAndAgain();

  return {
    buyers,
    invoices,
    sent,
    voided: new Set(),
    provider: createProvider(gateways, payments.secret, randomOf(seed, 'provider')),
    placeOrder: (order) => orders.publish(orderPlaced(order)),
    async stop() {
      stopping.abort();
      await looking;
      publishedAgain = await orders.publishUnconfirmed();
    },
    async facts(finalState) {
      const books = await readBooks();
      const deadline = performance.now() + eventsDeadlineMs;
      // The rig's own queue may be behind.
      const isBehind = () => wrongEvents(books, issued).length > 0 || wrongBalances(books, changes.values()).length > 0;
      while (isBehind() && performance.now() < deadline) await wait(pauseMs);
      await queue.stop();
      const ledger = (await finalState.find('billing', 'callbacks', {})) as unknown as StoredCallback[];
      return [
        { what: 'looks at the books of trade accounts', found: looks, atLeast: 1 },
        none('sums of the books that did not add up', [...imbalances, ...imbalancesOf(books)]),
        none('numbers of invoices and credit notes that are missing or there twice', [
          ...wrongNumbers(books.invoices.map(({ number }) => number)),
          ...wrongNumbers(books.invoices.flatMap(({ creditNotes }) => creditNotes.map(({ number }) => number))),
        ]),
        none(
          'invoices that are not as their answers say',
          wrongInvoices(
            invoices,
            books.invoices.filter(({ accountId }) => buyers.some(({ id }) => id === accountId)),
          ),
        ),
        none('invoices without one event, or with several', wrongEvents(books, issued)),
        none('invoices whose events do not add up to what is owed', wrongBalances(books, changes.values())),
        none(
          'invoices without one mail to the buyer, or with several',
          buyers.flatMap(({ id, email }) => {
            const [mails, right] = [
              finalState.mailsRequested(email, 'invoice-issued'),
              books.invoices.filter(({ accountId }) => accountId === id).length,
            ];
            return mails === right ? [] : [`${email}: ${mails} mails of ${right} invoices`];
          }),
        ),
        none('transfers of money that are not as the provider stated', wrongTransfers(sent, books)),
        none('callbacks that are not in the ledger as they were sent', wrongCallbacks(sent, ledger)),
        { what: 'invoices', found: books.invoices.length, atLeast: 1 },
        {
          what: 'callbacks of the provider that were acknowledged',
          found: total(sent.map((each) => each.acknowledged)),
          atLeast: 1,
        },
        { what: 'credit notes', found: total(books.invoices.map(({ creditNotes }) => creditNotes.length)) },
        { what: 'orders on account that were published again, as they were not confirmed', found: publishedAgain },
      ];
    },
  };
}

interface StoredCallback {
  readonly eventId: string | null;
  readonly outcome: string;
  readonly reason: string | null;
}

function wrongInvoices(asked: readonly AskedInvoice[], stored: readonly StoredInvoice[]): string[] {
  const byOrder = new Map(stored.map((invoice) => [invoice.orderRef, invoice]));
  const missing = asked.flatMap(({ orderRef, state, total: right, stored: answered }) => {
    const found = byOrder.get(orderRef);
    if (!found) return state === 'acknowledged' ? [`${orderRef} is missing`] : [];
    const isOther = answered !== undefined && (answered.id !== found._id || answered.number !== found.number);
    return found.total === right && !isOther
      ? []
      : [`${orderRef} is ${found.number} of ${found.total}, not ${answered?.number} of ${right}`];
  });
  const orders = new Set(asked.map(({ orderRef }) => orderRef));
  return [
    ...missing,
    ...stored.flatMap(({ number, orderRef }) => (orders.has(orderRef ?? '') ? [] : [`nobody asked for ${number}`])),
  ];
}

function wrongEvents({ invoices }: StoredBooks, issued: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>();
  for (const subject of issued.values()) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  return invoices.flatMap(({ _id, number }) =>
    counts.get(_id) === 1 ? [] : [`${number}: ${counts.get(_id) ?? 0} events`],
  );
}

/** Compares what each transfer brought with what the provider stated; what was never acknowledged may count or not. */
function wrongTransfers(sent: readonly SentEvent[], { payments }: StoredBooks): string[] {
  const kept = new Map(
    payments.flatMap(({ receipts }) => receipts.map((receipt) => [receipt.reference, receipt] as const)),
  );
  return [...Map.groupBy(sent, ({ reference }) => reference)].flatMap(([reference, events]) => {
    const of = (type: ProviderEvent['type'], isPossible: (event: SentEvent) => boolean) =>
      total(events.filter((event) => event.type === type && isPossible(event)).map(({ amount }) => amount));
    const sure = (event: SentEvent) => event.acknowledged > 0;
    const possible = () => true;
    const receipt = kept.get(reference) ?? { reference, succeeded: 0, refunded: 0, disputed: 0 };
    const isRight =
      of('payment.succeeded', sure) <= receipt.succeeded &&
      receipt.succeeded <= of('payment.succeeded', possible) &&
      of('payment.refunded', sure) <= receipt.refunded &&
      receipt.refunded <= of('payment.refunded', possible);
    return isRight ? [] : [`${reference}: ${JSON.stringify(receipt)}, net ${netOf(receipt)}`];
  });
}

function wrongCallbacks(sent: readonly SentEvent[], ledger: readonly StoredCallback[]): string[] {
  const entries = Map.groupBy(ledger, ({ eventId }) => eventId);
  return sent.flatMap(({ id, acknowledged, unclear }) => {
    const found = entries.get(id) ?? [];
    const first = found.filter(({ outcome }) => outcome !== 'duplicate');
    const isCounted = acknowledged <= found.length && found.length <= acknowledged + unclear;
    const isDone = first.length === 1 ? first[0]?.outcome === 'done' : first.length === 0 && acknowledged === 0;
    const outcomes = found.map(({ outcome, reason }) => (reason === null ? outcome : `${outcome} (${reason})`));
    return isCounted && isDone
      ? []
      : [`${id}: ${acknowledged} acknowledged, ${unclear} unclear, entries: ${outcomes.join(' ')}`];
  });
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
