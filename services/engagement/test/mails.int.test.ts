import { identityEvents, newId } from '@storefront/contracts';
import { eventually, principal } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ bus: 'rabbitmq' });
});
afterAll(() => service.close());

let made = 0;
const newPerson = () => {
  made += 1;
  return { email: `person${made}@example.com`, firstName: 'Ada', lastName: 'Lovelace' };
};

describe('an event of identity', () => {
  const decided = {
    businessName: 'Lovelace & Sons',
    reason: 'Your papers <are> in order',
    business: { name: 'Lovelace & Sons', address: 'Main Street 1', vatNumber: null, country: 'GB' },
    submittedAt: '2026-11-20T09:30:00.000Z',
  };
  const mails = [
    ['a welcome', identityEvents.userVerified, { role: 'retail' }, 'Welcome to Tea & Tools', /account is ready/],
    [
      'an account that exists already',
      identityEvents.registrationAttempted,
      { attempted: 'retail' },
      'You already have an account',
      /already/,
    ],
    [
      'a warning of failed logins',
      identityEvents.loginThrottled,
      { failures: 5 },
      'Failed logins to your account',
      /5 failed/,
    ],
    [
      'a changed password',
      identityEvents.passwordChanged,
      { how: 'change' },
      'Your password was changed',
      /was changed/,
    ],
    [
      'an authenticator app',
      identityEvents.secondFactorChanged,
      { change: 'totp-added', recoveryCodesLeft: 10 },
      'An authenticator app was added',
      /authenticator app was set up/,
    ],
    [
      'a recovery code that was used',
      identityEvents.secondFactorChanged,
      { change: 'recovery-code-used', recoveryCodesLeft: 9 },
      'A recovery code was used',
      /codes left: 9/,
    ],
    [
      'codes that were guessed',
      identityEvents.secondFactorGuessed,
      { tries: 10 },
      'Wrong codes for your account',
      /10 codes in a row/,
    ],
    [
      'an email that belongs to an account',
      identityEvents.emailChangeAttempted,
      {},
      'You already have an account',
      /for another account/,
    ],
    [
      'a new email',
      identityEvents.emailChanged,
      { previousEmail: 'before@example.com' },
      'Your email address was changed',
      /From now on/,
    ],
    [
      'changes that were undone',
      identityEvents.changesReverted,
      { previousEmail: 'before@example.com', undone: ['passkey-added'] },
      'Your account is as it was before',
      /a passkey that was added/,
    ],
    [
      'an application that waits',
      identityEvents.tradeAccountSubmitted,
      { businessName: 'Lovelace' },
      'We have received your trade application',
      /application of Lovelace for a trade account/,
    ],
    [
      'an approval',
      identityEvents.tradeAccountApproved,
      decided,
      'Your trade account is approved',
      /papers <are> in order/,
    ],
    [
      'a rejection',
      identityEvents.tradeAccountRejected,
      decided,
      'Your trade application was not accepted',
      /papers <are> in order/,
    ],
    [
      'a request for information',
      identityEvents.tradeAccountInfoRequested,
      decided,
      'We need more information for your trade application',
      /papers <are> in order/,
    ],
    [
      'a suspension',
      identityEvents.tradeAccountSuspended,
      decided,
      'Your trade account is suspended',
      /papers <are> in order/,
    ],
    [
      'a reinstatement',
      identityEvents.tradeAccountReinstated,
      decided,
      'Your trade account can be used again',
      /papers <are> in order/,
    ],
  ] as const;

  it.each(mails)('causes exactly one mail: %s', async (_what, contract, more, subject, words) => {
    const person = newPerson();
    const event = service.event(contract, newId('user'), { ...person, ...more });
    // A broker may deliver an event several times, also later.
    await service.publish(...Array.from({ length: 10 }, () => event));
    const delivery = await service.delivered(person.email);
    await service.publish(event);
    // This one is behind the others in the same queue.
    const later = newPerson();
    await service.publish(service.event(contract, newId('user'), { ...later, ...more }));
    await service.delivered(later.email);
    expect(await service.bus.deadLetters.count()).toBe(0);

    const [mail, ...others] = service.mails.to(person.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toMatch(words);
    expect(mail?.html).toContain('<html lang="en">');
    expect(mail?.from).toEqual({ name: 'Tea & Tools', address: 'shop@example.com' });
    expect(mail?.to).toEqual([{ name: '', address: person.email }]);
    expect(mail?.messageId).toBe(`<${String(delivery._id)}@mail.example.com>`);
    const headers = Object.fromEntries((mail?.headers ?? []).map(({ key, value }) => [key, value]));
    const isSecurity = delivery.category === 'security';
    expect(headers['list-unsubscribe']).toBe(
      isSecurity ? undefined : '<https://shop.example/notifications/preferences>',
    );
    expect(headers['auto-submitted']).toBe('auto-generated');
    expect(await service.deliveries.countDocuments({ email: person.email })).toBe(1);
  });

  const codes = [
    [
      'verification',
      identityEvents.userRegistered,
      {},
      /for the registration of Ada L\. at .+ with this email address/,
    ],
    [
      'a trade application',
      identityEvents.tradeAccountRegistered,
      { businessName: 'Lovelace', codeOnly: false, appliesAgain: false },
      /We look at the application as soon as the code was entered/,
    ],
    [
      'a trade applicant who asks for the code again',
      identityEvents.tradeAccountRegistered,
      { businessName: 'Lovelace', codeOnly: true, appliesAgain: false },
      /for the registration/,
    ],
    ['a forgotten password', identityEvents.passwordResetRequested, {}, /set a new password/],
    ['a new email', identityEvents.emailChangeRequested, {}, /wants to use this address/],
  ] as const;

  it.each(codes)('mails its code, which is seen nowhere else: %s', async (_what, contract, more, words) => {
    const person = newPerson();
    const code = String(100_000 + made);
    const sealed = await service.sealed(code);
    await service.publish(service.event(contract, newId('user'), { ...person, ...sealed, ...more }));
    const delivery = await service.delivered(person.email);
    const [mail] = service.mails.to(person.email);
    expect(mail?.text?.match(/\b\d{6}\b/g)).toEqual([code]);
    expect(mail?.text).toMatch(words);
    expect(mail?.html).toContain(code);
    expect(delivery.code).toBeNull();
    expect(JSON.stringify(await service.deliveries.find({ email: person.email }).toArray())).not.toContain(code);
    expect(service.lines.join('')).not.toContain(code);
    expect(service.lines.join('')).not.toContain(sealed.sealedCode);
  });

  it('mails the former address about the change, with the way back, and writes to the new one from then on', async () => {
    const [before, person] = [newPerson(), newPerson()];
    const userId = newId('user');
    const link = 'w'.repeat(43);
    const { sealedCode, codeExpiresAt } = await service.sealed(null, 600_000, link);
    const verified = service.event(identityEvents.userVerified, userId, { ...before, role: 'admin' }, 1);
    const changed = service.event(
      identityEvents.emailChanged,
      userId,
      { ...person, previousEmail: before.email, sealedCode, linkExpiresAt: codeExpiresAt },
      2,
    );
    await service.publish(verified, changed, changed);
    await service.delivered(before.email);
    await service.delivered(person.email);
    const [notice] = service.mails.to(before.email);
    expect(notice?.subject).toBe('Your account has another email address now');
    expect(notice?.text).toContain(`https://shop.example/changes/revert#token=${link}`);
    expect(notice?.text).not.toContain(person.email);
    expect(service.mails.to(person.email)[0]?.text).not.toContain(link);
    expect(await service.deliveries.countDocuments({ userId })).toBe(2);
    expect(await service.collection('recipients').findOne({ _id: userId })).toMatchObject({ email: person.email });
  });

  it('mails a person about another role, who then gets no announcements; an older role that comes late changes nothing', async () => {
    const person = newPerson();
    const userId = newId('user');
    const given = (role: 'catalog' | 'retail', sequence: number) =>
      service.event(
        identityEvents.staffChanged,
        userId,
        { ...person, role, change: 'role-changed', reason: null },
        sequence,
      );
    const recipient = () => service.collection('recipients').findOne({ _id: userId });
    await service.publish(service.event(identityEvents.userVerified, userId, { ...person, role: 'retail' }, 1));
    await service.idle();
    expect(await recipient()).toMatchObject({ role: 'retail', segment: 'retail' });
    const newest = given('catalog', 4);
    await service.publish(newest);
    await service.idle();
    expect(await recipient()).toMatchObject({ role: 'catalog', segment: 'none' });
    await service.publish(given('retail', 3), newest);
    await service.idle();
    expect(await recipient()).toMatchObject({ role: 'catalog', segment: 'none' });
    await eventually(
      () =>
        service.mails.to(person.email).filter(({ subject }) => subject === 'Your account has another role now')
          .length === 2,
      'the mails about the roles',
    );
  });

  it.each([
    ['a new factor', identityEvents.secondFactorChanged, { change: 'passkey-added', recoveryCodesLeft: 10 }],
    ['a changed password', identityEvents.passwordChanged, { how: 'change' }],
  ])('mails %s with the way back, in one mail', async (_what, contract, data) => {
    const person = newPerson();
    const userId = newId('user');
    const link = 'b'.repeat(43);
    const { sealedCode, codeExpiresAt } = await service.sealed(null, 600_000, link);
    const changes = { ...person, ...data, sealedCode, linkExpiresAt: codeExpiresAt } as never;
    await service.publish(service.event(contract as typeof identityEvents.passwordChanged, userId, changes));
    await service.delivered(person.email);
    const received = service.mails.to(person.email);
    expect(received).toHaveLength(1);
    expect(received[0]?.text).toContain(`https://shop.example/changes/revert#token=${link}`);
    expect(received[0]?.text).not.toContain('/password/forgot');
  });

  it('becomes a dead letter where its data does not fit its contract', async () => {
    const broken = {
      ...service.event(identityEvents.userVerified, newId('user'), { ...newPerson(), role: 'retail' }),
      data: { email: 7 },
    };
    await service.publish(broken);
    const deadLetter = await eventually(async () => {
      const deadLetters = await service.bus.deadLetters.list();
      return deadLetters[0];
    }, 'the dead letter');
    expect(deadLetter.reason).toContain('email');
  });

  it.each(['a@example.com\r\nBcc: b@example.com', 'a@example.com, b@example.com', '"a"@example.com'])(
    'sends nothing to %j',
    async (email) => {
      const before = service.mails.received.length;
      const event = service.event(identityEvents.passwordChanged, newId('user'), {
        ...newPerson(),
        email,
        how: 'change',
      });
      await service.publish(event);
      await service.delivered(email, 'failed');
      expect(service.mails.received).toHaveLength(before);
    },
  );
});

describe('a mail that is kept', () => {
  it('is shown to staff without its code', async () => {
    const person = newPerson();
    const code = '493027';
    const sealed = await service.sealed(code);
    service.mails.answerRecipient = () => 550;
    await service.publish(service.event(identityEvents.userRegistered, newId('reg'), { ...person, ...sealed }));
    await service.delivered(person.email, 'failed');
    service.mails.answerRecipient = () => null;
    const delivery = await service.deliveries.findOne({ email: person.email });
    const path = `/v1/notifications/deliveries/${String(delivery?._id)}/mail`;
    const { status, body } = await service.request(service.people.admin, 'GET', path);
    expect([status, body.content.subject]).toEqual([200, '•••••• is your code']);
    expect(body.content.html).toContain('••••••');
    expect(JSON.stringify(body)).not.toContain(code);
  });
});

describe('the language of a mail', () => {
  it('is that of the registration: a code in German, as the mail server gets it', async () => {
    const person = { ...newPerson(), locale: 'de' } as const;
    const sealed = await service.sealed('493027');
    await service.publish(service.event(identityEvents.userRegistered, newId('reg'), { ...person, ...sealed }));
    await service.delivered(person.email);
    const [mail] = service.mails.to(person.email);
    expect(mail?.subject).toBe('493027 ist Ihr Code');
    expect(mail?.html).toContain('<html lang="de">');
    expect(mail?.text).toMatch(/^Guten Tag!\n\nDas ist der Code für die Registrierung von Ada L\. bei Tea & Tools/);
    expect(mail?.text).toMatch(/^493027$/m);
    expect(mail?.text).toMatch(/bis \d+\. \p{L}+, \d\d:\d\d UTC/u);
    expect(mail?.text).not.toMatch(/\b(the|your|this)\b/i);
  });

  it('is that which the user has chosen last, also of notifications and of the pages that end such mail', async () => {
    const { admin } = service.people;
    const who = principal('retail');
    const person = newPerson();
    const changed = (more: object, version: number) =>
      service.event(identityEvents.userChanged, who.sub, { ...person, ...more }, version);
    const recipient = (fields: object) =>
      eventually(() => service.collection('recipients').findOne({ _id: who.sub, ...fields }), 'the recipient');
    const write = async (text: string) => {
      const message = { channel: 'EMAIL', userId: who.sub, email: person.email, category: 'marketing', text };
      await service.request(admin, 'POST', '/v1/notifications', message);
      return eventually(() => service.mails.to(person.email).find((mail) => mail.text?.startsWith(text)), 'the mail');
    };
    await service.request(who, 'PUT', '/v1/notifications/preferences', { types: { marketing: { EMAIL: true } } });
    const german = changed({ locale: 'de', timeZone: 'Europe/Berlin' }, 3);
    await service.publish(
      service.event(identityEvents.userVerified, who.sub, { ...person, role: 'retail' }, 1),
      german,
    );
    await recipient({ locale: 'de', timeZone: 'Europe/Berlin' });
    // An older event changes nothing.
    await service.publish(changed({ locale: 'en' }, 2), german);
    const mail = await write('Eins');
    expect(mail.subject).toBe('Eine Nachricht von Tea & Tools');
    const [, page = ''] = /Solche E-Mails abbestellen:\nhttps:\/\/api\.example(\S+)/.exec(mail.text ?? '') ?? [];
    expect(await (await fetch(service.url() + page, { headers: await service.headersFor(null) })).text()).toContain(
      'Möchten Sie keine E-Mails mehr über Neuigkeiten und Aktionen von Tea &amp; Tools erhalten?',
    );
    await service.publish(
      service.event(identityEvents.loginThrottled, who.sub, { ...person, locale: 'de', failures: 5 }),
    );
    await eventually(
      () => service.notifications.findOne({ audience: who.sub, title: 'Fehlgeschlagene Anmeldungen an Ihrem Konto' }),
      'the notification',
    );
    // Without a language of their own, people are written to in that of the shop.
    await service.publish(changed({}, 4));
    await recipient({ locale: { $exists: false }, timeZone: { $exists: false } });
    expect((await write('Two')).subject).toBe('A message from Tea & Tools');
  });

  it('is that of an erased user in the last mail', async () => {
    const { email } = newPerson();
    const event = { email, locale: 'de', role: 'retail' } as const;
    await service.publish(service.event(identityEvents.userErasureRequested, newId('user'), event));
    const last = await eventually(() => service.mails.to(email)[0], 'the last mail');
    expect(last.subject).toBe('Ihr Konto wird gelöscht');
  });
});
