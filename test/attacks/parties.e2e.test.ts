import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mail } from '../client.ts';
import { expectStatus, judge, logIn, newEmail, newPassword, tradeApplication, type Person } from './system/people.ts';
import { startSystem, type System } from './system/system.ts';

// Two people, one email: one reads its mailbox, the other does all that nobody is kept from doing. Each has an address of
// their own, which the load balancer names.
const loadBalancer = '127.0.0.1';

let system: System;
let admin: Person;
beforeAll(async () => {
  system = await startSystem('parties', { RATE_LIMITS: 'on', TRUST_PROXY: loadBalancer });
  admin = await logIn(system, system.admin);
});
afterAll(() => system?.close());

type Kind = 'retail' | 'trade';
let pairs = 0;

/** The owner of an email, and a stranger who registers it too. */
function twoParties(name: string) {
  const email = newEmail(name);
  const passwords = { owner: newPassword(system), stranger: newPassword(system) };
  pairs += 1;
  const call = (address: string) => (path: string, body: object) =>
    system.call('POST', path, { body, headers: { 'x-forwarded-for': address } });
  const [asOwner, asStranger] = [call(`192.0.2.${pairs}`), call(`198.51.100.${pairs}`)];

  async function register(kind: Kind, party: 'owner' | 'stranger'): Promise<string> {
    const application = { ...tradeApplication(email, passwords[party]), firstName: party === 'owner' ? 'Olga' : 'Eve' };
    const { firstName, lastName, password } = application;
    const send = party === 'owner' ? asOwner : asStranger;
    const answer =
      kind === 'trade'
        ? await expectStatus(send('/v1/auth/trade/register', application), 201)
        : await expectStatus(send('/v1/auth/register', { email, password, firstName, lastName }), 202);
    return answer.registrationId as string;
  }

  /** The code of the newest mail that is about the owner's registration, by the name in it. */
  async function readCode(subject = /code/i): Promise<string> {
    const mail = await eventually(
      async () =>
        (await mailsTo(email)).find(({ Subject, Text }) => subject.test(Subject) && Text.includes(' of Olga T. at ')),
      `the mail to ${email} that is about the owner's registration`,
    );
    const [code = ''] = /^\d{6}$/m.exec(mail.Text) ?? [];
    system.leaks.keepSecret(code);
    return code;
  }

  return { email, passwords, asOwner, asStranger, register, readCode };
}

async function mailsTo(email: string): Promise<Mail[]> {
  const search = new URL('/api/v1/search', system.mailbox);
  search.searchParams.set('query', `to:"${email}"`);
  const { messages } = (await (await fetch(search)).json()) as { messages: { ID: string }[] };
  return Promise.all(
    messages.map(
      async ({ ID }) => (await (await fetch(new URL(`/api/v1/message/${ID}`, system.mailbox))).json()) as Mail,
    ),
  );
}

const orders: [when: string, before: Kind[], after: Kind[]][] = [
  ['first', ['retail', 'trade'], []],
  ['last', [], ['trade', 'retail']],
  ['before and after', ['trade'], ['retail']],
  ['five times', ['retail', 'trade', 'retail', 'trade', 'retail'], []],
];

describe.each<Kind>(['retail', 'trade'])('an email that its owner registers (%s)', (kind) => {
  it.each(orders)('belongs to the owner where a stranger registers it %s', async (_when, before, after) => {
    const { email, passwords, asOwner, asStranger, register, readCode } = twoParties('shared');
    for (const other of before) await register(other, 'stranger');
    const registrationId = await register(kind, 'owner');
    let theirs = '';
    for (const other of after) theirs = await register(other, 'stranger');

    // The stranger knows no code, and can't use up the tries of the owner's.
    for (let turn = 0; turn < 6; turn += 1) {
      await asStranger('/v1/auth/verify', {
        registrationId: theirs || registrationId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        code: '000000',
      });
      await asStranger('/v1/auth/verify', { email, password: passwords.stranger, code: '000000' });
    }
    const code = await readCode();
    const verified = await asOwner('/v1/auth/verify', { registrationId, code });
    expect([verified.status, verified.body.status]).toEqual([200, kind === 'retail' ? undefined : 'pending-approval']);
    const login = await asOwner('/v1/auth/login', { email, password: passwords.owner });
    expect(login.status).toBe(kind === 'retail' ? 200 : 403);
    const stolen = await asStranger('/v1/auth/login', { email, password: passwords.stranger });
    expect(stolen).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    // Each registration that was answered had a mail of its own.
    const registrations = before.length + after.length + 1;
    const codes = async () => (await mailsTo(email)).filter(({ Subject }) => /^\d{6} is your code/.test(Subject));
    await eventually(async () => (await codes()).length >= registrations, 'a mail for each registration');
    expect(await codes()).toHaveLength(registrations);
  });
});

describe('an account that somebody else goes at', () => {
  it('of an applicant who was asked for more is changed by nothing that a stranger sends', async () => {
    const { email, passwords, asOwner, asStranger, register, readCode } = twoParties('applicant');
    const registrationId = await register('trade', 'owner');
    await asOwner('/v1/auth/verify', { registrationId, code: await readCode() });
    const list = await system.call('GET', '/v1/trade-accounts?limit=5', { token: admin.token });
    const { id } = list.body.data.find((account: { email: string }) => account.email === email);
    await judge(system, admin, id, 'request-info');
    const show = async () => (await system.call('GET', `/v1/trade-accounts/${id}`, { token: admin.token })).body;
    const before = await show();

    const theirs = await register('trade', 'stranger');
    await asStranger('/v1/auth/verify', { registrationId: theirs, code: '000000' });
    await asStranger('/v1/auth/password/forgot', { email });
    expect(await show()).toEqual(before);
    expect((await asStranger('/v1/auth/login', { email, password: passwords.stranger })).status).toBe(401);
    expect((await asOwner('/v1/auth/login', { email, password: passwords.owner })).status).toBe(200);
  });

  it('is logged in to and recovered by its owner while a stranger uses up every limit that there is', async () => {
    const { email, passwords, asOwner, asStranger, register, readCode } = twoParties('victim');
    const registrationId = await register('retail', 'owner');
    await expectStatus(asOwner('/v1/auth/verify', { registrationId, code: await readCode() }), 200);

    const answers: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const moves = [
        () => asStranger('/v1/auth/login', { email, password: `a guess ${turn}` }),
        () => asStranger('/v1/auth/password/forgot', { email }),
        () => asStranger('/v1/auth/verify', { email, password: passwords.stranger, code: '000000' }),
      ];
      const { body } = (await moves[turn % moves.length]?.()) ?? { body: null };
      answers.push(body?.code ?? 'accepted');
    }
    expect(answers).toContain('rate_limited');

    expect((await asOwner('/v1/auth/login', { email, password: passwords.owner })).status).toBe(200);
    const { recoveryId } = await expectStatus(asOwner('/v1/auth/password/forgot', { email }), 202);
    const code = await eventually(async () => {
      // The mails of the stranger's recoveries look the same; only the owner's code fits the owner's recovery.
      const mails = (await mailsTo(email)).filter(({ Subject }) => /new password/.test(Subject));
      for (const { Text } of mails) {
        const [link] = /#code=([\w-]{43})/.exec(Text)?.slice(1) ?? [];
        if (link) return link;
      }
      return null;
    }, 'a mail with a link to set a new password');
    system.leaks.keepSecret(code);
    const newOne = newPassword(system);
    await expectStatus(asOwner('/v1/auth/password/reset', { recoveryId, code, newPassword: newOne }), 200);
    expect((await asOwner('/v1/auth/login', { email, password: newOne })).status).toBe(200);
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
