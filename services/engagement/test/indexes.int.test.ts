import { identityEvents, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement } from './engagement.ts';
import type { Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const person = { firstName: 'Ada', lastName: 'L' };

interface Profiled {
  readonly ns: string;
  readonly op: string;
  readonly planSummary?: string;
  readonly hasSortStage?: boolean;
  readonly docsExamined?: number;
  readonly keysExamined?: number;
  readonly command: Record<string, unknown>;
}

describe('every query of the service', () => {
  it('uses an index, and reads no more than it shows', async () => {
    const { people, database } = service;
    await fill(people.admin.sub, 2000);
    const db = database.getClient().db(database.name);
    await db.command({ profile: 2 });
    await everyRoute();
    await eventually(
      () => db.collection('system.profile').findOne({ 'command.filter.status': 'pending' }),
      'a look for due mail',
    );
    await db.command({ profile: 0 });
    const own = { $nin: [`${database.name}.system.profile`] };
    const profiled = await db
      .collection<Profiled>('system.profile')
      .find({ ns: own, op: { $ne: 'insert' } })
      .toArray();

    const scans = profiled.filter(({ planSummary = '' }) => planSummary.includes('COLLSCAN'));
    expect(scans.map(({ ns, command }) => [ns, command])).toEqual([]);
    const collections = new Set(profiled.map(({ ns }) => ns.slice(database.name.length + 1)));
    expect([...collections]).toEqual(
      expect.arrayContaining(['notifications', 'notification_marks', 'deliveries', 'preferences', 'suppressions']),
    );
    const sorted = profiled.filter(({ hasSortStage }) => hasSortStage);
    expect(sorted.map(({ ns, command }) => [ns, command])).toEqual([]);
    const lists = profiled.filter(
      ({ ns, command }) => (ns.endsWith('.notifications') && command.limit === 21) || command.batchSize === 50,
    );
    expect(lists.length).toBeGreaterThanOrEqual(3);
    expect(
      lists
        .filter(({ docsExamined = 0 }) => docsExamined > 60)
        .map(({ command, docsExamined }) => [command, docsExamined]),
    ).toEqual([]);
    // Counting what is unread reads the index alone.
    const counts = profiled.filter(
      ({ ns, command }) => ns.endsWith('.notifications') && /"\$sum":1/.test(JSON.stringify(command)),
    );
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.filter(({ docsExamined = 0 }) => docsExamined > 0).map(({ command }) => command)).toEqual([]);
  });
});

/** So many notifications that a scan would show. */
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
        readAt: isRead ? new Date() : null,
        unread: !isRead,
        createdAt: new Date(Date.now() - index * 1000),
      };
    }),
  );
}

/** Somebody's data is handed in, then erased. */
async function erase(userId: string): Promise<void> {
  const email = 'erased@example.com';
  await service.publish(service.event(identityEvents.userVerified, userId, { ...person, email, role: 'retail' }));
  await service.delivered(email);
  const [handedIn, erased] = [
    service.event(identityEvents.userExportRequested, userId, { exportId: newId('exp'), email }),
    service.event(identityEvents.userErasureRequested, userId, { email, role: 'retail' }),
  ];
  const answered = (id: string) =>
    eventually(() => service.database.collection<{ _id: string }>('data_requests').findOne({ _id: id }), 'the answer');
  await service.publish(handedIn);
  await answered(handedIn.id);
  await service.publish(erased);
  await answered(erased.id);
}

async function everyRoute(): Promise<void> {
  const { people, ask } = service;
  for (const who of [people.ada, people.admin]) {
    for (const query of ['', '?status=unread', '?status=read', '?type=even', '?type=even&status=unread']) {
      const { body } = await ask(who, 'GET', `/v1/notifications${query}`);
      if (body.nextCursor) await ask(who, 'GET', `/v1/notifications?cursor=${body.nextCursor}`);
    }
    const { body } = await ask(who, 'GET', '/v1/notifications');
    const path = `/v1/notifications/${body.data[0].id}`;
    await ask(who, 'POST', `${path}/read`);
    await ask(who, 'POST', `${path}/unread`);
    await ask(who, 'DELETE', path);
    await ask(who, 'POST', '/v1/notifications/read-all');
    await ask(who, 'PUT', '/v1/notifications/preferences', {});
    await ask(who, 'GET', '/v1/notifications/preferences');
    await stream(who);
  }
  const trade = { ...person, email: 'trade@example.com', businessName: 'L', codeOnly: false };
  await service.publish(
    service.event(identityEvents.tradeAccountRegistered, newId('user'), {
      ...trade,
      ...(await service.sealed('111222')),
    }),
  );
  await service.delivered('trade@example.com');
  const { body } = await ask(people.admin, 'GET', '/v1/notifications');
  await ask(people.admin, 'DELETE', `/v1/notifications/${body.data[0].id}`);
  await erase(newId('user'));
  service.mails.answerRecipient = () => 550;
  const mail = { channel: 'EMAIL', email: 'gone@example.com', html: '<p>x</p>' };
  const sent = await ask(people.admin, 'POST', '/v1/notifications', mail, { 'idempotency-key': 'indexes' });
  await service.delivered('gone@example.com', 'failed');
  await ask(people.admin, 'POST', `/v1/notifications/deliveries/${sent.body.id}/retry`);
  await ask(people.admin, 'GET', `/v1/notifications/deliveries/${sent.body.id}`);
  for (const query of [
    '',
    '?status=failed',
    '?channel=EMAIL',
    `?userId=${people.ada.sub}`,
    '?status=failed&channel=EMAIL',
  ]) {
    const list = await ask(people.admin, 'GET', `/v1/notifications/deliveries${query}${query ? '&' : '?'}limit=1`);
    if (list.body.nextCursor)
      await ask(
        people.admin,
        'GET',
        `/v1/notifications/deliveries${query}${query ? '&' : '?'}limit=1&cursor=${list.body.nextCursor}`,
      );
  }
}

/** Opens a stream until its first event. */
async function stream(who: Engagement['people']['ada']): Promise<void> {
  const left = new AbortController();
  const response = await fetch(`${service.urls[0]}/v1/notifications/stream`, {
    headers: await service.headersFor(who),
    signal: left.signal,
  });
  await response.body?.getReader().read();
  left.abort();
}
