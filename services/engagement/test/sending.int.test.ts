import { identityEvents, newId, type FieldError } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
let people: Engagement['people'];
beforeAll(async () => {
  service = await startEngagement();
  people = service.people;
});
afterEach(() => {
  service.mails.answerRecipient = () => null;
});
afterAll(() => service.close());

const send = (body: unknown, headers: Record<string, string> = {}, who = people.admin) =>
  service.request(who, 'POST', '/v1/notifications', body, headers);
const delivery = (id: string, who = people.admin) => service.request(who, 'GET', `/v1/notifications/deliveries/${id}`);

describe('POST /v1/notifications', () => {
  it('sends a real mail where address and html are there', async () => {
    const { status, body } = await send({
      channel: 'EMAIL',
      email: 'Ada@Example.com',
      subject: 'Über uns',
      html: '<h1>Hello</h1><script>a()</script><p>It is <b>here</b>.</p>',
    });
    expect(status).toBe(202);
    expect(body).toEqual({ id: expect.stringMatching(/^dlv_/), status: 'pending', reason: null, notificationId: null });
    await service.delivered('ada@example.com');
    const [mail] = service.mails.to('ada@example.com');
    expect(mail).toMatchObject({ subject: 'Über uns', messageId: `<${body.id}@mail.example.com>` });
    expect(mail?.html).toContain('<p>It is <b>here</b>.</p>');
    expect(mail?.html).not.toContain('script');
    expect(mail?.text).toMatch(/^Hello\nIt is here\.\n/);
    const { body: followed } = await delivery(body.id);
    expect(followed).toMatchObject({
      id: body.id,
      channel: 'EMAIL',
      category: 'account',
      template: 'message',
      email: 'ada@example.com',
      status: 'delivered',
      attemptCount: 1,
      attempts: [{ outcome: 'accepted', answer: expect.stringMatching(/^250 /) }],
      deliveredAt: expect.any(String),
      nextAttemptAt: null,
    });
    expect(JSON.stringify(followed)).not.toContain('Hello');
  });

  it('sends text alone as a mail, with HTML that is made from it', async () => {
    const { status } = await send({ channel: 'EMAIL', email: 'text@example.com', text: 'Tea < coffee\nBye' });
    expect(status).toBe(202);
    await service.delivered('text@example.com');
    const [mail] = service.mails.to('text@example.com');
    expect(mail?.text).toMatch(/^Tea < coffee\nBye\n/);
    expect(mail?.subject).toBe('A message from Tea & Tools');
    expect(mail?.html).toContain('>Tea &lt; coffee<br>\nBye</p>');
  });

  it.each(['SMS', 'PUSH'])('records %s, to which nothing is connected, and answers so', async (channel) => {
    const { status, body } = await send({ channel, userId: newId('user'), title: 'x', body: 'x' });
    const recorded = { status: 'recorded', reason: 'channel_not_connected' };
    expect(status).toBe(202);
    expect(body).toMatchObject(recorded);
    expect((await delivery(body.id)).body).toMatchObject({ ...recorded, channel, attempts: [] });
  });

  it.each([
    [{ channel: 'EMAIL', html: '<p>x</p>' }, ['/email email_missing']],
    [{ channel: 'EMAIL', email: 'nobody@example.com', subject: 'x' }, ['/html html_missing']],
    [{ channel: 'EMAIL', title: 'x', body: 'x' }, ['/email email_missing', '/html html_missing']],
    [{ channel: 'EMAIL', email: 'nobody@example.com', text: 'x', category: 'marketing' }, ['/userId user_missing']],
    [{ channel: 'IN_APP', body: 'x' }, ['/userId user_missing', '/title title_missing']],
  ])('refuses %j, which lacks what its channel needs', async (message, missing) => {
    const { status, body } = await send(message);
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer, code }: FieldError) => `${pointer} ${code}`)).toEqual(missing);
    expect(service.mails.to('nobody@example.com')).toEqual([]);
  });

  it.each([
    { channel: 'FAX' },
    {},
    { channel: 'EMAIL', email: 'a@example.com\r\nBcc: b@example.com', html: 'x' },
    { channel: 'EMAIL', email: 'a@example.com,b@example.com', html: 'x' },
    { channel: 'EMAIL', email: '"a b"@example.com', html: 'x' },
    { channel: 'EMAIL', email: { $ne: null }, html: 'x' },
    { channel: 'EMAIL', email: 'a@example.com', subject: 'a\r\nBcc: b@example.com', html: 'x' },
    { channel: 'EMAIL', email: 'a@example.com', html: 'x'.repeat(200_001) },
    { channel: 'IN_APP', userId: 'user_1', title: 'x' },
    { channel: 'IN_APP', userId: newId('user'), title: 'x', status: 'read' },
    { channel: 'IN_APP', userId: newId('user'), title: 'x', data: { deep: { er: 1 } } },
    { channel: 'IN_APP', userId: newId('user'), title: 'x', type: 'No Good' },
  ])('refuses %j', async (message) => {
    expect((await send(message)).status).toBe(400);
  });

  it('is for administrators', async () => {
    expect((await send({ channel: 'SMS' }, {}, people.ada)).status).toBe(403);
    expect((await delivery(newId('dlv'), people.ada)).status).toBe(403);
    expect((await service.request(people.ada, 'GET', '/v1/notifications/deliveries')).status).toBe(403);
    expect((await service.request(null, 'POST', '/v1/notifications', { channel: 'SMS' })).status).toBe(401);
  });

  it('sends once for one Idempotency-Key, also with ten requests at once', async () => {
    const mail = { channel: 'EMAIL', email: 'once@example.com', html: '<p>once</p>' };
    const key = { 'idempotency-key': 'send-this-once' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(mail, key)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await service.delivered('once@example.com');
    expect(service.mails.to('once@example.com')).toHaveLength(1);
    expect((await send({ ...mail, html: '<p>twice</p>' }, key)).status).toBe(422);
  });
});

describe('deliveries', () => {
  it('are listed newest first, page by page, by status, channel, user and address', async () => {
    const userId = newId('user');
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1)
      ids.unshift((await send({ channel: 'PUSH', userId, title: 'x' })).body.id);
    const list = async (query: string) =>
      (await service.request(people.admin, 'GET', `/v1/notifications/deliveries${query}`)).body;
    const first = await list(`?userId=${userId}&limit=3`);
    const second = await list(`?userId=${userId}&limit=3&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await list(`?userId=${userId}&status=delivered`)).data).toEqual([]);
    const { body } = await send({ channel: 'EMAIL', email: 'one-guest@example.com', html: '<p>x</p>' });
    const mails = await list('?email=One-Guest%40example.com');
    expect(mails.data).toMatchObject([{ id: body.id, userId: null }]);
    const recorded = await list('?status=recorded&channel=PUSH');
    expect(recorded.data.length).toBeGreaterThanOrEqual(5);
    expect(new Set(recorded.data.map(({ channel }: { channel: string }) => channel))).toEqual(new Set(['PUSH']));
  });

  it('that were erased are not listed, also while an event about them is still to be published', async () => {
    const userId = newId('user');
    const [kept, erased] = [
      await send({ channel: 'PUSH', userId, title: 'x' }),
      await send({ channel: 'PUSH', userId, title: 'x' }),
    ];
    // The relay leaves an event of the future in the outbox.
    const event = { ...service.event(identityEvents.userErased, userId, {}), time: '2999-01-01T00:00:00.000Z' };
    const _id = erased.body.id;
    await service.deliveries.updateOne({ _id }, { $set: { deletedAt: new Date(), outbox: [event] } });
    const { body } = await service.request(people.admin, 'GET', `/v1/notifications/deliveries?userId=${userId}`);
    expect(body.data).toMatchObject([{ id: kept.body.id }]);
    expect(await service.deliveries.countDocuments({ _id })).toBe(1);
  });

  it('that failed are sent again when an administrator retries them', async () => {
    service.mails.answerRecipient = () => 550;
    const { body } = await send({ channel: 'EMAIL', email: 'moved@example.com', html: '<p>x</p>' });
    await service.delivered('moved@example.com', 'failed');
    service.mails.answerRecipient = () => null;
    const mailOf = () => service.request(people.admin, 'GET', `/v1/notifications/deliveries/${body.id}/mail`);
    expect((await mailOf()).body.content).toEqual({
      subject: expect.any(String),
      text: expect.stringContaining('x'),
      html: expect.stringContaining('<p>x</p>'),
    });
    const retried = await service.request(people.admin, 'POST', `/v1/notifications/deliveries/${body.id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { id: body.id, status: 'pending' } });
    await service.delivered('moved@example.com');
    expect((await delivery(body.id)).body.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'refused',
      'accepted',
    ]);
    // Once it is delivered, what it said is not kept.
    expect((await mailOf()).body).toEqual({ content: null });
    const again = await service.request(people.admin, 'POST', `/v1/notifications/deliveries/${body.id}/retry`);
    expect(again).toMatchObject({ status: 409, body: { code: 'delivery_not_retryable' } });
  });

  it.each(['dlv_none', 'nonsense', newId('dlv'), newId('ntf')])('do not exist under the id %s', async (id) => {
    expect(await delivery(id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await service.request(people.admin, 'GET', `/v1/notifications/deliveries/${id}/mail`)).status).toBe(404);
    expect((await service.request(people.admin, 'POST', `/v1/notifications/deliveries/${id}/retry`)).status).toBe(404);
  });

  it('are published as events, without an address', async () => {
    const events: { type: string; subject: string; data: unknown }[] = [];
    await service.bus.broadcast({
      name: 'sending-test',
      types: [
        'engagement.notification-requested',
        'engagement.notification-delivered',
        'engagement.notification-failed',
      ],
      handle: (event) => events.push(event),
    });
    const userId = newId('user');
    const { body } = await send({ channel: 'EMAIL', userId, email: 'events@example.com', html: '<p>x</p>' });
    const own = () => events.filter(({ subject }) => subject === body.id);
    await eventually(() => own().length === 2, 'both events');
    const about = { channel: 'EMAIL', category: 'account', template: 'message', userId };
    expect(own().map(({ type, data }) => [type, data])).toEqual([
      ['engagement.notification-requested', { ...about, recorded: false }],
      ['engagement.notification-delivered', { ...about, attempts: 1 }],
    ]);
    await eventually(
      async () => (await service.deliveries.findOne({ _id: body.id }))?.outbox.length === 0,
      'the outbox to be empty',
    );
  });

  it('flow: 500 mails, each once', async () => {
    const before = service.mails.received.length;
    const started = performance.now();
    const to = (number: number) => `flow${number}@example.com`;
    for (let number = 0; number < 500; number += 50) {
      const batch = Array.from({ length: 50 }, (_, index) => to(number + index));
      await Promise.all(batch.map((email) => send({ channel: 'EMAIL', email, html: '<p>x</p>' })));
    }
    await eventually(() => service.mails.received.length - before >= 500, 'all 500 mails', 90_000);
    process.stderr.write(`500 mails from request to mail server: ${Math.round(performance.now() - started)} ms\n`);
    expect(new Set(service.mails.received.slice(before).map(({ to }) => to[0])).size).toBe(500);
    expect(service.mails.received.length - before).toBe(500);
  });
});
