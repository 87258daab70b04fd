import { identityEvents, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ instances: 2 });
});
afterEach(() => {
  service.mails.answerRecipient = () => null;
  service.mails.beforeTaking = async () => undefined;
});
afterAll(() => service.close());

let made = 0;
const newPerson = () => {
  made += 1;
  return { email: `someone${made}@example.com`, firstName: 'Ada', lastName: 'Lovelace' };
};
const welcomeTo = (person: ReturnType<typeof newPerson>) =>
  service.event(identityEvents.userVerified, newId('user'), { ...person, role: 'retail' });

describe('a mail', () => {
  it('waits for a mail server that is away, and leaves soon after its return, once', async () => {
    await service.mails.stop();
    const people = Array.from({ length: 200 }, newPerson);
    await service.publish(...people.map(welcomeTo));
    await eventually(
      () => service.deliveries.findOne({ 'attempts.outcome': 'unreachable', status: 'pending' }),
      'an attempt that did not reach the mail server',
    );
    expect(await service.deliveries.countDocuments({ status: 'failed' })).toBe(0);
    const returned = performance.now();
    await service.mails.start();
    await eventually(
      () => people.every(({ email }) => service.mails.to(email).length > 0),
      'all mails after the return of the mail server',
      90_000,
    );
    process.stderr.write(
      `200 mails after the return of the mail server: ${Math.round(performance.now() - returned)} ms\n`,
    );
    expect(people.filter(({ email }) => service.mails.to(email).length !== 1)).toEqual([]);
  });

  it('is deferred by a 4xx and sent a moment later', async () => {
    const person = newPerson();
    let attempts = 0;
    service.mails.answerRecipient = () => {
      attempts += 1;
      return attempts === 1 ? 451 : null;
    };
    await service.publish(welcomeTo(person));
    const delivery = await service.delivered(person.email);
    expect(delivery.attempts).toMatchObject([
      { outcome: 'deferred', answer: expect.stringMatching(/^451/) },
      { outcome: 'accepted', answer: expect.stringMatching(/^250/) },
    ]);
  });

  it('fails at a 550; its address then gets security mail only, until one arrives', async () => {
    const person = newPerson();
    service.mails.answerRecipient = () => 550;
    await service.publish(welcomeTo(person));
    const failed = await service.delivered(person.email, 'failed');
    expect(failed).toMatchObject({ reason: 'refused', attempts: [{ answer: expect.stringMatching(/^550/) }] });

    service.mails.answerRecipient = () => null;
    await service.publish(welcomeTo(person));
    await service.delivered(person.email, 'suppressed');
    expect(service.mails.to(person.email)).toEqual([]);

    await service.publish(service.event(identityEvents.passwordChanged, newId('user'), { ...person, how: 'change' }));
    await service.delivered(person.email);
    await service.publish(welcomeTo(person));
    await eventually(() => service.mails.to(person.email).length === 2, 'the mail that is no longer suppressed');
  });

  it('fails at a 554 about its content, and its address is not suppressed', async () => {
    const person = newPerson();
    service.mails.answerRecipient = () => 554;
    await service.publish(welcomeTo(person));
    await service.delivered(person.email, 'failed');
    service.mails.answerRecipient = () => null;
    await service.publish(welcomeTo(person));
    await service.delivered(person.email);
    expect(service.mails.to(person.email)).toHaveLength(1);
  });

  it('has the same Message-ID when it is sent again after a crash between sending and saving', async () => {
    const person = newPerson();
    await service.publish(welcomeTo(person));
    const { _id } = await service.delivered(person.email);
    // As a crash leaves it once its wait is over: due, and no attempt recorded.
    const mail = { template: 'welcome', data: { firstName: person.firstName } };
    const asBefore = { status: 'pending', dueAt: new Date(), deliveredAt: null, keptUntil: null, mail };
    await service.deliveries.updateOne({ _id }, { $set: asBefore, $inc: { version: 1 } });
    await eventually(() => service.mails.to(person.email).length === 2, 'the mail a second time');
    const [first, second] = service.mails.to(person.email);
    expect(second?.messageId).toBe(first?.messageId);
    expect(second?.date).toBe(first?.date);
  });

  it('is sent once by two instances while the mail server is slow', async () => {
    const person = newPerson();
    let release: () => void = () => undefined;
    service.mails.beforeTaking = () => new Promise((resolve) => (release = resolve));
    await service.publish(welcomeTo(person));
    await eventually(() => service.mails.to(person.email).length === 1, 'the mail to be under way');
    expect(await service.delivered(person.email, 'pending')).toMatchObject({
      dueAt: null,
      holder: expect.any(String),
      ending: expect.any(String),
    });
    release();
    await service.delivered(person.email);
    expect(service.mails.to(person.email)).toHaveLength(1);
  });

  it('is sent once, and without delay, by instances whose clocks are 16 s ahead and behind', async () => {
    const [ahead, behind] = await Promise.all(
      [16_000, -16_000].map((offMs) => service.another({ now: () => new Date(Date.now() + offMs) })),
    );
    const people = Array.from({ length: 60 }, newPerson);
    service.mails.beforeTaking = () => new Promise((resolve) => setTimeout(resolve, 50));
    await service.publish(...people.map(welcomeTo));
    for (const { email } of people) await service.delivered(email);
    const once = await service.deliveries.find({ email: { $in: people.map(({ email }) => email) } }).toArray();
    // One that waited for its time by a wrong clock would have waited for 16 s.
    expect(once.filter(({ dueAt, attemptCount }) => dueAt !== null || attemptCount !== 1)).toEqual([]);
    expect(people.filter(({ email }) => service.mails.to(email).length !== 1)).toEqual([]);
    await Promise.all([ahead?.close(), behind?.close()]);
  });
});

describe('a code', () => {
  const register = async (
    userId: string,
    person: ReturnType<typeof newPerson>,
    code: string,
    sequence: number,
    lifeMs?: number,
  ) =>
    service.event(
      identityEvents.userRegistered,
      userId,
      { ...person, ...(await service.sealed(code, lifeMs)) },
      sequence,
    );

  it('that has expired is not sent', async () => {
    const person = newPerson();
    await service.publish(await register(newId('user'), person, '111222', 1, -1000));
    const delivery = await service.delivered(person.email, 'expired');
    expect(delivery).toMatchObject({ reason: 'code_expired', code: null, attemptCount: 0 });
    expect(service.mails.to(person.email)).toEqual([]);
  });

  it('is not sent where a newer one was requested meanwhile, in whatever order they arrive', async () => {
    const [user, person] = [newId('user'), newPerson()];
    await service.mails.stop();
    await service.publish(await register(user, person, '111111', 1), await register(user, person, '222222', 2));
    const { email } = person;
    await eventually(async () => {
      const made = await service.deliveries.find({ email }).toArray();
      return made.length === 2 && made.some(({ attemptCount }) => attemptCount > 0);
    }, 'both deliveries, and an attempt that failed');
    await service.mails.start();
    await service.delivered(person.email, 'superseded');
    await service.delivered(person.email);
    await service.publish(await register(user, person, '333333', 1));
    await eventually(
      () =>
        service.deliveries.countDocuments({ email: person.email, status: 'superseded' }).then((count) => count === 2),
      'the late older one to be superseded',
    );
    expect(service.mails.to(person.email).map(({ text }) => /\d{6}/.exec(text ?? '')?.[0])).toEqual(['222222']);
  });

  it('that was encrypted with another key fails and is not tried for ever', async () => {
    const person = newPerson();
    const event = await register(newId('user'), person, '111222', 1);
    const other = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA';
    await service.publish({ ...event, data: { ...(event.data as object), sealedCode: other } });
    expect(await service.delivered(person.email, 'failed')).toMatchObject({ reason: 'not_writable' });
  });
});
