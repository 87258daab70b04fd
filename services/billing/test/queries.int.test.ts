import { billingOperations, identityEvents, newId, ordersEvents, topology, type Event } from '@storefront/contracts';
import {
  coverageOf,
  eventually,
  fill,
  findSlow,
  newEvent,
  recordQueries,
  type Answer,
  type RanQuery,
} from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newOrderPayment } from '../src/orders/domain/order-payment.ts';
import { anAccount, anInvoice, stored } from './builders.ts';
import { demoBody, send } from './callbacks.ts';
import { admin, person, startBilling, teaHouse, type Harness, type Person } from './harness.ts';
import { aPayment } from './states.ts';

const total = inject('isProof') ? 100_000 : 5000;
// A query may look at so many documents more than it returns, and put so many in order in memory.
const few = 100;

/** Half of all invoices and payments are this account's. */
const hoarder = person('trade');

let billing: Harness;
const coverage = coverageOf(Object.values(billingOperations));
const published = new Set<string>();
let queries: readonly RanQuery[];

beforeAll(async () => {
  // Nothing listens there: what the provider is called for is left undone.
  billing = await startBilling({ settings: { DEMO_PAYMENT_URL: 'http://127.0.0.1:9' } });
  await fillAll();
  const recorded = await recordQueries(billing.connection);
  await everyRoute();
  await everyEvent();
  queries = await recorded();
}, 300_000);
afterAll(() => billing.close());

describe(`each query of the service, at ${total} documents`, () => {
  it('was run: every route, every field of its query, every event', () => {
    expect(coverage.missing()).toEqual([]);
    const handled = topology.filter(({ queue }) => queue.startsWith('billing.')).flatMap(({ types }) => types);
    // The service itself publishes this one.
    published.add('billing.callback-received');
    expect([...published].toSorted()).toEqual([...new Set<string>(handled)].toSorted());
    // These are read every few seconds, whoever asks for anything.
    const byThemselves = new Set(['instances', 'job_holders']);
    const requested = queries.map(({ collection }) => collection).filter((name) => !byThemselves.has(name));
    expect(new Set(requested)).toEqual(
      new Set([
        'accounts',
        'audit_notes',
        'callbacks',
        'data_requests',
        'erased_users',
        'idempotency_key_counts',
        'idempotency_keys',
        'invoices',
        'journal',
        'order_payments',
        'payments',
        'refused_orders',
        'series',
      ]),
    );
  });

  it('goes by an index, looks at few documents more than it returns, and puts few in order in memory', () => {
    expect(findSlow(queries, few)).toEqual({ byNoIndex: [], readMuch: [], sorted: [] });
  });
});

/** Calls a route, which must do what it is there for. */
async function ask(who: Person | null, method: string, path: string, body?: unknown): Promise<Answer> {
  coverage.called(method, path);
  const answer = await billing.call(who, method, path, body, { 'idempotency-key': newId('evt') });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

async function twoPages(who: Person, path: string): Promise<void> {
  const { body } = await ask(who, 'GET', `${path}${path.includes('?') ? '&' : '?'}limit=20`);
  if (body.nextCursor)
    await ask(who, 'GET', `${path}${path.includes('?') ? '&' : '?'}limit=20&cursor=${body.nextCursor}`);
}

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const lines = [{ description: 'Tea', quantity: 2, unitPrice: eur(1000), taxRate: 19 }];

async function everyRoute(): Promise<void> {
  for (const [who, path] of [
    [hoarder, '/v1/invoices'],
    [admin, '/v1/invoices'],
    [admin, `/v1/trade-accounts/${hoarder.id}/invoices`],
  ] as const) {
    await twoPages(who, path);
    for (const status of ['open', 'paid', 'overdue', 'void']) await twoPages(who, `${path}?status=${status}`);
    await twoPages(who, `${path}?from=2026-02-01&to=2026-02-03`);
    await twoPages(who, `${path}?status=open&from=2026-02-01&to=2026-02-03`);
    await twoPages(who, `${path}?dueBefore=2026-09-01`);
    await twoPages(who, `${path}?number=INV-2020-2`);
  }
  for (const query of ['', '&status=open', '&dueBefore=2026-09-01', '&number=INV-2020-2'])
    await twoPages(admin, `/v1/invoices?account=${hoarder.id}${query}`);
  await ask(hoarder, 'GET', '/v1/invoices/credit');
  await ask(admin, 'GET', '/v1/shop');
  for (const format of ['json', 'csv', 'csv&dialect=standard', 'csv&dialect=excel-de', 'pdf'])
    await ask(hoarder, 'GET', `/v1/invoices/statement?from=2026-03-01&to=2026-03-08&format=${format}`);

  const buyer = await billing.newAccount();
  published.add('identity.trade-account-approved');
  const account = `/v1/trade-accounts/${buyer.id}`;
  await ask(admin, 'GET', `${account}/credit`);
  await ask(admin, 'PUT', `${account}/credit`, { limit: null, termsDays: 30, hold: false });
  const issue = async () =>
    (await ask(admin, 'POST', '/v1/invoices', { accountId: buyer.id, lines, orderRef: newId('evt') })).body.id;
  const [id, mistake] = [await issue(), await issue()];
  await ask(admin, 'POST', `/v1/invoices/${mistake}/void`, {});
  const { body: credited } = await ask(admin, 'POST', `/v1/invoices/${id}/credit-notes`, {
    lines: [{ line: 0, quantity: 1 }],
    reason: 'Damaged',
  });
  const note = `/v1/invoices/${id}/credit-notes/${credited.id}`;
  for (const path of [
    `/v1/invoices/${id}`,
    `/v1/invoices/${id}/pdf`,
    `/v1/invoices/${id}/xml`,
    `${note}/pdf`,
    `${note}/xml`,
  ])
    await ask(buyer, 'GET', path);
  await ask(admin, 'GET', `${account}/invoices/${id}`);
  await ask(admin, 'GET', `${account}/invoices/${id}/pdf`);
  for (const path of ['', '/pdf'])
    await ask(admin, 'GET', `${account}/invoices/${id}/credit-notes/${credited.id}${path}`);

  const { body: payment } = await ask(buyer, 'POST', '/v1/payments', { invoiceIds: [id] });
  await ask(buyer, 'GET', `/v1/payments/${payment.id}`);
  coverage.called('POST', '/v1/payments/callbacks/demo');
  await send(billing, demoBody({ paymentId: payment.id, amount: 500, reference: 'tr_1' }));
  await send(billing, demoBody({ paymentId: newId('pay'), amount: 500, reference: 'tr_2' }));
  await billing.idle();
  const unknown = await eventually(
    () => billing.collection('payments').findOne({ 'receipts.reference': 'tr_2' }),
    'the unallocated money',
  );
  await ask(admin, 'POST', `/v1/payments/${unknown['_id']}/allocate`, { accountId: buyer.id, invoiceIds: [id] });
  const words = ['pending', 'succeeded', 'failed', 'refunded', 'disputed', 'unallocated'];
  for (const who of [hoarder, admin]) {
    await twoPages(who, '/v1/payments');
    for (const status of words) await twoPages(who, `/v1/payments?status=${status}`);
  }
  await twoPages(admin, `/v1/payments?account=${hoarder.id}`);
  await twoPages(admin, `/v1/payments?account=${hoarder.id}&status=pending`);

  const callbacks = '/v1/payments/callbacks';
  await twoPages(admin, callbacks);
  for (const outcome of ['received', 'done', 'ignored', 'failed', 'duplicate', 'bad_signature', 'stale']) {
    await twoPages(admin, `${callbacks}?outcome=${outcome}`);
    await twoPages(admin, `${callbacks}?outcome=${outcome}&payment=${payment.id}`);
  }
  await twoPages(admin, `${callbacks}?payment=${payment.id}`);
  const known = await billing.collection('callbacks').findOne({ paymentId: payment.id });
  await ask(admin, 'GET', `${callbacks}/${known?._id}`);
  await ask(admin, 'POST', `${callbacks}/${known?._id}/replay`, {});
}

async function everyEvent(): Promise<void> {
  const who = await billing.newAccount();
  const published = { email: 'a@example.com', firstName: 'Bea', lastName: 'Buyer' };
  const decided = {
    ...published,
    businessName: teaHouse.name,
    reason: null,
    business: teaHouse,
    submittedAt: '2026-11-20T09:30:00.000Z',
  };
  await publish(newEvent(identityEvents.tradeAccountSuspended, who.id, decided, 3));
  await publish(newEvent(identityEvents.tradeAccountReinstated, who.id, decided, 4));
  const present = { ...published, role: 'trade' as const, isApproved: true, business: teaHouse };
  await publish(newEvent(identityEvents.userSnapshot, who.id, present, 5));
  const corrected = { ...published, isApproved: true, business: { ...teaHouse, country: 'AT' } };
  await publish(newEvent(identityEvents.tradeAccountChanged, who.id, corrected, 6));
  for (const lists of [[{ productId: 'prod_1', quantity: 1, unitPrice: eur(100) }], undefined]) {
    const orderId = newId('evt');
    const order = {
      orderId,
      userId: who.id,
      recipient: { firstName: 'Ada', lastName: 'Lovelace' },
      placedAt: new Date().toISOString(),
      tier: 'trade' as const,
      paymentTerms: 'invoice' as const,
      lines: lists,
    };
    const placed = newEvent(ordersEvents.orderPlaced, orderId, order);
    await publish(placed);
    await publish(placed);
  }
  for (const method of ['card', 'invoice'] as const) {
    const [orderId, paymentId] = [newId('ord'), newId('pay')];
    const requested = { paymentId, userId: who.id, method, currency: 'EUR', amount: 100, returnUrl: null };
    await publish(newEvent(ordersEvents.paymentRequested, orderId, requested, 2));
    if (method === 'card') {
      await eventually(async () => (await orderPayment(orderId))?.['attempts'][0].state === 'open', 'the page');
      await send(billing, demoBody({ paymentId, amount: 200, reference: `tr_${orderId}` }));
      await eventually(async () => (await orderPayment(orderId))?.['failedCalls'] > 0, 'a refund in vain');
    }
    const reduced = {
      changeId: newId('och'),
      lines: [],
      currency: 'EUR',
      keep: 100,
      charged: { quantities: [1], shipping: true },
    };
    await publish(newEvent(ordersEvents.orderReduced, orderId, reduced, 3));
    await publish(newEvent(ordersEvents.paymentClosingRequested, orderId, { reason: 'unpaid' }, 3));
    await publish(
      newEvent(
        ordersEvents.orderCancelled,
        orderId,
        { userId: who.id, from: 'closing', reason: 'unpaid', segment: 'guest', currency: 'EUR', sold: null },
        4,
      ),
    );
  }
  const exported = { exportId: newId('exp'), email: 'a@example.com' };
  await publish(newEvent(identityEvents.userExportRequested, who.id, exported, 9));
  const erased = { email: 'a@example.com', role: 'trade' as const };
  await publish(newEvent(identityEvents.userErasureRequested, who.id, erased, 9));
  await publish(newEvent(identityEvents.userErased, who.id, {}, 10));
  await billing.idle();
}

const orderPayment = (id: string) => billing.collection('order_payments').findOne({ _id: id });

async function publish(event: Event): Promise<void> {
  published.add(event.type);
  await billing.publish(event);
  await billing.idle();
}

async function fillAll(): Promise<void> {
  const owners = Array.from({ length: 500 }, () => newId('user'));
  const ownerOf = (index: number) => (index % 2 === 0 ? hoarder.id : (owners[index % 500] ?? hoarder.id));
  const dayOf = (index: number) =>
    new Date(Date.UTC(2026, 0, 1) + (index % 300) * 86_400_000).toISOString().slice(0, 10);
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + (index / total) * 278 * 86_400_000);
  const statuses = ['paid', 'paid', 'paid', 'open', 'overdue', 'void'] as const;
  const sums = { outstanding: 0, entries: total, lastEntryAt: at(total) };
  const makers: Record<string, (index: number) => { _id: string }> = {
    accounts: (index) => stored(anAccount({ id: index === 0 ? hoarder.id : newId('user'), ...sums })),
    invoices(index) {
      const status = statuses[Math.floor(index / 2) % statuses.length] ?? 'open';
      const orderRef = index % 3 === 0 ? `order-${index}` : null;
      const more = { status, accountId: ownerOf(index), orderRef, number: `INV-2020-${index}` };
      // What is done by itself is not what is measured.
      return stored(anInvoice(dayOf(index), 30, { ...more, nextStepAt: null }));
    },
    journal(index) {
      const [accountId, sequence] = [ownerOf(index), index + 1];
      const entry = { accountId, sequence, at: at(index), kind: 'invoice', id: newId('inv'), number: null };
      return { _id: `${accountId}/${sequence}`, ...entry, amount: 1, balance: sequence };
    },
    payments(index) {
      const status =
        (['pending', 'succeeded', 'failed', 'refunded', 'disputed'] as const)[Math.floor(index / 2) % 5] ?? 'pending';
      return stored(aPayment({ id: newId('pay'), accountId: ownerOf(index), status, createdAt: at(index) }));
    },
    order_payments: (index) =>
      stored({
        ...newOrderPayment(`order-${index}`, 'EUR', at(index)),
        nextCallAt: index % 2 === 0 ? at(total * 2) : null,
      }),
    callbacks: (index) => ({
      _id: newId('cbk'),
      version: 1,
      outbox: [],
      provider: 'demo',
      outcome: ['done', 'ignored', 'failed', 'duplicate', 'bad_signature', 'stale'][index % 6],
      reason: null,
      eventId: `evt_${index}`,
      type: 'payment.succeeded',
      paymentId: index % 2 === 0 ? newId('pay') : null,
      address: null,
      bytes: 2,
      body: '{}',
      receivedAt: at(index),
      doneAt: at(index),
      replays: 0,
      deleteAt: null,
    }),
    refused_orders: (index) => ({
      _id: `refused-${index}`,
      version: 1,
      outbox: [],
      accountId: ownerOf(index),
      reason: 'limit',
      refusedAt: new Date(),
    }),
  };
  for (const [name, make] of Object.entries(makers)) await fill(billing.collection(name), total, make);
}
