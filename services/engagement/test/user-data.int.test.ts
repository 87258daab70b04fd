import { identityEvents, newId, userDataEvents } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement } from './engagement.ts';
import type { Engagement } from './engagement.ts';

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

let made = 0;

/** Somebody of whom everything is kept that can be. */
async function somebody() {
  made += 1;
  const email = `person${made}@example.com`;
  const who = { sub: newId('user'), role: 'retail', sid: 'sess_test', ver: 1 } as const;
  const named = { email, firstName: 'Ada', lastName: 'Lovelace' };
  const trade = { ...named, ...(await service.sealed('123456')), businessName: `Mills ${made}`, codeOnly: false };
  await service.publish(
    service.event(identityEvents.tradeAccountRegistered, who.sub, trade),
    service.event(identityEvents.userVerified, who.sub, { ...named, role: 'retail' }),
    service.event(identityEvents.passwordChanged, who.sub, { ...named, how: 'change' }),
  );
  await eventually(async () => (await service.notifications.countDocuments({ audience: who.sub })) === 2, 'notices');
  await service.ask(who, 'PUT', '/v1/notifications/preferences', {
    types: { wishlist: { EMAIL: false } },
    quietHours: null,
  });
  const mail = { channel: 'EMAIL', email, html: '<p>x</p>' };
  await service.ask(service.people.admin, 'POST', '/v1/notifications', mail, { 'idempotency-key': `mail-${made}` });
  await eventually(
    async () => (await service.deliveries.countDocuments({ email, status: 'delivered' })) === 4,
    'the mails',
  );
  await service.database.collection<{ _id: string }>('suppressions').insertOne({ _id: email });
  return { who, named, id: who.sub, email, business: trade.businessName };
}
type Somebody = Awaited<ReturnType<typeof somebody>>;

/** How many documents name the person, by collection. */
async function documentsAbout({ id, email, business }: Somebody): Promise<Record<string, number>> {
  const db = service.database.getClient().db(service.database.name);
  const found: Record<string, number> = {};
  for (const { name } of await db.listCollections().toArray()) {
    const documents = (await db.collection(name).find().toArray()).map((document) => JSON.stringify(document));
    const hits = documents.filter((text) => [id, email, business].some((word) => text.includes(word)));
    if (hits.length > 0) found[name] = hits.length;
  }
  return found;
}

const erasure = ({ id, email }: Somebody) =>
  service.event(identityEvents.userErasureRequested, id, { email, role: 'retail' });
const answered = (userId: string, type: string) =>
  eventually(() => answers.find((event) => event.subject === userId && event.type === type), 'the answer');
const isNowhere = (person: Somebody) =>
  eventually(async () => {
    const left = await documentsAbout(person);
    if (Object.keys(left).length > 0) throw new Error(`there is still ${JSON.stringify(left)}`);
    return true;
  }, 'nothing left about them');
/** Only once it was told is there nothing to come any more: the last mail is written after all else was erased. */
async function erase(person: Somebody, asked = erasure(person)): Promise<void> {
  await service.publish(asked);
  await answered(person.id, 'engagement.user-data-erased');
  await isNowhere(person);
}
const mailsTo = (email: string) => service.mails.to(email).length;

describe('an erasure', () => {
  it('leaves nothing about the person, touches nobody else, mails once more, and is told once', async () => {
    const [person, other] = [await somebody(), await somebody()];
    const kept = await documentsAbout(other);
    expect(kept).toEqual({ deliveries: 4, notifications: 3, preferences: 1, recipients: 1, suppressions: 1 });
    const unread = async () => (await service.ask(service.people.admin, 'GET', '/v1/notifications')).body.unreadCount;
    const before = await unread();

    const asked = erasure(person);
    await service.publish(asked, asked);
    expect((await answered(person.id, 'engagement.user-data-erased')).data).toEqual({ requestId: asked.id });
    await isNowhere(person);
    expect(await documentsAbout(other)).toEqual(kept);
    expect(await unread()).toBe(before);
    const last = await service.deliveries.findOne({ template: 'account-erased' });
    expect(last).toMatchObject({ status: 'delivered', userId: null, email: null, mail: null, attempts: [] });
    expect(mailsTo(person.email)).toBe(5);

    await service.publish(asked);
    await service.publish(service.event(identityEvents.userErased, person.id, {}));
    await somebody();
    expect(answers.filter((event) => event.subject === person.id)).toHaveLength(1);
    expect(mailsTo(person.email)).toBe(5);
    expect(await documentsAbout(other)).toEqual(kept);
  });

  it('lets nothing about the person come back with events that were late', async () => {
    const person = await somebody();
    const late = service.event(identityEvents.passwordChanged, person.id, { ...person.named, how: 'reset' });
    const verified = service.event(identityEvents.userVerified, person.id, { ...person.named, role: 'retail' }, 9);
    await erase(person);
    const sent = mailsTo(person.email);
    await service.publish(late, verified);
    const other = await somebody();
    expect(await documentsAbout(person)).toEqual({});
    expect([mailsTo(person.email), mailsTo(other.email)]).toEqual([sent, 4]);
  });

  it('takes what a request wrote meanwhile once the account is gone', async () => {
    const person = await somebody();
    await erase(person);
    await service.ask(person.who, 'PUT', '/v1/notifications/preferences', {});
    expect(await documentsAbout(person)).toEqual({ preferences: 1 });
    await service.publish(service.event(identityEvents.userErased, person.id, {}));
    await isNowhere(person);
  });

  it('asked for again leaves alone whoever has the email by then', async () => {
    const person = await somebody();
    const asked = erasure(person);
    await erase(person, asked);
    const anew = { ...person, id: newId('user') };
    const named = { ...person.named, role: 'retail' as const };
    await service.publish(service.event(identityEvents.userVerified, anew.id, named));
    await service.delivered(person.email);
    await service.publish(asked);
    await service.publish(service.event(identityEvents.userErased, person.id, {}));
    const next = await somebody();
    await erase(next);
    expect(await documentsAbout(anew)).toEqual({ deliveries: 1, notifications: 1, recipients: 1 });
  });

  it('of somebody unknown is told all the same', async () => {
    const id = newId('user');
    await service.publish(
      service.event(identityEvents.userErasureRequested, id, { email: 'nobody@example.com', role: 'retail' }),
    );
    expect(await answered(id, 'engagement.user-data-erased')).toMatchObject({ subject: id });
  });

  it('leaves no trace either where the last mail bounces', async () => {
    const person = await somebody();
    service.mails.answerRecipient = (address) => (address === person.email ? 550 : null);
    await erase(person);
    await eventually(() => service.deliveries.findOne({ template: 'account-erased', status: 'failed' }), 'the bounce');
    expect(await documentsAbout(person)).toEqual({});
  });
});

describe('an export', () => {
  it('hands in all that is kept about the person, once', async () => {
    const person = await somebody();
    const exportId = newId('exp');
    const asked = service.event(identityEvents.userExportRequested, person.id, { exportId, email: person.email });
    await service.publish(asked, asked);
    const { data } = await answered(person.id, 'engagement.user-data-exported');
    expect(data.exportId).toBe(exportId);
    expect(data.data).toMatchObject({
      recipient: { email: person.email, firstName: 'Ada' },
      preferences: { types: { wishlist: { EMAIL: false, IN_APP: true } }, quietHours: null },
    });
    expect(data.data.notifications.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'password-changed',
      'welcome',
    ]);
    expect(data.data.deliveries.map(({ template }: { template: string }) => template).toSorted()).toEqual([
      'message',
      'password-changed',
      'trade-application-received',
      'welcome',
    ]);
    expect(answers.filter((event) => event.subject === person.id)).toHaveLength(1);
  });

  it('that is ready is mailed and shown to its owner', async () => {
    const { who, named } = await somebody();
    const exportId = newId('exp');
    await service.publish(service.event(identityEvents.userExportReady, who.sub, { ...named, exportId }));
    await eventually(
      () => service.mails.to(named.email).find(({ subject }) => subject === 'Your data is ready'),
      'the mail',
    );
    const { body } = await service.ask(who, 'GET', '/v1/notifications?type=user-export-ready');
    expect(body.data).toMatchObject([{ title: 'Your data is ready', data: { exportId } }]);
  });
});
