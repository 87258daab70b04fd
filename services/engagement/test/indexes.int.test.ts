import { catalogEvents, identityEvents, newId } from '@storefront/contracts';
import { eventually, findSlow, recordQueries } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalogCopies } from '../src/promotions/store/catalog-copies.ts';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const person = { firstName: 'Ada', lastName: 'L' };

describe('every query of the service', () => {
  it('uses an index, and reads no more than it shows', async () => {
    const { people, connection } = service;
    await fill(people.admin.sub, 2000);
    const stopRecording = await recordQueries(connection);
    await everyRoute();
    await eventually(
      () => service.collection('system.profile').findOne({ 'command.sort.dueAt': 1 }),
      'a search for due mail',
    );
    const queries = await stopRecording();

    expect(findSlow(queries, 60).byNoIndex).toEqual([]);
    expect(queries.filter(({ sorted }) => sorted)).toEqual([]);
    expect(queries.map(({ collection }) => collection)).toEqual(
      expect.arrayContaining([
        'categories',
        'deliveries',
        'notification_marks',
        'notifications',
        'preferences',
        'products',
        'suppressions',
      ]),
    );
    const lists = queries.filter(
      ({ collection, command }) =>
        (collection === 'notifications' && /"limit":21\b/.test(command)) || /"batchSize":50\b/.test(command),
    );
    expect(lists.length).toBeGreaterThanOrEqual(3);
    expect(lists.filter(({ documentsExamined }) => documentsExamined > 60)).toEqual([]);
    // Counting unread ones reads the index only.
    const counts = queries.filter(
      ({ collection, command }) =>
        collection === 'notifications' && command.includes('"$sum":1') && !command.includes('outbox'),
    );
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.filter(({ documentsExamined }) => documentsExamined > 0)).toEqual([]);
  });
});

/** Stores so many notifications that a scan would be noticed. */
async function fill(userId: string, count: number): Promise<void> {
  const audiences = [userId, service.people.ada.sub, service.people.bob.sub, newId('user')];
  await service.notifications.insertMany(
    Array.from({ length: count }, (_, index) => {
      const isRead = index % 3 > 0;
      return {
        _id: newId('ntf'),
        audience: audiences[index % audiences.length],
        category: 'account',
        type: index % 2 === 0 ? 'even' : 'odd',
        title: 'x',
        body: '',
        data: {},
        outbox: [],
        readAt: isRead ? new Date() : null,
        unread: !isRead,
        createdAt: new Date(Date.now() - index * 1000),
      };
    }),
  );
}

/** Exports a user's data, then erases it. */
async function erase(userId: string): Promise<void> {
  const email = 'erased@example.com';
  await service.publish(service.event(identityEvents.userVerified, userId, { ...person, email, role: 'retail' }));
  await service.delivered(email);
  const exportId = newId('exp');
  const [exported, erased] = [
    service.event(identityEvents.userExportRequested, userId, { exportId, email }),
    service.event(identityEvents.userErasureRequested, userId, { email, role: 'retail' }),
  ];
  const answered = (id: string) =>
    eventually(() => service.collection('data_requests').findOne({ _id: id }), 'the answer');
  await service.publish(exported);
  await answered(exportId);
  await service.publish(erased);
  await answered(erased.id);
}

/** Keeps copies of products and categories, and reads them as an evaluation of discounts does. */
async function readCopies(): Promise<void> {
  const cups = { id: newId('cat'), name: 'Cups', slug: 'cups', parentId: null, path: [], isActive: true };
  const categories = [cups, { ...cups, id: newId('cat') }];
  const products = [newId('prod'), newId('prod')].map((id) => ({
    id,
    sku: id,
    name: 'Mug',
    slug: id,
    image: null,
    categoryIds: categories.map((category) => category.id),
    price: { amount: 1999, currency: 'EUR' },
    tradePrice: null,
    status: 'active' as const,
    stock: 1,
    available: true,
  }));
  await service.publish(
    ...categories.map((category) => service.event(catalogEvents.categoryCreated, category.id, category)),
    ...products.map((product) => service.event(catalogEvents.productCreated, product.id, product)),
  );
  await service.idle();
  const copies = openCatalogCopies({ database: service.connection });
  expect((await copies.find(products.map(({ id }) => id))).size).toBe(2);
}

async function everyRoute(): Promise<void> {
  const { people } = service;
  await readCopies();
  for (const who of [people.ada, people.admin]) {
    for (const query of ['', '?status=unread', '?status=read', '?type=even', '?type=even&status=unread']) {
      const { body } = await service.request(who, 'GET', `/v1/notifications${query}`);
      if (body.nextCursor) await service.request(who, 'GET', `/v1/notifications?cursor=${body.nextCursor}`);
    }
    const { body } = await service.request(who, 'GET', '/v1/notifications');
    const path = `/v1/notifications/${body.data[0].id}`;
    await service.request(who, 'POST', `${path}/read`);
    await service.request(who, 'POST', `${path}/unread`);
    await service.request(who, 'DELETE', path);
    await service.request(who, 'POST', '/v1/notifications/read-all');
    await service.request(who, 'PUT', '/v1/notifications/preferences', {});
    await service.request(who, 'GET', '/v1/notifications/preferences');
    await stream(who);
  }
  const trade = { ...person, email: 'trade@example.com', businessName: 'L', codeOnly: false, appliesAgain: false };
  await service.publish(
    service.event(identityEvents.tradeAccountRegistered, newId('user'), {
      ...trade,
      ...(await service.sealed('111222')),
    }),
  );
  await service.delivered('trade@example.com');
  const { body } = await service.request(people.admin, 'GET', '/v1/notifications');
  await service.request(people.admin, 'DELETE', `/v1/notifications/${body.data[0].id}`);
  await erase(newId('user'));
  service.mails.answerRecipient = () => 550;
  const mail = { channel: 'EMAIL', email: 'gone@example.com', html: '<p>x</p>' };
  const sent = await service.request(people.admin, 'POST', '/v1/notifications', mail, { 'idempotency-key': 'indexes' });
  await service.delivered('gone@example.com', 'failed');
  await service.request(people.admin, 'POST', `/v1/notifications/deliveries/${sent.body.id}/retry`);
  for (const part of ['', '/mail'])
    await service.request(people.admin, 'GET', `/v1/notifications/deliveries/${sent.body.id}${part}`);
  for (const query of [
    '',
    '?status=failed',
    '?channel=EMAIL',
    `?userId=${people.ada.sub}`,
    '?status=failed&channel=EMAIL',
  ]) {
    const list = await service.request(
      people.admin,
      'GET',
      `/v1/notifications/deliveries${query}${query ? '&' : '?'}limit=1`,
    );
    if (list.body.nextCursor)
      await service.request(
        people.admin,
        'GET',
        `/v1/notifications/deliveries${query}${query ? '&' : '?'}limit=1&cursor=${list.body.nextCursor}`,
      );
  }
}

/** Opens a stream until its first event. */
async function stream(who: Engagement['people']['ada']): Promise<void> {
  const left = new AbortController();
  const response = await fetch(`${service.url()}/v1/notifications/stream`, {
    headers: await service.headersFor(who),
    signal: left.signal,
  });
  await response.body?.getReader().read();
  left.abort();
}
