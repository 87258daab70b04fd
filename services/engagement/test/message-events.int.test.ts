import type { Principal } from '@storefront/access-token';
import { engagementEvents, identityEvents, newId } from '@storefront/contracts';
import { eventually, principal } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

const { notificationRequested, notificationDelivered, notificationFailed, notificationRead } = engagementEvents;

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({
    contracts: [notificationRequested, notificationDelivered, notificationFailed, notificationRead],
    instances: 2,
  });
});
afterAll(() => service.close());

let made = 0;
const named = () => ({ email: `reader${(made += 1)}@example.com`, firstName: 'Ada', lastName: 'Lovelace' });

/** A user whose email is verified, with what that brings them. */
async function user(role: 'retail' | 'trade' | 'admin'): Promise<Principal> {
  const who = principal(role);
  await service.publish(service.event(identityEvents.userVerified, who.sub, { ...named(), role }));
  await service.idle();
  return who;
}

const send = async (body: object) =>
  (await service.request(service.people.admin, 'POST', '/v1/notifications', body)).body;
/** Puts so many notifications into the list of the user; returns their ids. */
async function notify(who: Principal, count: number): Promise<string[]> {
  const sent = Array.from({ length: count }, () => send({ channel: 'IN_APP', userId: who.sub, title: 'Hello' }));
  return (await Promise.all(sent)).map(({ notificationId }) => notificationId);
}
const post = (who: Principal, path: string, instance = 0) =>
  service.request(who, 'POST', `/v1/notifications/${path}`, undefined, {}, instance);
const ofUser = (who: Principal, type: string) =>
  service.events.filter((event) => event.type === type && event.data.userId === who.sub);
const reads = (who: Principal) => ofUser(who, notificationRead.type);
/** The ids of the notifications that were published as read, once there are `count` of them. */
const publishedAsRead = async (who: Principal, count: number) =>
  (await eventually(() => (reads(who).length >= count ? reads(who) : null), `${count} published as read`))
    .map(({ subject }) => subject)
    .toSorted();

describe('an event about a message says of whom the recipient is', () => {
  const segmentsOf = async (userId: string, template: string) => {
    const found = () => service.events.filter(({ data }) => data.userId === userId && data.template === template);
    await eventually(() => found().length === 2, `${template} to be requested and delivered`);
    return Object.fromEntries(found().map(({ type, data }) => [type, data.segment]));
  };
  const both = (segment: string | undefined) => ({
    [notificationRequested.type]: segment,
    [notificationDelivered.type]: segment,
  });

  it('a retail user, for mails and for what is shown in the app', async () => {
    const { sub } = await user('retail');
    await eventually(() => service.events.filter(({ data }) => data.userId === sub).length === 4, 'the welcome');
    const published = service.events.filter(({ data }) => data.userId === sub);
    expect(published.map(({ data }) => [data.channel, data.segment])).toEqual(
      expect.arrayContaining(['EMAIL', 'IN_APP'].map((channel) => [channel, 'retail'])),
    );
    const shown = published.find(({ type, data }) => type === notificationRequested.type && data.channel === 'IN_APP');
    const about = { channel: 'IN_APP', category: 'account', template: 'welcome', userId: sub, segment: 'retail' };
    expect(shown?.data).toEqual({ ...about, recorded: false });
    expect(shown?.subject).toMatch(/^ntf_/);
  });

  it('a trade account, also where its application is published before its user', async () => {
    const userId = newId('user');
    const person = named();
    await service.publish(
      service.event(identityEvents.tradeAccountSubmitted, userId, { ...person, businessName: 'Mills' }),
    );
    expect(await segmentsOf(userId, 'trade-account-submitted')).toEqual(both('trade'));
    await service.publish(service.event(identityEvents.userVerified, userId, { ...person, role: 'trade' }));
    await send({ channel: 'EMAIL', userId, email: person.email, html: '<p>x</p>' });
    expect(await segmentsOf(userId, 'message')).toEqual(both('trade'));
  });

  it('nobody who is known, and nothing of administrators', async () => {
    const { id } = await send({ channel: 'EMAIL', email: 'guest@example.com', html: '<p>x</p>' });
    await eventually(() => service.eventsOf(id).length === 2, 'the mail');
    expect(service.eventsOf(id).map(({ data }) => data.segment)).toEqual(['guest', 'guest']);
    const { sub } = await user('admin');
    await send({ channel: 'IN_APP', userId: sub, title: 'Hello' });
    expect(await segmentsOf(sub, 'message')).toEqual(both(undefined));
  });

  it('the same where it fails', async () => {
    const { sub } = await user('retail');
    await service.collection('suppressions').insertOne({
      _id: 'gone@example.com',
      answer: '550',
      since: new Date(),
      keptUntil: new Date(Date.now() + 60_000),
    });
    const { id } = await send({ channel: 'EMAIL', userId: sub, email: 'gone@example.com', html: '<p>x</p>' });
    const failed = await eventually(() => service.eventsOf(id, notificationFailed.type)[0], 'the failure');
    expect(failed.data).toMatchObject({ segment: 'retail', reason: 'address_bounced' });
  });

  it('nothing is published about a notification for a role, and once about one that has a delivery', async () => {
    const { sub } = await user('retail');
    const { id, notificationId } = await send({ channel: 'IN_APP', userId: sub, title: 'Hello' });
    await eventually(() => service.eventsOf(id).length === 2, 'the delivery');
    await eventually(
      async () => (await service.notifications.countDocuments({ audience: 'role:admin' })) > 0,
      'the notification of the administrators',
    );
    await service.idle();
    expect(service.eventsOf(notificationId)).toEqual([]);
    expect(service.events.filter(({ data }) => data.userId === 'role:admin')).toEqual([]);
  });
});

describe('that a notification is read', () => {
  it('is published once, with all that a consumer needs', async () => {
    const ada = await user('retail');
    const [id = ''] = await notify(ada, 1);
    const requestId = 'a-request-of-ada';
    const read = await service.request(ada, 'POST', `/v1/notifications/${id}/read`, undefined, {
      'x-request-id': requestId,
    });
    for (const again of ['read', 'unread', 'read']) expect((await post(ada, `${id}/${again}`)).status).toBe(200);
    await post(ada, 'read-all');
    await post(ada, `${id}/unread`);
    expect((await post(ada, 'read-all')).body).toMatchObject({ updated: 1 });
    const [other = ''] = await notify(ada, 1);
    await post(ada, `${other}/read`);
    const welcome = (await service.notifications.findOne({ audience: ada.sub, type: 'welcome' }))?._id;
    expect(new Set(await publishedAsRead(ada, 3))).toEqual(new Set([id, other, welcome]));

    const event = reads(ada).find(({ subject }) => subject === id);
    expect(event).toMatchObject({ sequence: 2, source: 'engagement', correlationid: requestId });
    expect(event?.id.slice('evt'.length)).toBe(id.slice('ntf'.length));
    expect(event?.data).toEqual({
      channel: 'IN_APP',
      category: 'account',
      template: 'message',
      userId: ada.sub,
      segment: 'retail',
      requestedAt: read.body.createdAt,
      readAt: read.body.readAt,
    });
    await eventually(
      async () =>
        (await service.notifications.countDocuments({ audience: ada.sub, 'outbox.0': { $exists: true } })) === 0,
      'the outboxes to be empty',
    );
  });

  it('is published once for each where thousands are read at once, by several requests', async () => {
    const bob = await user('retail');
    const [one = ''] = await notify(bob, 1);
    const mold = await service.notifications.findOne({ _id: one });
    const ids = Array.from({ length: 2000 }, () => newId('ntf'));
    await service.notifications.insertMany(ids.map((_id) => ({ ...mold, _id })));
    await service.notifications.deleteMany({ audience: bob.sub, type: 'welcome' });
    const some = ids.slice(0, 20);
    const answers = await Promise.all([
      ...[0, 1, 0, 1].map((instance) => post(bob, 'read-all', instance)),
      ...some.flatMap((id) => [0, 1].map((instance) => post(bob, `${id}/read`, instance))),
    ]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await publishedAsRead(bob, 2001)).toEqual([...ids, one].toSorted());
    expect(await service.notifications.countDocuments({ audience: bob.sub, unread: true })).toBe(0);
  });

  it('is published also for those that are deleted, displaced or erased before', async () => {
    const release = service.holdPublishing(notificationRead.type);
    const [cleo, dora, eve] = [await user('retail'), await user('retail'), await user('retail')];
    const [deleted = ''] = await notify(cleo, 1);
    const [displaced = ''] = await notify(dora, 1);
    const [erased = ''] = await notify(eve, 1);
    const mold = await service.notifications.findOne({ _id: displaced });
    const newer = Array.from({ length: 5000 }, () => ({ ...mold, _id: newId('ntf'), createdAt: new Date() }));
    await service.notifications.insertMany(newer.map((each) => ({ ...each, unread: false })));
    const request = service.event(identityEvents.userErasureRequested, eve.sub, {
      email: 'eve@example.com',
      role: 'retail',
    });
    // What many are read by is published by the relay's search, which has found nothing yet.
    for (const who of [cleo, dora, eve]) await post(who, 'read-all');
    await service.request(cleo, 'DELETE', `/v1/notifications/${deleted}`);
    await notify(dora, 1);
    await service.publish(request);
    await eventually(() => service.collection('data_requests').findOne({ _id: request.id }), 'the erasure');
    expect(await service.notifications.findOne({ _id: erased })).not.toHaveProperty('body');
    expect((await service.request(eve, 'GET', '/v1/notifications')).body.data).toEqual([]);
    release();
    for (const [who, id] of [
      [cleo, deleted],
      [dora, displaced],
      [eve, erased],
    ] as const)
      expect(await publishedAsRead(who, 2)).toContain(id);
  });
});
