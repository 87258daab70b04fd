import {
  accountOperations,
  fact,
  identityEvents,
  newId,
  ordersEvents,
  ownVariantId,
  toEvent,
  topology,
  type Event,
} from '@storefront/contracts';
import { coverageOf, eventually, fill, findSlow, recordQueries, type Answer, type RanQuery } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { identityKeys } from '../src/domain/match.ts';
import { searchTokens } from '../src/domain/search.ts';
import { anonymous, person, startAccount, type Harness, type Person } from './harness.ts';

const total = inject('isProof') ? 100_000 : 12_000;
// A query may look at so many documents more than it returns, and put so many in order in memory. Every share of the
// documents that a query names has more: the smallest is a twentieth.
const few = 510;

/** Half of all recipients are this user's: far more than one can save, so that each search that is slow shows. */
const hoarder = person();
/** Nearly has as many recipients as there can be. */
const collector = person();
/** Every twentieth wishlist holds it. */
const popular = newId('prod');

let account: Harness;
const coverage = coverageOf(Object.values(accountOperations));
const published = new Set<string>();
let queries: readonly RanQuery[];

beforeAll(async () => {
  account = await startAccount();
  await fillAll();
  const recorded = await recordQueries(account.connection);
  await everyRoute();
  await everyEvent();
  queries = await recorded();
}, 300_000);
afterAll(() => account.close());

describe(`each query of the service, at ${total} documents`, () => {
  it('was run: every route, every field of its query, every event', () => {
    expect(coverage.missing()).toEqual([]);
    const handled = topology.filter(({ queue }) => queue.startsWith('account.')).flatMap(({ types }) => types);
    expect([...published].toSorted()).toEqual([...new Set<string>(handled)].toSorted());
    // The register of instances is read every few seconds, whoever asks for anything.
    const requested = queries.map(({ collection }) => collection).filter((name) => name !== 'instances');
    expect(new Set(requested)).toEqual(
      new Set([
        'address_books',
        'audit_notes',
        'counted_orders',
        'customers',
        'data_requests',
        'erased_users',
        'idempotency_key_counts',
        'idempotency_keys',
        'order_turns',
        'price_history',
        'products',
        'recipient_answers',
        'wishlist_alerts',
        'wishlists',
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
  const answer = await account.call(who, method, path, body, { 'idempotency-key': newId('evt') });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

async function everyRoute(): Promise<void> {
  const who = person();
  const productId = await account.newProduct();
  published.add('catalog.product-created');

  const addresses = '/v1/users/me/addresses';
  const address = { contactPhone: '020 123 4567', homeAddress: 'Pier 4', city: 'Amsterdam', country: 'NL' };
  const { body: made } = await ask(who, 'POST', addresses, address);
  await ask(who, 'POST', addresses, address);
  await ask(who, 'GET', `${addresses}/${made.id}`);
  await ask(who, 'PATCH', `${addresses}/${made.id}`, { city: 'Utrecht' });
  await everyPage(who, `${addresses}?limit=1`);
  await ask(who, 'DELETE', `${addresses}/${made.id}`);

  const { body: wish } = await ask(who, 'POST', '/v1/wishlist/items', { productId });
  await ask(who, 'POST', '/v1/wishlist/merge', { items: [{ productId }, { productId: popular }] });
  await ask(who, 'GET', '/v1/wishlist');
  await ask(who, 'GET', '/v1/wishlist/insights');
  const { body: shared } = await ask(who, 'POST', '/v1/wishlist/share');
  await ask(anonymous, 'GET', shared.path);
  await ask(who, 'DELETE', '/v1/wishlist/share');
  await ask(who, 'DELETE', `/v1/wishlist/items/${wish.id}`);
  await ask(who, 'DELETE', `/v1/wishlist/items?productId=${productId}&variantId=${ownVariantId(productId)}`);
  await ask(who, 'DELETE', '/v1/wishlist');

  const { body: saved } = await ask(collector, 'POST', '/v1/customers', { firstName: 'Ada', lastName: 'Lovelace' });
  await ask(collector, 'GET', `/v1/customers/${saved.id}`);
  await ask(collector, 'PATCH', `/v1/customers/${saved.id}`, { note: 'Ring twice' });
  await everySearch();
  await ask(collector, 'DELETE', `/v1/customers/${saved.id}`);
}

/** What all recipients begin with, what many do, few, one, none; and several words of which the last is the rarest. */
const searches: Record<string, number> = {
  '': 20,
  n: 20,
  name4: 20,
  name1199: 5,
  name11998: 1,
  nobody: 0,
  'smith n': 20,
  'smith name1199': 5,
  'smith n11998@example': 1,
};

async function everySearch(): Promise<void> {
  for (const [words, found] of Object.entries(searches)) {
    const path = `/v1/customers?limit=20&q=${encodeURIComponent(words)}`;
    const { body } = await ask(hoarder, 'GET', path);
    expect([words, body.data.length]).toEqual([words, found]);
    if (body.nextCursor) await ask(hoarder, 'GET', `${path}&cursor=${body.nextCursor}`);
  }
}

async function everyPage(who: Person, path: string): Promise<void> {
  const { body } = await ask(who, 'GET', path);
  if (body.nextCursor) await everyPage(who, `${path.split('&')[0]}&cursor=${body.nextCursor}`);
}

async function everyEvent(): Promise<void> {
  const cheaper = { price: { amount: 1, currency: 'EUR' } };
  await publish(account.productEvent(popular, 2, cheaper));
  await publish({ ...account.productEvent(popular, 3, cheaper), type: 'catalog.stock-changed' });
  await publish(account.productEvent(popular, 4, null));
  await publish(account.productSnapshotEvent(popular, 4));
  for (const index of [8, 8, 4]) await publish(order(hoarder, index));
  await publish(order(collector, total));
  const saved = { kind: 'customer' as const, id: idOf('cust', 8) };
  await publish(toEvent(fact(ordersEvents.recipientRequested, newId('ord'), { userId: hoarder.id, saved }), at()));
  const who = person();
  await account.call(who, 'POST', '/v1/customers', { firstName: 'Ada', lastName: 'Lovelace' });
  const exported = { exportId: newId('exp'), email: 'ada@example.com' };
  await publish(toEvent(fact(identityEvents.userExportRequested, who.id, exported), at()));
  const erased = { email: 'ada@example.com', role: 'retail' as const };
  await publish(toEvent(fact(identityEvents.userErasureRequested, who.id, erased), at()));
  await publish(toEvent(fact(identityEvents.userErased, who.id, {}), at()));
  await account.idle();
  await eventually(
    async () => (await account.collection('customers').countDocuments({ owner: who.id })) === 0,
    'nothing left of who was erased',
  );
}

async function publish(event: Event): Promise<void> {
  published.add(event.type);
  await account.publish(event);
}

const at = () => ({ sequence: 9, time: new Date() });

/** An order for that recipient of the hoarder. */
function order(who: Person, index: number): Event {
  const data = {
    orderId: newId('evt'),
    userId: who.id,
    recipient: { firstName: nameOf(index), lastName: 'Smith', email: `n${index}@example.com` },
    placedAt: new Date().toISOString(),
    lines: [{ productId: popular, quantity: 1, unitPrice: { amount: 1999, currency: 'EUR' } }],
  };
  return toEvent(fact(ordersEvents.orderPlaced, data.orderId, data), at());
}

/** What is kept for each user, recipient and product; documents that are only read by their id are left out where possible. */
async function fillAll(): Promise<void> {
  const begun = Date.now();
  const user = (index: number) => idOf('user', index);
  const product = (index: number) => (index === 0 ? popular : idOf('prod', index));
  const time = (index: number) => new Date(begun - (total - index) * 1000);
  const kept = { version: 1, outbox: [] };
  const price = { amount: 1999, currency: 'EUR' };

  const makers: Record<string, (index: number) => { _id: string }> = {
    customers(index) {
      const owner = index % 2 === 0 ? hoarder.id : index < 9200 ? collector.id : user(index % 5000);
      const customerId = idOf('cust', index);
      const email = index % 10 === 8 ? `n${index}@example.com` : null;
      const who = { firstName: nameOf(index), lastName: 'Smith', email, phone: null };
      const more = { address: null, note: null, orderCount: 0, lastOrderedAt: null };
      const indexed = { tokens: searchTokens(who), keys: identityKeys(who) };
      const dates = { createdAt: time(index), updatedAt: time(index) };
      return { _id: `${owner}/${customerId}`, owner, customerId, ...who, ...more, ...dates, ...indexed, ...kept };
    },
    wishlists: (index) => ({
      _id: user(index),
      tier: index % 20 === 0 ? 'trade' : 'retail',
      share: index % 10 === 0 ? { tokenHash: `hash-${index}`, createdAt: time(index) } : null,
      items: [popular, product(index)].slice(index % 20 === 0 ? 0 : 1).map((productId) => ({
        id: idOf('wli', index),
        productId,
        createdAt: time(index),
        priceAtAdding: { price, tradePrice: null },
      })),
      ...kept,
    }),
    products: (index) => ({
      _id: product(index),
      sequence: 1,
      facts: {
        name: 'Mug',
        image: null,
        price,
        tradePrice: null,
        available: true,
        counted: 1,
        listed: true,
        options: [],
        variants: [],
      },
      deleted: false,
      lows: { retail: [], trade: [] },
      due: [],
      ...kept,
    }),
    address_books: (index) => ({ _id: user(index), defaultId: null, addresses: [], ...kept }),
    wishlist_alerts: (index) => ({
      _id: `${user(index)}/${product(index)}/1/price-drop`,
      raisedAt: time(index),
      ...kept,
    }),
  };
  for (const [name, make] of Object.entries(makers)) await fill(account.collection(name), total, make);
}

/** Alike ones are of all times, as in life. */
function nameOf(index: number): string {
  return `Name${(index * 7919) % total}`;
}

/** As ids are written, and faster made than new ones. */
function idOf(prefix: 'user' | 'prod' | 'cust' | 'wli', index: number): string {
  return `${prefix}_${String(index).padStart(26, '0')}`;
}
