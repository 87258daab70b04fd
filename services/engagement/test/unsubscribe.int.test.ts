import { identityEvents, newId } from '@storefront/contracts';
import { eventually, principal } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from '../src/messaging/secrets/unsubscribe-tokens.ts';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ settings: { UNSUBSCRIBE_URL: 'https://shop.example/no-more/' } });
});
afterAll(() => service.close());

const path = (token: string) => `/v1/notifications/unsubscribe/${token}`;
const tokenOf = (userId: string, category: 'offers' | 'marketing' = 'offers') =>
  createUnsubscribeTokens(service.settings['API_SECRET'] ?? '').make({ userId, category });
const choose = (who: Engagement['people']['ada'], body: object) =>
  service.request(who, 'PUT', '/v1/notifications/preferences', body);
const chosen = async (who: Engagement['people']['ada']) =>
  (await service.request(who, 'GET', '/v1/notifications/preferences')).body;

/** As mail programs send it, past the JSON of the other tests. */
async function send(token: string, body: string | undefined, type: string | null, method = 'POST'): Promise<Response> {
  const { 'content-type': _json, ...headers } = await service.headersFor(null);
  return fetch(service.url() + path(token), {
    method,
    headers: { ...headers, ...(type === null ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
}

const boundary = 'b';
const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;

describe('one click', () => {
  it.each([
    ['a form', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
    ['a form with its charset', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded; charset=UTF-8'],
    ['a form in parts', multipart, `multipart/form-data; boundary=${boundary}`],
    ['JSON', '{}', 'application/json'],
    ['nothing', undefined, null],
  ])('ends mail of its category and nothing else, with %s', async (_what, body, type) => {
    const who = principal('retail');
    const quietHours = { start: '22:00', end: '07:00', timeZone: 'Europe/Amsterdam' };
    const before = await choose(who, {
      types: { offers: { EMAIL: true, PUSH: false }, marketing: { EMAIL: true } },
      quietHours,
    });
    const answer = await send(tokenOf(who.sub), body, type);
    expect(answer.status).toBe(200);
    const after = await chosen(who);
    const { types } = before.body;
    expect(after).toEqual({ ...before.body, types: { ...types, offers: { ...types.offers, EMAIL: false } } });
    // Once more it changes nothing, and says the same.
    const again = await send(tokenOf(who.sub), body, type);
    expect([again.status, await again.text()]).toEqual([200, await answer.text()]);
    expect(await chosen(who)).toEqual(after);
    // Who logs in can switch it on again.
    expect((await choose(who, { types: { offers: { EMAIL: true } } })).body.types.offers.EMAIL).toBe(true);
  });

  it('in a mail of an administrator ends marketing', async () => {
    const { ada, admin } = service.people;
    await choose(ada, { types: { marketing: { EMAIL: true }, offers: { EMAIL: true } } });
    const mail = {
      channel: 'EMAIL',
      userId: ada.sub,
      email: 'ada@example.com',
      category: 'marketing',
      html: '<p>News</p>',
    };
    await service.request(admin, 'POST', '/v1/notifications', mail);
    await service.delivered('ada@example.com');
    const [received] = service.mails.to('ada@example.com');
    const header = (key: string) => received?.headers.find((each) => each.key === key)?.value;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const token = /^<https:\/\/api\.example\/v1\/notifications\/unsubscribe\/([\w-]+)>$/.exec(
      header('list-unsubscribe') ?? '',
    )?.[1];
    expect(received?.text).toContain(`https://shop.example/no-more/${token}\n`);
    expect((await send(token ?? '', undefined, null)).status).toBe(200);
    expect((await chosen(ada)).types).toMatchObject({ marketing: { EMAIL: false }, offers: { EMAIL: true } });
  });

  it('is not offered by mails that nobody opted in to, which say where to choose', async () => {
    const { bob, admin } = service.people;
    const mail = { channel: 'EMAIL', userId: bob.sub, email: 'bob@example.com', html: '<p>News</p>' };
    await service.request(admin, 'POST', '/v1/notifications', mail);
    await service.delivered('bob@example.com');
    const [received] = service.mails.to('bob@example.com');
    const header = (key: string) => received?.headers.find((each) => each.key === key)?.value;
    expect(header('list-unsubscribe-post')).toBeUndefined();
    expect(header('list-unsubscribe')).toBe('<https://shop.example/notifications/preferences>');
  });

  it('by a program that only follows links changes nothing: it is shown a page with a button', async () => {
    const who = principal('retail');
    await choose(who, { types: { offers: { EMAIL: true } } });
    const page = await send(tokenOf(who.sub), undefined, null, 'GET');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'; frame-ancestors 'none'");
    const html = await page.text();
    expect(html).toContain('<form method="post"><button name="List-Unsubscribe" value="One-Click">');
    expect(html).toContain('Tea &amp; Tools');
    expect(html).not.toMatch(/<script|style=|src=/);
    expect((await chosen(who)).types.offers.EMAIL).toBe(true);
  });

  it('does not show whose mails they are', async () => {
    const [opted, never] = [principal('retail'), principal('retail')];
    await choose(opted, { types: { offers: { EMAIL: true } } });
    const answers = await Promise.all([opted, never].map(({ sub }) => send(tokenOf(sub), undefined, null)));
    const [first, second] = await Promise.all(answers.map((answer) => answer.text()));
    expect(first).toBe(second);
    expect(first).not.toContain(opted.sub);
    // Nothing is stored about whom it was off for.
    expect(await service.collection('preferences').countDocuments({ _id: never.sub })).toBe(0);
  });

  it.each(['x', 'x'.repeat(64), '..%2f', '%24ne', 'A'.repeat(2000)])(
    'needs a token that was made here: not %s',
    async (token) => {
      for (const method of ['GET', 'POST']) expect((await send(token, undefined, null, method)).status).toBe(404);
    },
  );

  it('takes no form that is larger than one has to be, and no other type', async () => {
    const token = tokenOf(newId('user'));
    expect((await send(token, 'x'.repeat(5000), 'application/x-www-form-urlencoded')).status).toBe(413);
    expect((await send(token, '<a/>', 'application/xml')).status).toBe(415);
    const { 'content-type': _json, ...headers } = await service.headersFor(service.people.ada);
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const other = { method: 'PUT', headers: form, body: 'a=b' };
    expect((await fetch(`${service.url()}/v1/notifications/preferences`, other)).status).toBe(415);
  });

  it('that races with a change of preferences loses none of both', async () => {
    const who = principal('retail');
    for (let round = 0; round < 10; round += 1) {
      await choose(who, { types: { offers: { EMAIL: true } } });
      const [, changed] = await Promise.all([
        send(tokenOf(who.sub), undefined, null),
        choose(who, { types: { offers: { EMAIL: true }, orders: { SMS: false } } }),
      ]);
      expect(changed.status).toBe(200);
      const { types } = await chosen(who);
      // Whichever comes last, the other one's channel is as it was chosen.
      expect(types.orders.SMS).toBe(false);
    }
  });

  it('of somebody who was erased is answered, and stores nothing', async () => {
    const userId = newId('user');
    const erased = service.event(identityEvents.userErasureRequested, userId, {
      email: 'e@example.com',
      role: 'retail',
    });
    await service.publish(erased);
    await eventually(() => service.collection('data_requests').findOne({ _id: erased.id }), 'the erasure');
    expect((await send(tokenOf(userId), undefined, null)).status).toBe(200);
    expect(await service.collection('preferences').countDocuments({ _id: userId })).toBe(0);
  });
});
