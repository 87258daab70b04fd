import { catalogEvents, identityEvents, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
let people: Engagement['people'];
beforeAll(async () => {
  service = await startEngagement();
  people = service.people;
});
beforeEach(async () => {
  await Promise.all([service.notifications.deleteMany({}), service.collection('notification_marks').deleteMany({})]);
});
afterAll(() => service.close());

/** Sends `count` in-app notifications as an administrator and returns their ids, newest first. */
async function notify(userId: string, count = 1, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const body = { channel: 'IN_APP', userId, title: `Number ${number}`, ...more };
    const { status, body: answer } = await service.request(people.admin, 'POST', '/v1/notifications', body);
    expect(status).toBe(202);
    ids.unshift(answer.notificationId);
  }
  return ids;
}
const list = (who: Engagement['people']['ada'], query = '') => service.request(who, 'GET', `/v1/notifications${query}`);

describe('GET /v1/notifications', () => {
  it('answers exactly what the contract says, newest first', async () => {
    const ids = await notify(people.ada.sub, 2, {
      type: 'order-shipped',
      body: 'It is on its way',
      data: { orderId: 'o1' },
    });
    await notify(people.bob.sub);
    const { status, body } = await list(people.ada);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['data', 'nextCursor', 'unreadCount']);
    expect(body).toMatchObject({ unreadCount: 2, nextCursor: null });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.data[0]).toEqual({
      id: ids[0],
      type: 'order-shipped',
      title: 'Number 2',
      body: 'It is on its way',
      data: { orderId: 'o1' },
      readAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('filters by status and type', async () => {
    const [newest] = await notify(people.ada.sub, 2, { type: 'news' });
    await notify(people.ada.sub, 1, { type: 'order-shipped' });
    await service.request(people.ada, 'POST', `/v1/notifications/${newest}/read`);
    const titles = async (query: string) =>
      (await list(people.ada, query)).body.data.map(({ title }: { title: string }) => title);
    expect(await titles('?status=unread')).toEqual(['Number 1', 'Number 1']);
    expect(await titles('?status=read')).toEqual(['Number 2']);
    expect(await titles('?type=order-shipped')).toEqual(['Number 1']);
    expect(await titles('?type=news&status=unread')).toEqual(['Number 1']);
    expect((await list(people.ada, '?status=read')).body.unreadCount).toBe(2);
  });

  it('pages without a gap or a repetition while new ones arrive', async () => {
    const ids = await notify(people.ada.sub, 7);
    // Several of one moment are in the order of their ids.
    await service.notifications.updateMany(
      { _id: { $in: ids.slice(1, 5) } },
      { $set: { createdAt: new Date(Date.now() - 1000) } },
    );
    await service.notifications.updateMany(
      { _id: { $in: ids.slice(5) } },
      { $set: { createdAt: new Date(Date.now() - 2000) } },
    );
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { body } = await list(people.ada, query);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (body.nextCursor === null) break;
      query = `?limit=2&cursor=${body.nextCursor}`;
      await notify(people.ada.sub);
    }
    expect(seen.sort()).toEqual(ids.sort());
  });

  it.each(['?status=new', '?limit=0', '?limit=101', '?cursor=abc', '?colour=red', '?type=A%20B', '?limit=two'])(
    'refuses %s',
    async (query) => {
      expect((await list(people.ada, query)).status).toBe(400);
    },
  );

  it("refuses a cursor of another user's list", async () => {
    await notify(people.ada.sub, 2);
    const { body } = await list(people.ada, '?limit=1');
    expect((await list(people.bob, `?cursor=${body.nextCursor}`)).status).toBe(400);
  });

  it('requires a caller', async () => {
    expect((await service.request(null, 'GET', '/v1/notifications')).status).toBe(401);
  });
});

it('a user keeps the newest 5,000, and nobody loses any by another', async () => {
  const [first] = await notify(people.ada.sub);
  const [ofBob] = await notify(people.bob.sub);
  const mold = await service.notifications.findOne({ _id: first });
  const base = Date.now() - 60_000;
  const older = Array.from({ length: 5050 }, (_, at) => ({
    ...mold,
    _id: newId('ntf'),
    // Ten of each moment: the id decides which of them are kept.
    createdAt: new Date(base - Math.floor(at / 10)),
  }));
  await service.notifications.insertMany(older);
  const [last] = await notify(people.ada.sub);
  const left = await service.notifications.find({ audience: people.ada.sub }).toArray();
  expect(left).toHaveLength(5000);
  const ids = new Set(left.map(({ _id }: { _id: string }) => _id));
  expect([first, last].map((id) => ids.has(id ?? ''))).toEqual([true, true]);
  expect(older.slice(0, 4990).filter(({ _id }) => !ids.has(_id))).toEqual([]);
  expect((await list(people.bob)).body.data.map(({ id }: { id: string }) => id)).toEqual([ofBob]);
});

describe('read marks', () => {
  it('are set, keep their first time, and are removed', async () => {
    const [id] = await notify(people.ada.sub);
    const read = await service.request(people.ada, 'POST', `/v1/notifications/${id}/read`);
    expect(read).toMatchObject({ status: 200, body: { id, readAt: expect.any(String) } });
    const again = await service.request(people.ada, 'POST', `/v1/notifications/${id}/read`);
    expect(again.body.readAt).toBe(read.body.readAt);
    expect((await list(people.ada)).body).toMatchObject({ unreadCount: 0, data: [{ readAt: read.body.readAt }] });
    const unread = await service.request(people.ada, 'POST', `/v1/notifications/${id}/unread`);
    expect(unread.body.readAt).toBeNull();
    expect((await list(people.ada)).body.unreadCount).toBe(1);
  });

  it('are set for all notifications of the caller, and for no other user', async () => {
    await Promise.all([notify(people.ada.sub, 3), notify(people.bob.sub)]);
    const answer = await service.request(people.ada, 'POST', '/v1/notifications/read-all');
    expect(answer).toMatchObject({ status: 200, body: { updated: 3, unreadCount: 0 } });
    expect((await service.request(people.ada, 'POST', '/v1/notifications/read-all')).body.updated).toBe(0);
    expect((await list(people.bob)).body.unreadCount).toBe(1);
  });
});

describe('a notification', () => {
  it('is deleted once, and an event that is delivered again does not bring it back', async () => {
    const event = service.event(identityEvents.userVerified, people.ada.sub, {
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      role: 'retail',
    });
    await service.publish(event, event);
    const welcome = await eventually(async () => (await list(people.ada)).body.data[0], 'the welcome');
    expect(welcome).toMatchObject({ type: 'welcome', title: 'Welcome to Tea & Tools' });
    expect((await service.request(people.ada, 'DELETE', `/v1/notifications/${welcome.id}`)).status).toBe(204);
    expect((await service.request(people.ada, 'DELETE', `/v1/notifications/${welcome.id}`)).status).toBe(404);
    await service.publish(event);
    const other = service.event(identityEvents.userVerified, people.bob.sub, {
      ...(event.data as any),
      email: 'b@example.com',
    });
    await service.publish(other);
    await eventually(
      async () => (await list(people.bob)).body.data.length === 1,
      'the notification that was published after it',
    );
    expect((await list(people.ada)).body).toMatchObject({ data: [], unreadCount: 0 });
  });

  it('of another user is answered exactly like one that does not exist, and like a malformed id', async () => {
    const [others] = await notify(people.bob.sub);
    const requests = [
      ['POST', '/read'],
      ['POST', '/unread'],
      ['DELETE', ''],
    ] as const;
    for (const [method, action] of requests) {
      const answers = [];
      for (const id of [others, newId('ntf'), newId('user'), 'nonsense', '%00', '$ne']) {
        const { status, body } = await service.request(people.ada, method, `/v1/notifications/${id}${action}`);
        answers.push([status, body.code]);
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['[404,"not_found"]']));
    }
    expect((await list(people.bob)).body).toMatchObject({ unreadCount: 1, data: [{ id: others, readAt: null }] });
  });
});

describe('a notification for all administrators', () => {
  it('says once which product is running low', async () => {
    const [id, variantId] = [newId('prod'), newId('var')];
    const shirt = { id, variantId, sku: 'SHIRT-M', name: 'Shirt', values: ['M', 'blue'], threshold: 5 };
    const low = service.event(catalogEvents.stockLow, id, { ...shirt, stock: 4 });
    const out = service.event(catalogEvents.stockLow, id, { ...shirt, stock: 0 }, 2);
    await service.publish(low, low, out);
    await eventually(async () => (await list(people.boss)).body.unreadCount >= 2, 'the notifications');
    const { data } = (await list(people.boss)).body;
    expect(data.map(({ type, title, body }: Record<string, string>) => [type, title, body]).toSorted()).toEqual([
      ['stock-low', 'A product is out of stock', '“Shirt”, M, blue (SHIRT-M): none left.'],
      ['stock-low', 'A product is running low', '“Shirt”, M, blue (SHIRT-M): 4 left.'],
    ]);
    expect((await list(people.ada)).body.data).toEqual([]);
  });

  const apply = (businessName: string) => {
    const person = { email: 'trade@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    return service.event(identityEvents.tradeAccountSubmitted, newId('user'), { ...person, businessName });
  };

  it('is marked and deleted by each for themselves, and seen by no other role', async () => {
    await notify(people.admin.sub);
    await service.publish(apply('Lovelace'), apply('Babbage'));
    await eventually(async () => (await list(people.boss)).body.unreadCount === 2, 'the notifications');
    const { body } = await list(people.admin);
    expect(body.unreadCount).toBe(3);
    expect(body.data.map(({ type }: { type: string }) => type).sort()).toEqual([
      'message',
      'trade-account-waiting',
      'trade-account-waiting',
    ]);
    expect((await list(people.ada)).body.data).toEqual([]);

    const { id } = (await list(people.boss)).body.data[0];
    expect((await service.request(people.ada, 'POST', `/v1/notifications/${id}/read`)).status).toBe(404);
    expect((await service.request(people.admin, 'POST', `/v1/notifications/${id}/read`)).status).toBe(200);
    expect((await list(people.admin)).body.unreadCount).toBe(2);
    expect((await list(people.admin, '?status=unread')).body.data).toHaveLength(2);
    expect((await list(people.admin, '?status=read')).body.data).toMatchObject([{ id }]);
    expect((await list(people.boss)).body.unreadCount).toBe(2);
    await service.request(people.admin, 'POST', `/v1/notifications/${id}/unread`);
    expect((await list(people.admin)).body.unreadCount).toBe(3);

    expect((await service.request(people.admin, 'DELETE', `/v1/notifications/${id}`)).status).toBe(204);
    expect((await service.request(people.admin, 'DELETE', `/v1/notifications/${id}`)).status).toBe(404);
    expect((await list(people.admin)).body).toMatchObject({ unreadCount: 2, data: { length: 2 } });
    expect((await service.request(people.admin, 'POST', '/v1/notifications/read-all')).body).toEqual({
      updated: 2,
      unreadCount: 0,
    });
    expect((await list(people.boss)).body).toMatchObject({ unreadCount: 2, data: { length: 2 } });
  });
});

describe('preferences', () => {
  const put = (body: unknown, headers: Record<string, string> = {}) =>
    service.request(people.ada, 'PUT', '/v1/notifications/preferences', body, headers);
  const get = () => service.request(people.ada, 'GET', '/v1/notifications/preferences');

  it('are on at first but for mail that asks for an opt-in, are replaced, and carry their version', async () => {
    const first = await get();
    expect(first.body).toMatchObject({
      types: {
        offers: { IN_APP: true, EMAIL: false },
        marketing: { IN_APP: true, EMAIL: false },
        orders: { EMAIL: true },
      },
      quietHours: null,
    });
    const quietHours = { start: '22:00', end: '07:00', timeZone: 'Europe/Amsterdam' };
    const changed = await put({ types: { offers: { EMAIL: true }, orders: { EMAIL: false } }, quietHours });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      types: {
        offers: { IN_APP: true, EMAIL: true },
        marketing: { IN_APP: true, EMAIL: false },
        orders: { IN_APP: true, EMAIL: false },
      },
      quietHours,
    });
    expect((await get()).body).toEqual(changed.body);
    expect((await put({}, { 'if-match': first.headers.get('etag') ?? '' })).status).toBe(412);
    expect((await put({}, { 'if-match': changed.headers.get('etag') ?? '' })).body.quietHours).toBeNull();
  });

  it('never switch off security messages', async () => {
    const { status, body } = await put({ types: { security: { EMAIL: false } } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'security_messages_required', errors: [{ pointer: '/types/security/EMAIL' }] });
  });

  it('never switch off mails about invoices', async () => {
    const { status, body } = await put({ types: { invoices: { IN_APP: false, EMAIL: false } } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'invoice_mails_required', errors: [{ pointer: '/types/invoices/EMAIL' }] });
  });

  it.each([
    { types: { news: {} } },
    { types: { orders: { FAX: true } } },
    { quietHours: { start: '25:00', end: '07:00', timeZone: 'UTC' } },
    { quietHours: { start: '22:00', end: '07:00', timeZone: 'Mars/Base' } },
    { quietHours: { start: '22:00', end: '07:00' } },
    { types: { orders: { EMAIL: { $ne: null } } } },
  ])('refuse %j', async (body) => {
    expect((await put(body)).status).toBe(400);
  });

  it('keep what is switched off out of the list, and no mail is sent about it', async () => {
    await put({ types: { marketing: { IN_APP: false } } });
    const message = { userId: people.ada.sub, category: 'marketing' };
    const inApp = await service.request(people.admin, 'POST', '/v1/notifications', {
      ...message,
      channel: 'IN_APP',
      title: 'Sale',
    });
    expect(inApp.body).toMatchObject({ status: 'recorded', reason: 'switched_off_by_user', notificationId: null });
    const mail = { ...message, channel: 'EMAIL', email: 'ada@example.com', html: '<p>Sale</p>' };
    expect((await service.request(people.admin, 'POST', '/v1/notifications', mail)).body).toMatchObject({
      status: 'recorded',
      reason: 'switched_off_by_user',
    });
    expect((await list(people.ada)).body.data).toEqual([]);
    expect(service.mails.received.filter(({ mail }) => mail.html?.includes('Sale'))).toEqual([]);
    await put({});
  });

  it('delay a mail until the quiet hours are over, but not a security mail', async () => {
    const hours = (offset: number) => `${String((new Date().getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`;
    const end = hours(2);
    await put({ quietHours: { start: hours(-1), end, timeZone: 'UTC' } });
    const mail = { channel: 'EMAIL', userId: people.ada.sub, email: 'quiet@example.com', html: '<p>Hush</p>' };
    const held = await service.request(people.admin, 'POST', '/v1/notifications', mail);
    expect(held.body.status).toBe('pending');
    const delivery = await service.request(people.admin, 'GET', `/v1/notifications/deliveries/${held.body.id}`);
    expect(new Date(delivery.body.nextAttemptAt).toISOString().slice(11, 16)).toBe(end);
    await service.request(people.admin, 'POST', '/v1/notifications', { ...mail, category: 'security' });
    await eventually(() => service.mails.to('quiet@example.com').length === 1, 'the security mail alone');
    await put({});
  });
});
