import { identityEvents, newId, userDataEvents, type Event } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
const answers: Event<any>[] = [];
beforeAll(async () => {
  service = await startEngagement();
  await service.bus.broadcast({
    name: 'answers',
    types: Object.values(userDataEvents.engagement).map(({ type }) => type),
    handle: (event) => answers.push(event),
  });
});
afterAll(() => service.close());

const timeZone = 'Europe/Berlin';
let made = 0;

/** A person about whom every collection has something. */
async function newPerson() {
  made += 1;
  const email = `person${made}@example.com`;
  const who = { sub: newId('user'), role: 'retail', sid: 'sess_test', ver: 1 } as const;
  const named = { email, firstName: 'Ada', lastName: 'Lovelace', timeZone };
  const flags = { codeOnly: false, appliesAgain: false };
  const trade = { ...named, ...(await service.sealed('123456')), businessName: `Mills ${made}`, ...flags };
  const registered = service.event(identityEvents.tradeAccountRegistered, `registration ${made}`, trade);
  await service.publish(
    registered,
    service.event(identityEvents.tradeAccountSubmitted, who.sub, { ...named, businessName: trade.businessName }),
    service.event(identityEvents.userVerified, who.sub, { ...named, role: 'retail' }),
    service.event(identityEvents.passwordChanged, who.sub, { ...named, how: 'change' }),
  );
  await eventually(
    async () => (await service.notifications.countDocuments({ audience: who.sub })) === 2,
    'the notifications',
  );
  await service.request(who, 'PUT', '/v1/notifications/preferences', {
    types: { wishlist: { EMAIL: false } },
    quietHours: null,
  });
  const mail = { channel: 'EMAIL', email, html: '<p>x</p>' };
  await service.request(service.people.admin, 'POST', '/v1/notifications', mail, { 'idempotency-key': `mail-${made}` });
  await eventually(
    async () => (await service.deliveries.countDocuments({ email, status: 'delivered' })) === 5,
    'the mails',
  );
  await service
    .collection('suppressions')
    .insertOne({ _id: email, answer: '550 not here', since: new Date(), keptUntil: new Date(Date.now() + 60_000) });
  return { who, named, id: who.sub, email, business: trade.businessName, registered };
}
type KnownPerson = Awaited<ReturnType<typeof newPerson>>;

/** How many documents name the person, by collection. */
async function documentsAbout({ id, email, business }: KnownPerson): Promise<Record<string, number>> {
  const db = service.connection.getClient().db(service.connection.name);
  const found: Record<string, number> = {};
  for (const { name } of await db.listCollections().toArray()) {
    const documents = (await db.collection(name).find().toArray()).map((document) => JSON.stringify(document));
    const hits = documents.filter((text) => [id, email, business].some((word) => text.includes(word)));
    if (hits.length > 0) found[name] = hits.length;
  }
  return found;
}

const erasure = ({ id, email }: KnownPerson) =>
  service.event(identityEvents.userErasureRequested, id, { email, timeZone, role: 'retail' });
const answered = (userId: string, type: string) =>
  eventually(() => answers.find((event) => event.subject === userId && event.type === type), 'the answer');
const isNowhere = (person: KnownPerson) =>
  eventually(async () => {
    const left = await documentsAbout(person);
    if (Object.keys(left).length > 0) throw new Error(`there is still ${JSON.stringify(left)}`);
    return true;
  }, 'nothing left about them');
/** The answer is published last, after the last mail was requested: only then nothing can follow. */
async function erase(person: KnownPerson, request = erasure(person)): Promise<void> {
  await service.publish(request);
  await answered(person.id, 'engagement.user-data-erased');
  await isNowhere(person);
}
const mailsTo = (email: string) => service.mails.to(email).length;
/** What comes of events that arrive after the person was erased: documents about them, and mails. */
async function tracesOf(person: KnownPerson, ...late: readonly Event<any>[]) {
  const sent = mailsTo(person.email);
  await service.publish(...late);
  await newPerson();
  return { documents: await documentsAbout(person), mails: mailsTo(person.email) - sent };
}
const noTraces = { documents: {}, mails: 0 };

describe('an erasure', () => {
  it('leaves nothing about the person, nothing else changes, one last mail is sent, and it is answered once', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const kept = await documentsAbout(other);
    expect(kept).toEqual({ deliveries: 5, notifications: 3, preferences: 1, recipients: 1, suppressions: 1 });
    const unread = async () =>
      (await service.request(service.people.admin, 'GET', '/v1/notifications')).body.unreadCount;
    const before = await unread();

    const request = erasure(person);
    await service.publish(request, request);
    expect((await answered(person.id, 'engagement.user-data-erased')).data).toEqual({ requestId: request.id });
    await isNowhere(person);
    expect(await documentsAbout(other)).toEqual(kept);
    expect(await unread()).toBe(before);
    const last = await service.deliveries.findOne({ template: 'account-erased' });
    expect(last).toMatchObject({ status: 'delivered', userId: null, email: null, mail: null, attempts: [] });
    expect(await service.deliveries.countDocuments({ email: null, timeZone })).toBe(0);
    expect(mailsTo(person.email)).toBe(6);

    await service.publish(request);
    await service.publish(service.event(identityEvents.userErased, person.id, {}));
    await newPerson();
    expect(answers.filter((event) => event.subject === person.id)).toHaveLength(1);
    expect(mailsTo(person.email)).toBe(6);
    expect(await documentsAbout(other)).toEqual(kept);
  });

  it('is not undone by events about the person that arrive late', async () => {
    const person = await newPerson();
    const late = service.event(identityEvents.passwordChanged, person.id, { ...person.named, how: 'reset' });
    const verified = service.event(identityEvents.userVerified, person.id, { ...person.named, role: 'retail' }, 9);
    await erase(person);
    const sent = mailsTo(person.email);
    await service.publish(late, verified);
    const other = await newPerson();
    expect(await documentsAbout(person)).toEqual({});
    expect([mailsTo(person.email), mailsTo(other.email)]).toEqual([sent, 5]);
  });

  // It is about an email, and names no user.
  it('is not undone by the event of the registration, which comes once more', async () => {
    const person = await newPerson();
    await erase(person);
    expect(await tracesOf(person, person.registered)).toEqual(noTraces);
  });

  it('is not undone by the event of another registration of the email, which comes late', async () => {
    const person = await newPerson();
    const code = { ...person.named, ...(await service.sealed('123456')) };
    const late = service.event(identityEvents.userRegistered, `another ${person.id}`, code);
    await erase(
      person,
      service.event(identityEvents.userErasureRequested, person.id, {
        email: person.email,
        role: 'retail',
        registrations: [late.subject],
      }),
    );
    expect(await tracesOf(person, late)).toEqual(noTraces);
  });

  it('is not undone by the event of a former code, which comes late', async () => {
    const person = await newPerson();
    const code = { ...person.named, ...(await service.sealed('123456')) };
    const late = service.event(identityEvents.userRegistered, person.registered.subject, code);
    await erase(person);
    expect(await tracesOf(person, late)).toEqual(noTraces);
  });

  it('is not undone by the event of a registration that is over', async () => {
    const person = await newPerson();
    await erase(person);
    const dayMs = 24 * 60 * 60 * 1000;
    const code = { ...person.named, ...(await service.sealed('123456', -dayMs - 1000)) };
    const late = service.event(identityEvents.userRegistered, `over ${person.id}`, code);
    expect(await tracesOf(person, late)).toEqual(noTraces);
  });

  it('does not concern who registers the email anew', async () => {
    const person = await newPerson();
    await erase(person);
    const sent = mailsTo(person.email);
    const code = { ...person.named, ...(await service.sealed('123456')) };
    await service.publish(service.event(identityEvents.userRegistered, `anew ${person.id}`, code));
    await service.delivered(person.email);
    expect(mailsTo(person.email)).toBe(sent + 1);
    expect(await documentsAbout(person)).toEqual({ deliveries: 1 });
    await service.publish(service.event(identityEvents.userErased, `anew ${person.id}`, {}));
    await isNowhere(person);
  });

  it('also takes what a request wrote meanwhile, once the account is gone', async () => {
    const person = await newPerson();
    await erase(person);
    await service.request(person.who, 'PUT', '/v1/notifications/preferences', {});
    expect(await documentsAbout(person)).toEqual({ preferences: 1 });
    await service.publish(service.event(identityEvents.userErased, person.id, {}));
    await isNowhere(person);
  });

  it('that is requested again changes nothing for the user who has the email by then', async () => {
    const person = await newPerson();
    const request = erasure(person);
    await erase(person, request);
    const anew = { ...person, id: newId('user') };
    const named = { ...person.named, role: 'retail' as const };
    await service.publish(service.event(identityEvents.userVerified, anew.id, named));
    await service.delivered(person.email);
    await service.publish(request);
    await service.publish(service.event(identityEvents.userErased, person.id, {}));
    const next = await newPerson();
    await erase(next);
    expect(await documentsAbout(anew)).toEqual({ deliveries: 1, notifications: 1, recipients: 1 });
  });

  it('of an unknown user is answered as well', async () => {
    const id = newId('user');
    await service.publish(
      service.event(identityEvents.userErasureRequested, id, { email: 'nobody@example.com', role: 'retail' }),
    );
    expect(await answered(id, 'engagement.user-data-erased')).toMatchObject({ subject: id });
  });

  it('leaves nothing also where the last mail bounces', async () => {
    const person = await newPerson();
    service.mails.answerRecipient = (address) => (address === person.email ? 550 : null);
    await erase(person);
    await eventually(() => service.deliveries.findOne({ template: 'account-erased', status: 'failed' }), 'the bounce');
    expect(await documentsAbout(person)).toEqual({});
  });
});

describe('an export', () => {
  it('answers with all that is kept about the person, once', async () => {
    const person = await newPerson();
    const exportId = newId('exp');
    const request = service.event(identityEvents.userExportRequested, person.id, { exportId, email: person.email });
    await service.publish(request, request);
    const { data } = await answered(person.id, 'engagement.user-data-exported');
    expect(data.exportId).toBe(exportId);
    expect(data.data).toMatchObject({
      recipient: { email: person.email, firstName: 'Ada', timeZone },
      preferences: { types: { wishlist: { EMAIL: false, IN_APP: true } }, quietHours: null },
    });
    expect(data.data.notifications.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'password-changed',
      'welcome',
    ]);
    expect(data.data.deliveries.map(({ template }: { template: string }) => template).toSorted()).toEqual([
      'message',
      'password-changed',
      'trade-account-submitted',
      'trade-application-received',
      'welcome',
    ]);
    expect(answers.filter((event) => event.subject === person.id)).toHaveLength(1);
  });

  it('that is ready is mailed and shown to its owner', async () => {
    const { who, named } = await newPerson();
    const exportId = newId('exp');
    await service.publish(service.event(identityEvents.userExportReady, who.sub, { ...named, exportId }));
    await eventually(
      () => service.mails.to(named.email).find(({ subject }) => subject === 'Your data is ready'),
      'the mail',
    );
    const { body } = await service.request(who, 'GET', '/v1/notifications?type=user-export-ready');
    expect(body.data).toMatchObject([{ title: 'Your data is ready', data: { exportId } }]);
  });
});
