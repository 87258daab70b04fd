import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityKeys } from '../src/domain/match.ts';
import { searchTokens } from '../src/domain/search.ts';
import { listFilter } from '../src/store/customers.ts';
import { anonymous, person, startAccount } from './harness.ts';
import type { Harness } from './harness.ts';

const owners = Array.from({ length: 20 }, () => newId('user'));
const owner = owners[0] as string;
const products = Array.from({ length: 50 }, () => newId('prod'));

let account: Harness;

beforeAll(async () => {
  account = await startAccount();
  const customers = Array.from({ length: 5000 }, (_, index) => {
    const ada = { firstName: `Name${index}`, lastName: 'Smith', email: `n${index}@example.com`, phone: null };
    const customerId = newId('cust');
    const of = owners[index % owners.length] as string;
    return {
      _id: `${of}/${customerId}`,
      owner: of,
      customerId,
      ...ada,
      address: null,
      note: null,
      orderCount: 0,
      lastOrderedAt: null,
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1000),
      updatedAt: new Date(),
      tokens: searchTokens(ada),
      keys: identityKeys(ada),
      version: 1,
      outbox: [],
    };
  });
  const wishlists = Array.from({ length: 5000 }, (_, index) => ({
    _id: newId('user'),
    version: 1,
    outbox: [],
    tier: 'retail',
    share: { tokenHash: `hash-${index}`, createdAt: new Date() },
    items: [{ id: newId('wli'), productId: products[index % products.length], createdAt: new Date() }],
  }));
  await account.collection('customers').insertMany(customers as any[]);
  await account.collection('wishlists').insertMany(wishlists as any[]);
});
afterAll(() => account.close());

/** How many documents and index keys a read looks at, and by which way. */
async function explained(name: string, filter: object, sort: Record<string, 1 | -1> = {}, limit = 0) {
  const plan = await account.collection(name).find(filter).sort(sort).limit(limit).explain('executionStats');
  const { totalDocsExamined: documents, totalKeysExamined: keys, nReturned: returned } = plan.executionStats;
  const text = JSON.stringify(plan.queryPlanner.winningPlan);
  const stages = ['COLLSCAN', 'IXSCAN', 'IDHACK', 'SORT'].filter((stage) => text.includes(`"stage":"${stage}"`));
  return { stages, documents, keys, returned };
}

describe('a query', () => {
  const newest = { createdAt: -1, _id: -1 } as const;

  it('for a page of recipients reads just that page, in its order', async () => {
    const first = await explained('customers', listFilter(owner, null, null), newest, 21);
    expect(first).toMatchObject({ stages: ['IXSCAN'], documents: 21, returned: 21 });
    const middle = { createdAt: new Date(Date.UTC(2026, 0, 1) + 2000 * 1000), id: `${owner}/cust_` };
    const later = await explained('customers', listFilter(owner, null, middle), newest, 21);
    expect(later).toMatchObject({ stages: ['IXSCAN'], returned: 21 });
    // One more: the item of that very moment that was shown already.
    expect(later.documents).toBeLessThanOrEqual(22);
  });

  it('for recipients by a beginning reads no more than those of the owner that begin so', async () => {
    const found = await explained('customers', listFilter(owner, ['name49'], null), newest, 21);
    expect(found.stages).not.toContain('COLLSCAN');
    expect(found.returned).toBe(5);
    expect(found.documents).toBeLessThanOrEqual(5);
  });

  it('for the recipient of an order reads those that share a trait', async () => {
    const keys = ['email:n40@example.com', 'name:nobody'];
    const found = await explained('customers', { owner, keys: { $in: keys } });
    expect(found).toMatchObject({ stages: ['IXSCAN'], documents: 1, returned: 1 });
  });

  it('for those who wish for a product reads just them, in the order of their ids', async () => {
    const filter = { 'items.productId': products[0], _id: { $gt: newId('user').slice(0, 8) } };
    expect(await explained('wishlists', filter, { _id: 1 }, 50)).toMatchObject({ stages: ['IXSCAN'], documents: 50 });
  });

  it('for a shared list reads it alone', async () => {
    expect(await explained('wishlists', { 'share.tokenHash': 'hash-7' })).toMatchObject({
      stages: ['IXSCAN'],
      documents: 1,
    });
  });
});

describe('what the service sends to the database', () => {
  it('never scans a collection, whichever route is called', async () => {
    const who = person();
    const database = account.connection.getClient().db(account.connection.name);
    await database.command({ profile: 2 });
    const productId = await account.newProduct();
    const address = { contactPhone: '020 123 4567', homeAddress: 'x', city: 'x', country: 'NL' };
    const { body } = await account.call(who, 'POST', '/v1/users/me/addresses', address);
    await account.call(who, 'PATCH', `/v1/users/me/addresses/${body.id}`, { city: 'y' });
    await account.call(who, 'GET', '/v1/users/me/addresses');
    await account.call(who, 'POST', '/v1/wishlist/items', { productId });
    await account.call(who, 'GET', '/v1/wishlist');
    await account.call(who, 'GET', '/v1/wishlist/insights');
    const shared = await account.call(who, 'POST', '/v1/wishlist/share');
    await account.call(anonymous, 'GET', shared.body.path);
    await account.product(productId, 2, { price: { amount: 1, currency: 'EUR' } });
    await account.call({ id: owner, role: 'retail' }, 'GET', '/v1/customers?q=name4');
    await account.call({ id: owner, role: 'retail' }, 'GET', '/v1/customers');
    const customer = await account.call(who, 'POST', '/v1/customers', { firstName: 'A', lastName: 'B' });
    await account.call(who, 'GET', `/v1/customers/${customer.body.id}`);
    await account.idle();
    await database.command({ profile: 0 });
    const scans = await database
      .collection('system.profile')
      .find({ planSummary: /COLLSCAN/, ns: { $not: /system\.profile/ } })
      .toArray();
    expect(scans.map(({ ns, command }) => `${ns} ${JSON.stringify(command)}`)).toEqual([]);
    const seen = await database.collection('system.profile').countDocuments({ planSummary: /IXSCAN|IDHACK/ });
    expect(seen).toBeGreaterThan(10);
  });
});
