import { auditEvents, auditRecord, newId } from '@storefront/contracts';
import { eventually, findSlow, newEvent, recordQueries } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
});
afterAll(() => identity.close());

it('reads the audit log by an index, and no entry more than it answers', async () => {
  const { body } = await identity.post('/v1/auth/login', root);
  const as: string = body.accessToken;
  const users = [newId('user'), newId('user')];
  const products = [newId('prod'), newId('prod'), newId('prod')];
  const events = Array.from({ length: 600 }, (_, index) => {
    const actor = { userId: users[index % 2] ?? '', role: 'admin', ip: '192.0.2.7', device: null };
    const id = products[index % 3] ?? '';
    const refused = index % 50 === 0 ? { refused: 'conflict' } : {};
    const action = index % 5 === 0 ? 'price-changed' : 'stock-changed';
    const record = auditRecord(actor, action, { object: { type: 'product', id }, ...refused });
    return {
      ...newEvent(auditEvents.catalog, id, record),
      time: new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString(),
    };
  });
  await identity.publish(...events);
  await eventually(
    async () => (await identity.collection('audit_entries').countDocuments({ objectType: 'product' })) === 600,
    'all entries',
  );

  const recorded = await recordQueries(identity.connection);
  const [user, object] = [`user=${users[0]}`, `object=${products[0]}`];
  const filters = ['action=price-changed', 'outcome=refused', 'from=2026-03-01T04:00:00Z', 'to=2026-03-01T08:00:00Z'];
  const queries = [[], [user], [object], [user, object], [`object=${users[0]}`], [user, `object=${users[1]}`]].flatMap(
    (first) => [first, ...filters.map((filter) => [...first, filter]), [...first, ...filters]],
  );
  for (const query of queries) {
    const path = `/v1/audit?${['limit=2', ...query].join('&')}`;
    const { status, body: page } = await identity.call('GET', path, { as });
    expect([status, path]).toEqual([200, path]);
    if (page.nextCursor) await identity.call('GET', `${path}&cursor=${page.nextCursor}`, { as });
    expect((await identity.call('GET', `/v1/audit/export?${query.join('&')}`, { as })).status).toBe(200);
  }
  const mine = await identity.call('GET', '/v1/users/me/activity?limit=2', { as });
  expect(mine.status).toBe(200);
  await identity.call('GET', `/v1/users/me/activity?limit=2&cursor=${mine.body.nextCursor}`, { as });

  const ran = (await recorded()).filter(({ collection }) => collection.startsWith('audit_'));
  expect(ran.length).toBeGreaterThan(100);
  expect(findSlow(ran, 3)).toEqual({ byNoIndex: [], readMuch: [], sorted: [] });
});
