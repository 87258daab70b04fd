import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { identityEvents, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ instances: 2 });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.mails.answerRecipient = () => null;
  service.mails.beforeTaking = async () => undefined;
  await eventually(
    async () => (await service.collection('announcements').countDocuments({ finishedAt: null })) === 0,
    'the announcements of the test before to be over',
    60_000,
  );
  service.mails.received.length = 0;
  for (const name of ['recipients', 'suppressions']) await service.collection(name).deleteMany({});
});

const switches = (isOn: boolean) => ({ IN_APP: true, EMAIL: isOn, SMS: true, PUSH: true });
const types = (offers: object) => ({
  ...Object.fromEntries(
    ['security', 'account', 'orders', 'invoices', 'wishlist', 'marketing'].map((name) => [name, switches(true)]),
  ),
  offers,
});

interface Someone {
  readonly id: string;
  readonly email: string;
}

/** Stores people as events do; those before `optedIn` get offers by mail. */
async function people(
  count: number,
  {
    optedIn = 0,
    segment = 'retail',
    name = 'person',
  }: { optedIn?: number; segment?: 'retail' | 'trade' | 'none' | null; name?: string } = {},
): Promise<Someone[]> {
  const all = Array.from({ length: count }, (_, index) => ({
    id: newId('user'),
    email: `${name}${index}@example.com`,
  }));
  await service.collection('recipients').insertMany(
    all.map(({ id, email }) => ({
      _id: id,
      email,
      firstName: 'Ada',
      sequence: 1,
      ...(segment === null ? {} : { segment, segmentSequence: 1 }),
    })),
  );
  if (optedIn > 0)
    await service
      .collection('preferences')
      .insertMany(
        all
          .slice(0, optedIn)
          .map(({ id }) => ({ _id: id, version: 1, outbox: [], types: types(switches(true)), quietHours: null })),
      );
  return all;
}

async function campaign(segment = 'all', steps: readonly string[] = ['activate']): Promise<string> {
  const { admin } = service.people;
  const discount = { type: 'percentage', percent: 10, target: 'order' };
  const body = { name: 'Teapots', trigger: 'automatic', discount, conditions: { segment } };
  const made = await service.request(admin, 'POST', '/v1/campaigns', body);
  expect(made.status).toBe(201);
  for (const step of steps)
    expect((await service.request(admin, 'POST', `/v1/campaigns/${made.body.id}/${step}`)).status).toBe(200);
  return made.body.id;
}

const message = { channels: ['IN_APP', 'EMAIL'], title: 'Teapots in spring', body: 'A tenth off all teapots.' };
const announce = (campaignId: string, body: object = message, headers: Record<string, string> = {}, instance = 0) =>
  service.request(service.people.admin, 'POST', `/v1/campaigns/${campaignId}/announce`, body, headers, instance);
const read = async (location: string | null) =>
  (await service.request(service.people.admin, 'GET', location ?? 'no location')).body;
const ended = (location: string | null, status = 'finished') =>
  eventually(
    async () => {
      const found = await read(location);
      return found.finishedAt !== null && found.status === status && found;
    },
    `the announcement to be ${status}`,
    90_000,
  );
const received = () => service.mails.received.map(({ to }) => to[0] ?? '').toSorted();
const notified = async (id: string) => service.notifications.find({ audience: id }).toArray();

const skipped = (some: object) => ({
  no_consent: 0,
  address_bounced: 0,
  announcement_stopped: 0,
  recipient_erased: 0,
  ...some,
});

describe('an announcement', () => {
  it('reaches each person once, by mail those who opted in, while every tenth address is deferred', async () => {
    const all = await people(300, { optedIn: 60 });
    const deferred = new Set<string>();
    service.mails.answerRecipient = (address) =>
      /5@/.test(address) && !deferred.has(address) ? (deferred.add(address), 450) : null;
    const { status, body, headers } = await announce(await campaign());
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: 'running',
      channels: ['IN_APP', 'EMAIL'],
      title: message.title,
      finishedAt: null,
    });
    expect(headers.get('location')).toBe(`/v1/campaigns/${body.campaignId}/announcements/${body.id}`);

    const done = await ended(headers.get('location'));
    expect(received()).toEqual(
      all
        .slice(0, 60)
        .map(({ email }) => email)
        .toSorted(),
    );
    expect(deferred.size).toBe(6);
    expect(done).toMatchObject({ recipients: 300, sent: 360, skipped: skipped({ no_consent: 240 }), failed: 0 });
    for (const { id } of [all[0], all[59], all[60], all[299]] as Someone[])
      expect(await notified(id)).toMatchObject([
        {
          category: 'offers',
          type: 'campaign-announced',
          title: message.title,
          body: message.body,
          data: { campaignId: body.campaignId, announcementId: body.id },
          unread: true,
        },
      ]);
    expect(await service.notifications.countDocuments({ 'data.announcementId': body.id })).toBe(300);
    const list = await service.request(service.people.admin, 'GET', `/v1/campaigns/${body.campaignId}/announcements`);
    expect(list.body).toEqual({ data: [done], nextCursor: null });
  });

  it('is for its segment: consumers, or approved trade accounts, and never for administrators', async () => {
    await people(1, { optedIn: 1, name: 'consumer' });
    await people(1, { optedIn: 1, segment: null, name: 'unknown' });
    await people(1, { optedIn: 1, segment: 'none', name: 'admin' });
    // As identity publishes a trade account.
    const business = { id: newId('user'), email: 'business@example.com' };
    const { event, publish } = service;
    const person = { email: business.email, firstName: 'Grace', lastName: 'H', businessName: 'H' };
    const snapshot = (sequence: number, more: object) =>
      publish({ ...event(identityEvents.userSnapshot, business.id, { ...person, role: 'trade', ...more }), sequence });
    const printed = { name: 'H', address: 'Main Street 1', vatNumber: null, country: 'GB' };
    const decision = { ...person, reason: null, business: printed, submittedAt: '2026-11-20T09:30:00.000Z' };
    const decided = (name: 'tradeAccountApproved' | 'tradeAccountInfoRequested', sequence: number) =>
      publish({ ...event(identityEvents[name], business.id, decision), sequence });
    const segmentIs = (segment: string | undefined) =>
      eventually(
        async () => (await service.collection('recipients').findOne({ _id: business.id }))?.segment === segment,
        `the segment to be ${segment}`,
      );
    await service
      .collection('preferences')
      .insertOne({ _id: business.id, version: 1, outbox: [], types: types(switches(true)), quietHours: null });
    const reachedBy = async (segment: string) => {
      service.mails.received.length = 0;
      const { headers } = await announce(await campaign(segment), { ...message, channels: ['EMAIL'] });
      await ended(headers.get('location'));
      const announced = service.mails.received.filter(({ mail }) => mail.subject === message.title);
      return announced.map(({ to }) => to[0] ?? '').toSorted();
    };

    await publish({ ...event(identityEvents.userVerified, business.id, { ...person, role: 'trade' }), sequence: 1 });
    await segmentIs('none');
    expect(await reachedBy('trade')).toEqual([]);
    await decided('tradeAccountApproved', 3);
    await segmentIs('trade');
    // Older events that come late change nothing.
    await decided('tradeAccountInfoRequested', 2);
    await snapshot(4, {});
    await eventually(
      async () => (await service.collection('recipients').findOne({ _id: business.id }))?.sequence === 4,
      'the later event',
    );
    await segmentIs('trade');
    expect(await reachedBy('trade')).toEqual([business.email]);
    expect(await reachedBy('retail')).toEqual(['consumer0@example.com', 'unknown0@example.com']);
    expect(await reachedBy('all')).toEqual([business.email, 'consumer0@example.com', 'unknown0@example.com']);
    await snapshot(5, { isApproved: false });
    await segmentIs('none');
    expect(await reachedBy('all')).toEqual(['consumer0@example.com', 'unknown0@example.com']);
  });

  it('has around its text the language of each reader', async () => {
    const [ada, bert] = await people(2, { optedIn: 2 });
    await service.collection('recipients').updateOne({ _id: bert?.id }, { $set: { locale: 'de' } });
    await ended((await announce(await campaign(), { ...message, channels: ['EMAIL'] })).headers.get('location'));
    const [[english], [german]] = [service.mails.to(ada?.email ?? ''), service.mails.to(bert?.email ?? '')];
    expect([english?.subject, german?.subject]).toEqual([message.title, message.title]);
    expect(english?.text).toContain('Get no more mails like this:');
    expect(german?.text).toContain('Solche E-Mails abbestellen:');
    expect(german?.html).toContain('<html lang="de">');
  });

  it('is written as HTML where there is some, with a subject, and says how such mail ends by one click', async () => {
    const [ada] = await people(1, { optedIn: 1 });
    const html = '<p>A <b>tenth</b> off.</p><script>x()</script>';
    const { headers } = await announce(await campaign(), {
      ...message,
      channels: ['EMAIL'],
      html,
      subject: 'Tea\u00a0pots',
    });
    expect(await ended(headers.get('location'))).toMatchObject({
      recipients: 1,
      sent: 1,
      skipped: skipped({}),
      failed: 0,
    });
    const [mail] = service.mails.to(ada?.email ?? '');
    expect(mail?.subject).toBe('Tea pots');
    expect(mail?.html).toContain('<p>A <b>tenth</b> off.</p>');
    expect(mail?.html).not.toContain('script');
    const header = (key: string) => mail?.headers.find((each) => each.key === key)?.value;
    const url = /^<(https:\/\/api\.example\/v1\/notifications\/unsubscribe\/[A-Za-z0-9_-]{64})>$/.exec(
      header('list-unsubscribe') ?? '',
    )?.[1];
    expect(url).toBeDefined();
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(mail?.text).toContain(url);
    // The text is kept once, not with each delivery.
    const delivery = await service.deliveries.findOne({ email: ada?.email });
    expect(delivery).toMatchObject({ template: 'announcement', mail: null });
    expect(JSON.stringify(delivery)).not.toContain('tenth');
  });

  it('keeps to quiet hours, to addresses that bounced and to those that are none', async () => {
    const [quiet, bounced, wrong, deaf] = (await people(4, { optedIn: 4 })) as [Someone, Someone, Someone, Someone];
    const hours = (offset: number) => `${String((new Date().getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`;
    await service
      .collection('preferences')
      .updateOne({ _id: quiet.id }, { $set: { quietHours: { start: hours(-1), end: hours(3), timeZone: 'UTC' } } });
    await service.collection('preferences').updateOne({ _id: deaf.id }, { $set: { 'types.offers.IN_APP': false } });
    await service.collection('suppressions').insertOne({
      _id: bounced.email,
      answer: '550',
      since: new Date(),
      keptUntil: new Date(Date.now() + 3_600_000),
    });
    await service.collection('recipients').updateOne({ _id: wrong.id }, { $set: { email: 'a@b.c, d@e.f' } });
    const { headers } = await announce(await campaign());
    const location = headers.get('location');
    await eventually(async () => {
      const found = await read(location);
      return found.sent === 4 && found.skipped.address_bounced === 1 && found.failed === 1;
    }, 'all but the one with quiet hours');
    expect(await read(location)).toMatchObject({ status: 'running', recipients: 4, finishedAt: null });
    expect(received()).toEqual([deaf.email]);
    expect(await notified(deaf.id)).toEqual([]);
    const waiting = await service.deliveries.findOne({ email: quiet.email });
    expect(waiting).toMatchObject({ status: 'pending' });
    expect(waiting?.['dueAt'].getTime()).toBeGreaterThan(Date.now());
    // What is stopped before the hours are over is not sent, and can not be retried.
    const stopped = await service.request(service.people.admin, 'POST', `${location}/stop`);
    expect(stopped.body).toMatchObject({ status: 'stopped' });
    expect(await ended(location, 'stopped')).toMatchObject({
      recipients: 4,
      sent: 4,
      skipped: skipped({ no_consent: 1, address_bounced: 1, announcement_stopped: 1 }),
      failed: 1,
    });
    const withdrawn = await service.deliveries.findOne({ email: quiet.email });
    expect(withdrawn).toMatchObject({ status: 'suppressed', reason: 'announcement_stopped' });
    const retried = `/v1/notifications/deliveries/${String(withdrawn?._id)}/retry`;
    expect((await service.request(service.people.admin, 'POST', retried)).status).toBe(409);
    // The text of an announcement is kept with it, so also the mails that were delivered can be read.
    const sent = await service.deliveries.findOne({ announcementId: withdrawn?.announcementId, status: 'delivered' });
    const path = `/v1/notifications/deliveries/${String(sent?._id)}/mail`;
    const shown = await service.request(service.people.admin, 'GET', path);
    const [mail] = service.mails.to(String(sent?.email)).toReversed();
    expect(shown.body.content).toMatchObject({ subject: mail?.subject });
    expect(shown.body.content.html).not.toContain('/v1/notifications/unsubscribe/');
  });

  it('is not sent to somebody who unsubscribed since it was requested', async () => {
    const [ada] = (await people(1, { optedIn: 1 })) as [Someone];
    let isFirst = true;
    service.mails.answerRecipient = () => {
      if (!isFirst) return null;
      isFirst = false;
      return 450;
    };
    const { headers, body } = await announce(await campaign(), { ...message, channels: ['EMAIL'] });
    await eventually(() => service.deliveries.findOne({ announcementId: body.id, deferrals: 1 }), 'the deferral');
    await service.collection('preferences').updateOne({ _id: ada.id }, { $set: { 'types.offers.EMAIL': false } });
    expect(await ended(headers.get('location'))).toMatchObject({
      recipients: 1,
      sent: 0,
      skipped: skipped({ no_consent: 1 }),
      failed: 0,
    });
    expect(await service.deliveries.findOne({ announcementId: body.id })).toMatchObject({
      reason: 'switched_off_by_user',
    });
    expect(received()).toEqual([]);
  });

  it('is not sent to somebody who was erased, and keeps nothing about them', async () => {
    const [ada] = (await people(1, { optedIn: 1, name: 'erased' })) as [Someone];
    service.mails.answerRecipient = () => 450;
    const { headers, body } = await announce(await campaign());
    await eventually(() => service.deliveries.findOne({ announcementId: body.id, deferrals: 1 }), 'the deferral');
    const erasure = { email: ada.email, role: 'retail' } as const;
    await service.publish(service.event(identityEvents.userErasureRequested, ada.id, erasure));
    expect(await ended(headers.get('location'))).toMatchObject({
      recipients: 1,
      sent: 1,
      skipped: skipped({ recipient_erased: 1 }),
      failed: 0,
    });
    const left = await service.deliveries.findOne({ announcementId: body.id });
    expect(left).toMatchObject({
      status: 'suppressed',
      reason: 'recipient_erased',
      userId: null,
      email: null,
      mail: null,
      dueAt: null,
    });
    expect(await notified(ada.id)).toEqual([]);
    // The mail about the erasure itself: it must not come in the middle of another test.
    service.mails.answerRecipient = () => null;
    await eventually(() => service.mails.to(ada.email).length > 0, 'the mail about the erasure');
  });

  it('takes back what it stored about somebody whose erasure it has overtaken', async () => {
    const [ada, bob] = (await people(2, { optedIn: 2 })) as [Someone, Someone];
    // Erased after the page of people was read: the list of erased users says so, and the recipient is still in the page.
    const _id = createHash('sha256').update(ada.id).digest('base64url');
    const keptUntil = new Date(Date.now() + 3_600_000);
    await service.collection('erased_users').insertOne({ _id, keptUntil });
    const { headers, body } = await announce(await campaign());
    await ended(headers.get('location'));
    expect(await notified(ada.id)).toEqual([]);
    expect(await service.deliveries.findOne({ userId: ada.id })).toBeNull();
    expect(await service.deliveries.countDocuments({ announcementId: body.id, email: ada.email })).toBe(0);
    expect(await notified(bob.id)).toHaveLength(1);
  });

  it('is begun once for the same Idempotency-Key, by administrators, for a campaign that is scheduled or active', async () => {
    await people(2);
    const campaignId = await campaign();
    const headers = { 'idempotency-key': newId('evt') };
    const [first, again] = [await announce(campaignId, message, headers), await announce(campaignId, message, headers)];
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.status).toBe(202);
    await ended(first.headers.get('location'));
    expect(await service.collection('announcements').countDocuments({ campaignId })).toBe(1);

    const refused = async (steps: readonly string[]) => (await announce(await campaign('all', steps))).body;
    for (const steps of [[], ['activate', 'pause'], ['activate', 'end']])
      expect(await refused(steps)).toMatchObject({ status: 409, code: 'campaign_not_in_state' });
    expect((await announce(newId('camp'))).status).toBe(404);
    const { ada } = service.people;
    expect((await service.request(ada, 'POST', `/v1/campaigns/${campaignId}/announce`, message)).status).toBe(403);
    // Of another campaign there is none.
    const other = first.headers.get('location')?.replace(campaignId, await campaign()) ?? '';
    expect((await service.request(service.people.admin, 'GET', other)).status).toBe(404);
    expect((await service.request(service.people.admin, 'POST', `${other}/stop`)).status).toBe(404);
  });

  it('is one of 100 of its campaign, however many come at once, and is there again for its Idempotency-Key', async () => {
    const [campaignId, other] = [await campaign(), await campaign()];
    const announcements = service.collection('announcements');
    const first = await announce(campaignId);
    const template = await announcements.findOne({ campaignId });
    const finishedAt = new Date();
    const filler = Array.from({ length: 95 }, (_, at) => ({
      ...template,
      _id: newId('anc'),
      number: at + 2,
      status: 'finished',
      outbox: [],
      finishedAt,
    }));
    await announcements.insertMany(filler);

    const keys = Array.from({ length: 20 }, () => ({ 'idempotency-key': newId('evt') }));
    const answers = await Promise.all(keys.map((key, at) => announce(campaignId, message, key, at % 2)));
    const begun = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 422);
    expect([begun.length, refused.length]).toEqual([4, 16]);
    expect(refused[0]?.body).toMatchObject({ code: 'too_many_announcements' });
    const stored = await announcements.find({ campaignId }, { sort: { number: 1 } }).toArray();
    expect(stored).toHaveLength(100);
    expect(stored.slice(-4).map(({ number }) => number)).toEqual([97, 98, 99, 100]);
    expect((await announce(other)).status).toBe(202);

    // As after a crash between the write and the record of its answer.
    const place = answers.findIndex(({ status }) => status === 202);
    await service.collection('idempotency_keys').updateMany({}, { $set: { answer: null, holder: '' } });
    const again = await announce(campaignId, message, keys[place]);
    expect([again.status, again.body.id]).toEqual([202, answers[place]?.body.id]);
    expect((await announce(campaignId)).status).toBe(422);
    expect(await announcements.countDocuments({ campaignId })).toBe(100);
    for (const { headers } of [first, ...begun]) await ended(headers.get('location'));
  });

  it.each([
    ['an empty body', {}, ['/channels', '/title', '/body']],
    ['wrong fields', { channels: ['SMS'], title: '', body: 'x', more: 1 }, ['/channels/0', '/title', '/more']],
    ['too much', { ...message, channels: ['EMAIL', 'EMAIL'], html: '<'.repeat(6001) }, ['/channels', '/html']],
  ])('names all that is wrong in %s', async (_what, body, pointers) => {
    const answer = await announce(await campaign(), body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining(pointers),
    );
  });
});

describe('an announcement that is stopped', () => {
  it.each([
    ['by an administrator', (location: string) => service.request(service.people.admin, 'POST', `${location}/stop`)],
    [
      'with its campaign',
      (location: string) =>
        service.request(service.people.admin, 'POST', `${location.replace(/\/announcements.*/, '')}/end`),
    ],
  ])('%s sends nothing more, and counts everybody it has reached', async (_by, stop) => {
    await people(700, { optedIn: 700 });
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    service.mails.beforeTaking = () => (service.mails.received.length > 10 ? mayGoOn : Promise.resolve());
    const { headers } = await announce(await campaign(), { ...message, channels: ['EMAIL'] });
    const location = headers.get('location') ?? '';
    await eventually(() => service.mails.received.length > 10, 'some mails');
    expect((await stop(location)).status).toBe(200);
    await eventually(async () => (await read(location)).status === 'stopped', 'the announcement to be stopped');
    goOn();
    const done = await ended(location, 'stopped');
    expect(done.sent).toBe(service.mails.received.length);
    expect(done.sent).toBeLessThan(200);
    expect(done).toMatchObject({
      failed: 0,
      skipped: skipped({ announcement_stopped: done.recipients - done.sent }),
    });
    expect(new Set(received()).size).toBe(done.sent);
    // Stopped once more, it stays as it is.
    expect((await service.request(service.people.admin, 'POST', `${location}/stop`)).body).toEqual(done);
    expect(await service.deliveries.countDocuments({ announcementId: done.id, status: 'pending' })).toBe(0);
  });
});

describe('a code mail', () => {
  it('is handed over while an announcement is on its way, though none of its mails is answered', async () => {
    await people(60, { optedIn: 60 });
    const email = 'waiting@example.com';
    const { promise: codeArrived, resolve: arrived } = Promise.withResolvers<void>();
    service.mails.beforeTaking = async ([to = '']) => {
      if (to === email) arrived();
      else if (service.mails.received.length >= 5) await codeArrived;
    };
    const { headers } = await announce(await campaign(), { ...message, channels: ['EMAIL'] });
    await eventually(() => service.mails.received.length >= 5, 'the announcement to be on its way');
    const user = { email, firstName: 'Ada', lastName: 'L' };
    await service.publish(
      service.event(identityEvents.userRegistered, newId('reg'), { ...user, ...(await service.sealed('123456')) }),
    );
    await Promise.all([service.delivered(email), ended(headers.get('location'))]);
    const order = service.mails.received.map(({ to }) => to[0]);
    expect(order).toHaveLength(61);
    // Before it: the first five, and those that two senders have under way at once, overdue ones included.
    expect(order.indexOf(email)).toBeGreaterThanOrEqual(5);
    expect(order.indexOf(email)).toBeLessThanOrEqual(5 + 2 * (4 + 5));
  });
});

describe('an instance that ends', () => {
  /** As one leaves an announcement that had stored messages, and had not counted them. */
  async function forget(id: string, fields: object): Promise<void> {
    const before = { position: '', isThrough: false, recipients: 0, shown: 0, mails: null, finishedAt: null };
    await service
      .collection('announcements')
      .updateOne({ _id: id }, { $set: { ...before, holder: 'ended', ...fields }, $inc: { version: 1 } });
  }

  it('before it has counted whom it had reached leaves nobody out and repeats nothing', async () => {
    const all = await people(30, { optedIn: 10 });
    const { body, headers } = await announce(await campaign());
    const done = await ended(headers.get('location'));
    expect(done).toMatchObject({ recipients: 30, sent: 40, skipped: skipped({ no_consent: 20 }), failed: 0 });
    const first = received();
    // Meanwhile one has switched it off, and one has deleted the notification.
    const [changed, deleting] = all as [Someone, Someone];
    await service
      .collection('preferences')
      .updateOne({ _id: changed.id }, { $set: { 'types.offers': { ...switches(false), IN_APP: false } } });
    const [own] = await notified(deleting.id);
    const who = { ...service.people.ada, sub: deleting.id };
    expect((await service.request(who, 'DELETE', `/v1/notifications/${String(own?._id)}`)).status).toBe(204);

    await forget(body.id, { status: 'running' });
    const again = await ended(headers.get('location'));
    expect(again).toEqual({ ...done, finishedAt: again.finishedAt });
    expect(received()).toEqual(first);
    expect(await service.notifications.countDocuments({ 'data.announcementId': body.id })).toBe(29);

    await forget(body.id, { status: 'stopped' });
    const stopped = await ended(headers.get('location'), 'stopped');
    expect(stopped).toEqual({ ...done, status: 'stopped', finishedAt: stopped.finishedAt });
    expect(received()).toEqual(first);
  });
});

// In `npm run proof -- kills`.
describe.runIf(inject('isProof'))('a process that is killed in the middle of an announcement', () => {
  it('repeats one mail at most, and another one goes on until everybody has theirs', async () => {
    await using opened = new AsyncDisposableStack();
    const own = await startEngagement({ bus: 'rabbitmq', settings: { SMTP_DOUBT_DELAYS: '2,900' } });
    opened.defer(() => own.close());
    const shared = service;
    service = own;
    opened.defer(() => void (service = shared));

    const all = await people(300, { optedIn: 60 });
    const campaignId = await campaign();
    const killed = await own.process();
    own.mails.beforeTaking = () => new Promise((resolve) => setTimeout(resolve, 20));
    const { headers } = await announce(campaignId);
    // From here on the process is alone.
    await own.stop();
    await eventually(() => own.mails.received.length >= 10, 'some mails', 60_000);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(own.mails.received.length).toBeLessThan(60);
    await own.another();
    const done = await ended(headers.get('location'));
    expect(done).toMatchObject({ recipients: 300, sent: 360, skipped: skipped({ no_consent: 240 }), failed: 0 });
    const emails = all.slice(0, 60).map(({ email }) => email);
    expect(new Set(received())).toEqual(new Set(emails));
    expect(own.mails.received.length).toBeLessThanOrEqual(61);
    expect(new Set(own.mails.received.map(({ mail }) => mail.messageId)).size).toBe(60);
    expect(await own.notifications.countDocuments({ type: 'campaign-announced' })).toBe(300);
  });
});
