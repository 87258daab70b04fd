import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client, type ClientOptions } from '@storefront/client';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeIn, mailTo } from './client.ts';
import { testOnAccount } from './journey/on-account.ts';
import { testWishlistAlerts } from './journey/wishlist-alerts.ts';
import { patient } from './patient.ts';
import { holding, password, refusalOf, staffAt } from './people.ts';

// Other ways through the shop follow on one of the two systems: to start one takes more of the processor's time than any of them.
describe.each(['rabbitmq', 'in-process'] as const)('the walking journey on the bus %s', (bus) => {
  const logs = memoryLogger();
  let vhost: { url: string; drop(): Promise<void> };
  let dataDir: string;
  let stack: Stack;
  let mailbox: string;
  /** Of Ada, who is a customer. */
  let shop: Client;

  beforeAll(async () => {
    vhost = await freshVhost('journey');
    dataDir = await mkdtemp(join(tmpdir(), 'storefront-journey-'));
    stack = await startStack({
      env: {
        PORT: '0',
        // All of the tests log in from one address.
        RATE_LIMIT_AUTH: '100',
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
    mailbox = stack.mailbox ?? '';
    shop = shopAt(0);
  });

  const shopAt = (gateway: number, options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: stack.gateways[gateway] ?? '', ...options });

  afterAll(async () => {
    await stack?.close();
    await vhost.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('says that it lives and that it is ready', async () => {
    expect((await shop.health.getHealth()).status).toBe('ok');
    // On a busy machine a service may answer too late.
    const { services } = await eventually(async () => {
      const readiness = await shop.health.getReadiness();
      return readiness.status === 'ready' ? readiness : undefined;
    }, 'all to be ready');
    expect(services['identity']?.broker?.kind).toBe(bus);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(['identity', 'engagement', 'health']));
    expect(services['gateway']).toMatchObject({ status: 'ready', instances: ['ready', 'ready'] });
  });

  it('writes to a consumer in the language of the browser, and leads to pages that exist', async () => {
    const email = 'frieda@example.com';
    const german = shopAt(0, { language: 'de-AT,de;q=0.9,en;q=0.8' });
    const body = { email, password, firstName: 'Frieda', lastName: 'Kurz' };
    const { registrationId } = await german.auth.register({ body });
    const code = codeIn(await mailTo(mailbox, email, /^\d{6} ist Ihr Code$/));
    const verified = await german.auth.verifyEmail({ body: { registrationId, code } });
    expect(verified).toMatchObject({ user: { locale: 'de', timeZone: null } });
    const welcome = await mailTo(mailbox, email, /^Willkommen bei Storefront$/);
    const links = welcome.Text.match(/https?:\/\/\S+/g) ?? [];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect((await fetch(link)).status).toBe(200);
  });

  it('takes a consumer from registration to a token that is dead at once', async () => {
    const account = { email: 'ada@example.com', password };
    const registered = await shop.auth.register({ body: { ...account, firstName: 'Ada', lastName: 'Lovelace' } });
    expect(registered).toMatchObject({ status: 'verification-required', email: account.email });
    const { registrationId } = registered;
    expect(await refusalOf(shop.try.users.getMe())).toBe('authentication_required');

    const code = codeIn(await mailTo(mailbox, account.email, /^\d{6} is your code$/));
    const proof = { body: { registrationId, code } };
    const verified = await shop.auth.verifyEmail(proof);
    if (!('user' in verified)) throw new Error('a consumer is not logged in');
    expect(verified).toMatchObject({ tokenType: 'Bearer', user: { email: account.email, role: 'retail' } });

    expect(await shop.users.getMe()).toMatchObject({ email: account.email, firstName: 'Ada' });
    const [here, there] = [0, 1].map((gateway) => holding(stack.gateways[gateway], verified.accessToken)) as [
      Client,
      Client,
    ];
    expect((await there.users.getMe()).email).toBe(account.email);
    await mailTo(mailbox, account.email, /welcome/i);
    expect(await refusalOf(shop.try.auth.verifyEmail(proof))).toBe('invalid_code');

    const out = await shop.auth.logOut();
    expect(out).toEqual({ revoked: true, revokedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await refusalOf(here.try.users.getMe())).toBe('invalid_token');
    await eventually(
      async () => (await refusalOf(there.try.users.getMe())) === 'invalid_token',
      'the other gateway to refuse the token',
    );
    expect(await refusalOf(shop.try.users.getMe())).toBe('authentication_required');

    const { accessToken } = await shop.auth.logIn({ body: account });
    expect((await holding(stack.gateways[1], accessToken).users.getMe()).email).toBe(account.email);
    expect(logs.lines.join('')).not.toContain(code);
  });

  it('sends an announcement to every user who opted in, until one click in the mail program', async () => {
    const admin = await staffAt(stack.gateways[0], stack.accounts.admin);
    await shop.notifications.replaceNotificationPreferences({ body: { types: { offers: { EMAIL: true } } } });

    const campaign = await admin.campaigns.createCampaign({
      body: { name: 'Teapots', trigger: 'automatic', discount: { type: 'percentage', percent: 10, target: 'order' } },
    });
    const params = { id: campaign.id };
    await admin.campaigns.activateCampaign({ params });
    const message = { title: 'Teapots in spring', body: 'A tenth off all teapots.' };
    const begun = await admin.campaigns.announceCampaign({
      params,
      body: { ...message, channels: ['IN_APP', 'EMAIL'] },
    });
    const { Text: text } = await mailTo(mailbox, 'ada@example.com', /^Teapots in spring$/);
    const done = await eventually(async () => {
      const found = await admin.campaigns.getAnnouncement({ params: { ...params, announcementId: begun.id } });
      return found.status === 'finished' && found;
    }, 'the announcement to finish');
    expect(done).toMatchObject({ recipients: 2, sent: 3, skipped: { no_consent: 1 }, failed: 0 });
    const { data } = await shop.notifications.listNotifications({ query: { type: 'campaign-announced' } });
    expect(data[0]).toMatchObject({ title: message.title, data: { campaignId: campaign.id } });

    // The link leads to the first gateway, as the stack has configured engagement.
    const [link = ''] = new RegExp(`${stack.gateways[0]}/v1/notifications/unsubscribe/[\\w-]{64}`).exec(text) ?? [];
    const page = await fetch(link);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    const { types } = await shop.notifications.getNotificationPreferences();
    expect(types.offers.EMAIL).toBe(true);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const clicked = await fetch(link, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });
    expect(clicked.status).toBe(200);
    const { types: after } = await shop.notifications.getNotificationPreferences();
    expect(after.offers).toMatchObject({ EMAIL: false, IN_APP: true });
  });

  it('takes a business from its application over the approval to its login', async () => {
    const account = { email: 'quay@example.com', password };
    const business = shopAt(0);
    const applied = await business.auth.registerTrade({
      body: {
        ...account,
        firstName: 'Toni',
        lastName: 'Trade',
        phone: '+31 20 123 4567',
        businessName: 'Quay Wholesale',
        businessAddress: 'Pier 4, 1011 AB Amsterdam, Netherlands',
      },
    });
    expect(applied).toEqual({
      status: 'pending-approval',
      registrationId: expect.stringMatching(/^reg_/),
      email: account.email,
      businessName: 'Quay Wholesale',
      submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { tradeAccounts, users } = await staffAt(stack.gateways[0], stack.accounts.admin);
    expect((await users.getMe()).role).toBe('admin');
    const waiting = { query: { status: 'pending-approval' } } as const;
    expect((await tradeAccounts.listTradeAccounts(waiting)).data).toEqual([]);
    const { data: unproved } = await tradeAccounts.listTradeAccounts({ query: { proved: false } });
    expect(unproved[0]).toMatchObject({ email: account.email, status: 'unverified' });

    const code = codeIn(await mailTo(mailbox, account.email, /^\d{6} is your code for the trade/));
    const { registrationId } = applied;
    const proved = await business.auth.verifyEmail({ body: { registrationId, code } });
    expect(proved).toMatchObject({ status: 'pending-approval' });
    expect(await refusalOf(business.try.auth.logIn({ body: account }))).toBe('account_pending_approval');
    await mailTo(mailbox, account.email, /received your trade application/i);
    const { data: pending } = await tradeAccounts.listTradeAccounts(waiting);
    expect(pending[0]?.email).toBe(account.email);
    const params = { id: pending[0]?.id ?? '' };

    const body = { reason: 'We could not find the number of your company.' };
    expect((await tradeAccounts.requestInfoTradeAccount({ params, body })).status).toBe('info-requested');
    await mailTo(mailbox, account.email, /need more information/i);
    await business.auth.logIn({ body: account });
    expect(await refusalOf(business.try.users.getMe())).toBe('session_limited');
    const resubmitted = await business.tradeAccounts.resubmitTradeAccount({
      body: { companyRegistration: '12345678' },
    });
    expect(resubmitted.status).toBe('pending-approval');
    await mailTo(mailbox, account.email, /received your trade application/i);

    expect((await tradeAccounts.approveTradeAccount({ params, body })).status).toBe('approved');
    await mailTo(mailbox, account.email, /approved/i);

    const { user } = await business.auth.logIn({ body: account });
    expect(user).toMatchObject({ role: 'trade', status: 'approved' });
    const notified = await eventually(async () => {
      const page = await business.notifications.listNotifications();
      return page.data.length > 0 ? page : undefined;
    }, 'the notice of the approval');
    expect(notified.unreadCount).toBeGreaterThan(0);
  });

  if (bus === 'rabbitmq') testOnAccount(() => ({ stack, amqpUrl: vhost.url }));
  else testWishlistAlerts(() => stack);
});
