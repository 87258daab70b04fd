import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clientOf, codeIn, mailTo, type Client } from './client.ts';
import { patient } from './patient.ts';
import { expectOk } from './people.ts';

describe.each(['rabbitmq', 'in-process'] as const)('the walking journey on the bus %s', (bus) => {
  const logs = memoryLogger();
  let vhost: { url: string; drop(): Promise<void> };
  let dataDir: string;
  let stack: Stack;
  let client: Client;
  let other: Client;

  beforeAll(async () => {
    vhost = await freshVhost('journey');
    dataDir = await mkdtemp(join(tmpdir(), 'storefront-journey-'));
    stack = await startStack({
      env: {
        PORT: '0',
        ...patient,
        MONGODB_URL: inject('mongodbUrl'),
        ...(bus === 'rabbitmq' && { AMQP_URL: vhost.url }),
      },
      dataDir,
      bus,
      gateways: 2,
      empty: true,
      databasePrefix: `journey_${randomBytes(4).toString('hex')}_`,
      loggerOf: (name) => logs.logger.child({ name }),
    });
    const [first, second] = stack.gateways;
    client = clientOf(first ?? '');
    other = clientOf(second ?? '');
  });

  afterAll(async () => {
    await stack?.close();
    await vhost.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('says that it lives and that it is ready', async () => {
    expect((await client.call('GET', '/v1/health')).body.status).toBe('ok');
    // On a busy machine a service may answer too late.
    const { status, body } = await eventually(async () => {
      const answer = await client.call('GET', '/v1/health/ready');
      return answer.body.status === 'ready' ? answer : undefined;
    }, 'all to be ready');
    expect(status).toBe(200);
    expect(body.services.identity.broker.kind).toBe(bus);
    expect(Object.keys(body.services)).toEqual(expect.arrayContaining(['identity', 'engagement', 'health']));
    expect(body.services.gateway).toMatchObject({ status: 'ready', instances: ['ready', 'ready'] });
  });

  it('writes to a consumer in the language of the browser, and leads to pages that exist', async () => {
    const account = { email: 'frieda@example.com', password: 'a quiet lake in the morning' };
    const body = { ...account, firstName: 'Frieda', lastName: 'Kurz' };
    const registered = await client.call('POST', '/v1/auth/register', { body, language: 'de-AT,de;q=0.9,en;q=0.8' });
    const code = codeIn(await mailTo(stack.mailbox ?? '', account.email, /^\d{6} ist Ihr Code$/));
    const proof = { registrationId: registered.body.registrationId, code };
    const verified = await client.call('POST', '/v1/auth/verify', { body: proof });
    expect(verified.body.user).toMatchObject({ locale: 'de', timeZone: null });
    const welcome = await mailTo(stack.mailbox ?? '', account.email, /^Willkommen bei Storefront$/);
    const links = welcome.Text.match(/https?:\/\/\S+/g) ?? [];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect((await fetch(link)).status).toBe(200);
  });

  it('takes a consumer from registration to a token that is dead at once', async () => {
    const account = { email: 'ada@example.com', password: 'a quiet lake in the morning' };
    const registered = await client.call('POST', '/v1/auth/register', {
      body: { ...account, firstName: 'Ada', lastName: 'Lovelace' },
    });
    expect(registered.status).toBe(202);
    expect(registered.body).toMatchObject({ status: 'verification-required', email: account.email });
    const { registrationId } = registered.body;

    const code = codeIn(await mailTo(stack.mailbox ?? '', account.email, /^\d{6} is your code$/));
    const proof = { body: { registrationId, code } };
    const verified = await client.call('POST', '/v1/auth/verify', proof);
    expect(verified.status).toBe(200);
    expect(verified.body).toMatchObject({ tokenType: 'Bearer', user: { email: account.email, role: 'retail' } });
    const token: string = verified.body.accessToken;

    expect((await client.call('GET', '/v1/users/me')).status).toBe(401);
    expect((await client.call('GET', '/v1/users/me', { token })).body).toMatchObject({
      email: account.email,
      firstName: 'Ada',
    });
    expect((await other.call('GET', '/v1/users/me', { token })).status).toBe(200);
    await mailTo(stack.mailbox ?? '', account.email, /welcome/i);
    expect((await client.call('POST', '/v1/auth/verify', proof)).body.code).toBe('invalid_code');

    const out = await client.call('POST', '/v1/auth/logout', { token });
    expect(out.status).toBe(200);
    expect(out.body).toEqual({ revoked: true, revokedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect((await client.call('GET', '/v1/users/me', { token })).status).toBe(401);
    await eventually(
      async () => (await other.call('GET', '/v1/users/me', { token })).status === 401,
      'the other gateway to refuse the token',
    );

    const again = await client.call('POST', '/v1/auth/login', { body: account });
    expect(again.status).toBe(200);
    expect((await other.call('GET', '/v1/users/me', { token: again.body.accessToken })).status).toBe(200);
    expect(logs.lines.join('')).not.toContain(code);
  });

  it('sends an announcement to every user who opted in, until one click in the mail program', async () => {
    const logIn = async (body: object) =>
      expectOk(await client.call('POST', '/v1/auth/login', { body })).accessToken as string;
    const token = await logIn({ email: 'ada@example.com', password: 'a quiet lake in the morning' });
    const admin = await logIn(stack.accounts.admin);
    const preferences = '/v1/notifications/preferences';
    const optIn = { types: { offers: { EMAIL: true } } };
    expectOk(await client.call('PUT', preferences, { token, body: optIn }));

    const discount = { type: 'percentage', percent: 10, target: 'order' };
    const body = { name: 'Teapots', trigger: 'automatic', discount };
    const campaign = expectOk(await client.call('POST', '/v1/campaigns', { token: admin, body }));
    const path = `/v1/campaigns/${campaign.id}`;
    expectOk(await client.call('POST', `${path}/activate`, { token: admin }));
    const message = { channels: ['IN_APP', 'EMAIL'], title: 'Teapots in spring', body: 'A tenth off all teapots.' };
    const begun = expectOk(await client.call('POST', `${path}/announce`, { token: admin, body: message }));
    const { Text: text } = await mailTo(stack.mailbox ?? '', 'ada@example.com', /^Teapots in spring$/);
    const done = await eventually(async () => {
      const found = (await client.call('GET', `${path}/announcements/${begun.id}`, { token: admin })).body;
      return found.status === 'finished' && found;
    }, 'the announcement to finish');
    expect(done).toMatchObject({ recipients: 2, sent: 3, skipped: { no_consent: 1 }, failed: 0 });
    const [shown] = (await client.call('GET', '/v1/notifications?type=campaign-announced', { token })).body.data;
    expect(shown).toMatchObject({ title: message.title, data: { campaignId: campaign.id } });

    // The link leads to the first gateway, as the stack has configured engagement.
    const [link = ''] = new RegExp(`${stack.gateways[0]}/v1/notifications/unsubscribe/[\\w-]{64}`).exec(text) ?? [];
    const page = await fetch(link);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect((await client.call('GET', preferences, { token })).body.types.offers.EMAIL).toBe(true);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const clicked = await fetch(link, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });
    expect(clicked.status).toBe(200);
    expect((await client.call('GET', preferences, { token })).body.types.offers).toMatchObject({
      EMAIL: false,
      IN_APP: true,
    });
  });

  it('takes a business from its application over the approval to its login', async () => {
    const account = { email: 'quay@example.com', password: 'a quiet lake in the morning' };
    const applied = await client.call('POST', '/v1/auth/trade/register', {
      body: {
        ...account,
        firstName: 'Toni',
        lastName: 'Trade',
        phone: '+31 20 123 4567',
        businessName: 'Quay Wholesale',
        businessAddress: 'Pier 4, 1011 AB Amsterdam, Netherlands',
      },
    });
    expect(applied.status).toBe(201);
    expect(applied.body).toEqual({
      status: 'pending-approval',
      registrationId: expect.stringMatching(/^reg_/),
      email: account.email,
      businessName: 'Quay Wholesale',
      submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const admin = await client.call('POST', '/v1/auth/login', { body: stack.accounts.admin });
    expect(admin.body.user.role).toBe('admin');
    const token: string = admin.body.accessToken;
    const waiting = '/v1/trade-accounts?status=pending-approval';
    expect((await client.call('GET', waiting, { token })).body.data).toEqual([]);
    const [unproved] = (await client.call('GET', '/v1/trade-accounts?proved=false', { token })).body.data;
    expect(unproved).toMatchObject({ email: account.email, status: 'unverified' });

    const code = codeIn(await mailTo(stack.mailbox ?? '', account.email, /^\d{6} is your code for the trade/));
    const { registrationId } = applied.body;
    const proved = await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
    expect([proved.status, proved.body.status]).toEqual([200, 'pending-approval']);
    const login = await client.call('POST', '/v1/auth/login', { body: account });
    expect([login.status, login.body.code]).toEqual([403, 'account_pending_approval']);
    await mailTo(stack.mailbox ?? '', account.email, /received your trade application/i);
    const [pending] = (await client.call('GET', waiting, { token })).body.data;
    expect(pending.email).toBe(account.email);

    const decide = (action: string) => {
      const body = { reason: 'We could not find the number of your company.' };
      return client.call('POST', `/v1/trade-accounts/${pending.id}/${action}`, { token, body });
    };
    expect((await decide('request-info')).body.status).toBe('info-requested');
    await mailTo(stack.mailbox ?? '', account.email, /need more information/i);
    const limited = expectOk(await client.call('POST', '/v1/auth/login', { body: account }));
    const own = { token: limited.accessToken };
    expect((await client.call('GET', '/v1/users/me', own)).body.code).toBe('session_limited');
    const resubmission = { ...own, body: { companyRegistration: '12345678' } };
    const resubmitted = await client.call('POST', '/v1/trade-accounts/me/resubmit', resubmission);
    expect([resubmitted.status, resubmitted.body.status]).toEqual([200, 'pending-approval']);
    await mailTo(stack.mailbox ?? '', account.email, /received your trade application/i);

    expect((await decide('approve')).body.status).toBe('approved');
    await mailTo(stack.mailbox ?? '', account.email, /approved/i);

    const loggedIn = await client.call('POST', '/v1/auth/login', { body: account });
    expect(loggedIn.status).toBe(200);
    expect(loggedIn.body.user).toMatchObject({ role: 'trade', status: 'approved' });
    const notified = await eventually(async () => {
      const { body } = await client.call('GET', '/v1/notifications', { token: loggedIn.body.accessToken });
      return body.data.length > 0 && body;
    }, 'the notice of the approval');
    expect(notified.unreadCount).toBeGreaterThan(0);
  });
});
