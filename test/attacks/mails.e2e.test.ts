import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailTo } from '../client.ts';
import {
  applyForTrade,
  expectStatus,
  logIn,
  newEmail,
  newPassword,
  signUp,
  tradeApplication,
  type Person,
} from './system/people.ts';
import { startSystem, type System } from './system/system.ts';

interface Recipient {
  readonly Address: string;
}
interface Opened {
  readonly Subject: string;
  readonly Text: string;
  readonly HTML: string;
  readonly From: Recipient;
  readonly To: readonly Recipient[];
  readonly Cc: readonly Recipient[];
  readonly Bcc: readonly Recipient[];
  readonly ReplyTo: readonly Recipient[];
}

const evil = 'evil@attacker.example';
const markup = '<img src=x onerror=alert(1)><script>alert(2)</script><a href="https://evil.example">win</a>';

let system: System;
let admin: Person;

beforeAll(async () => {
  system = await startSystem('mails');
  admin = await logIn(system, system.admin);
});
afterAll(async () => {
  await system?.close();
});

const opened = async (email: string, subject: RegExp) =>
  (await mailTo(system.mailbox, email, subject)) as unknown as Opened;

/** One recipient, and nothing in the HTML that acts. */
function expectHarmless(mail: Opened, email: string): void {
  expect(mail.To.map(({ Address }) => Address)).toEqual([email]);
  expect([...mail.Cc, ...mail.Bcc, ...mail.ReplyTo]).toEqual([]);
  expect(mail.From.Address).toBe('no-reply@shop.example');
  expect(mail.Subject).not.toMatch(/[\r\n\0]/);
  expect(mail.HTML).not.toMatch(/<(?:script|iframe|object|embed|form|svg|base|link|meta http)|<[^>]+\son\w+=/i);
  expect(mail.HTML).not.toMatch(/(?:href|src)="?\s*(?:javascript|data|vbscript):/i);
}

const brokenLines = [
  ['a line end and a header', `Ada\r\nBcc: ${evil}`],
  ['a line feed and a header', `Ada\nBcc: ${evil}`],
  ['a carriage return and a header', `Ada\rBcc: ${evil}`],
  ['two line ends and a body', 'Ada\r\n\r\n<h1>body</h1>'],
  ['a null byte', `Ada\0Bcc: ${evil}`],
  ['a vertical tab', `Ada\u000bBcc: ${evil}`],
  ['a next line', `Ada\u0085Bcc: ${evil}`],
  ['half a surrogate pair', 'Ada\ud800'],
] as const;

describe.each(brokenLines)('%s', (_what, text) => {
  const expectRefusedAt = async (path: string, body: object, field: string, token?: string) => {
    const answer = await system.call('POST', path, { body, token });
    expect([answer.status, answer.body.errors?.map(({ pointer }: any) => pointer)], path).toEqual([400, [`/${field}`]]);
  };

  it('gets into no name', async () => {
    const email = newEmail('broken');
    const form = { email, password: newPassword(system), firstName: 'Ada', lastName: 'Lovelace' };
    await expectRefusedAt('/v1/auth/register', { ...form, firstName: text }, 'firstName');
    await expectRefusedAt('/v1/auth/register', { ...form, lastName: text }, 'lastName');
    const application = tradeApplication(email, form.password);
    await expectRefusedAt('/v1/auth/trade/register', { ...application, businessName: text }, 'businessName');
  });

  it('gets into no subject and no title', async () => {
    const body = { channel: 'EMAIL', email: newEmail('broken'), html: '<p>Hello</p>' };
    await expectRefusedAt('/v1/notifications', { ...body, subject: text }, 'subject', admin.token);
    await expectRefusedAt('/v1/notifications', { ...body, title: text }, 'title', admin.token);
  });
});

describe('an address that is more, or less, than one', () => {
  it.each([
    `ada@example.com,${evil}`,
    `ada@example.com;${evil}`,
    `ada@example.com ${evil}`,
    `ada@example.com\r\nBcc: ${evil}`,
    `ada@example.com\nRCPT TO:<${evil}>`,
    `ada@example.com\0${evil}`,
    `ada@example.com>\r\nRCPT TO:<${evil}`,
    `"ada" <ada@example.com>`,
    `<ada@example.com>`,
    `"${evil} "@example.com`,
    `"a,b"@example.com`,
    `ada(comment)@example.com`,
    `friends: ada@example.com, ${evil};`,
    `@evil.example:ada@example.com`,
    `ada@example.com?bcc=${evil}`,
    `ada@[127.0.0.1]`,
    `ada@@example.com`,
    `ada@example.com%0d%0aBcc:${evil}`,
    `=?utf-8?q?ada=40evil.example?=@example.com,`,
    `ada@example.com\u2028Bcc:${evil}`,
  ])('%j is refused', async (email) => {
    const { token } = admin;
    const password = newPassword(system);
    const letter = { channel: 'EMAIL', email, subject: 'News', html: '<p>Hello</p>' };
    const person = { email, password, firstName: 'Ada', lastName: 'Lovelace' };
    for (const [path, body] of [
      ['/v1/notifications', letter],
      ['/v1/auth/register', person],
      ['/v1/auth/trade/register', tradeApplication(email, password)],
      ['/v1/auth/password/forgot', { email }],
      ['/v1/auth/verify/resend', { email, password }],
    ] as const) {
      const answer = await system.call('POST', path, { body, token });
      expect([answer.status, answer.body.errors?.[0]?.pointer], path).toEqual([400, '/email']);
    }
  });

  it('in a list, or an object, is refused', async () => {
    for (const email of [['ada@example.com', evil], { address: evil }, { $ne: null }]) {
      const body = { channel: 'EMAIL', email, subject: 'News', html: '<p>Hello</p>' };
      expect((await system.call('POST', '/v1/notifications', { token: admin.token, body })).status).toBe(400);
    }
  });
});

describe('somebody who has codes mailed to another person', () => {
  const form = (email: string) => ({ email, password: newPassword(system), firstName: 'Ada', lastName: 'Lovelace' });
  const knock = (path: string, body: object, turn: number) =>
    system.call('POST', path, {
      body,
      headers: { 'x-forwarded-for': `6.6.6.${turn}`, 'x-client-ip': `7.7.7.${turn}` },
    });

  /** Does the work again where another hour begins meanwhile, and with it another budget. */
  async function withinAnHour<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const hour = new Date().getHours();
      const result = await work();
      if (new Date().getHours() === hour) return result;
    }
  }

  it('gets five an hour for one purpose, however the address is written and wherever the requests say they are from', async () => {
    const answers = await withinAnHour(async () => {
      const email = newEmail('flooded');
      const written = (turn: number) => (turn % 2 === 0 ? email : email.toUpperCase());
      const knocks = [
        ...[0, 1, 2, 3].map((turn) => () => knock('/v1/auth/register', form(written(turn)), turn)),
        () => knock('/v1/auth/trade/register', tradeApplication(email, newPassword(system)), 4),
        () => knock('/v1/auth/trade/register', tradeApplication(email, newPassword(system)), 5),
        () => knock('/v1/auth/register', form(email), 6),
        ...[0, 1, 2, 3, 4, 5].map((turn) => () => knock('/v1/auth/password/forgot', { email: written(turn) }, turn)),
      ];
      const seen = [];
      for (const each of knocks) seen.push(await each());
      return seen;
    });
    const [registered, recovered] = [answers.slice(0, 7), answers.slice(7)];
    expect(registered.map(({ status }) => status)).toEqual([202, 202, 202, 202, 201, 429, 429]);
    expect(recovered.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    for (const { headers, body } of answers.filter(({ status }) => status === 429)) {
      expect(body.code).toBe('too_many_codes');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    }
  });
});

describe('markup', () => {
  it('in a first name is not even greeted', async () => {
    const email = newEmail('markup');
    const body = {
      email,
      password: newPassword(system),
      firstName: markup.slice(0, 60),
      lastName: 'https://evil.example',
    };
    await expectStatus(system.call('POST', '/v1/auth/register', { body }), 202);
    const mail = await opened(email, /code|confirm|verif/i);
    expectHarmless(mail, email);
    expect(mail.Text + mail.HTML).not.toMatch(/onerror|evil\.example/);
  });

  it('in the name of a business and in the reason of a verdict is shown as it was written', async () => {
    const applied = await applyForTrade(system, admin, 'markup', markup);
    const [withCode, received] = applied.mails as unknown as [Opened, Opened];
    // Before the email is proved, nothing of what was typed gets into a mail.
    expect(withCode.Text + withCode.HTML).not.toMatch(/onerror|evil\.example/);
    for (const mail of [withCode, received]) expectHarmless(mail, applied.email);
    const body = { reason: `${markup}\nSecond line` };
    await expectStatus(
      system.call('POST', `/v1/trade-accounts/${applied.id}/reject`, { token: admin.token, body }),
      200,
    );
    const rejected = await opened(applied.email, /not accepted/i);
    expectHarmless(rejected, applied.email);
    expect(received.HTML + rejected.HTML).not.toContain('<img');
    for (const mail of [received, rejected]) {
      expect(mail.HTML).toContain('&lt;script&gt;alert(2)&lt;/script&gt;');
      expect(mail.Text).toContain(markup);
    }
  });

  it('of an administrator is cleaned of all that acts', async () => {
    const email = newEmail('letter');
    const html = [
      '<p>Hello</p>',
      markup,
      '<a href="javascript:alert(1)">a</a>',
      '<a href=" data:text/html,x">b</a>',
      '<a href="https://shop.example/" onclick="alert(1)">c</a>',
      '<iframe src="https://evil.example"></iframe><object data="x"></object><embed src="x">',
      '<svg onload=alert(1)></svg><math><mi xlink:href="javascript:alert(1)"></mi></math>',
      '<form action="https://evil.example"><input name="password"></form>',
      '<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example/">',
      '<link rel="stylesheet" href="https://evil.example/x.css"><style>@import "https://evil.example/x.css"</style>',
      '<p style="background:url(javascript:alert(1))">d</p><!--[if mso]><script>alert(3)</script><![endif]-->',
    ].join('');
    const body = { channel: 'EMAIL', email, subject: `News =?utf-8?q?=0d=0aBcc:_${evil}?= <b>`, html };
    await expectStatus(system.call('POST', '/v1/notifications', { token: admin.token, body }), 202);
    const mail = await opened(email, /News/);
    expectHarmless(mail, email);
    expect(mail.HTML).toContain('<p>Hello</p>');
    expect(mail.HTML).not.toMatch(/alert\([13]\)|@import/);
    expect(mail.HTML).toContain('&lt;b&gt;');
  });
});

it('no mail went to anybody else', async () => {
  await signUp(system, 'last');
  const all = await eventually(async () => {
    const answer = await fetch(new URL('/api/v1/messages?limit=1000', system.mailbox));
    return ((await answer.json()) as { messages: Opened[] }).messages;
  }, 'the list of all mails');
  const addresses = all.flatMap(({ To, Cc, Bcc }) => [...To, ...Cc, ...Bcc].map(({ Address }) => Address));
  expect(addresses.filter((address) => !/^[\w.]+@example\.com$/.test(address))).toEqual([]);
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
