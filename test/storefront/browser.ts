import { startShop } from '@storefront/example-storefront';
import { eventually, startProxy } from '@storefront/testing';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuthenticator } from '../../services/identity/test/chromium.ts';
import { codeIn, mailTo } from '../client.ts';
import { password, staffAt } from '../people.ts';
import type { DemoShop } from './system.ts';

// The pages as a browser shows them: it alone can find what a policy, a theme, a width or a script breaks. What links and forms do
// without a script is in journeys.ts.

const [narrowAndDark, wideAndLight] = [
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const;
/** `npm test` opens each page in one view, `npm run proof` in both themes at both widths. */
const all: readonly View[] = [
  narrowAndDark,
  wideAndLight,
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];
const isProof = process.env['BROWSER_VIEWS'] === 'all';

export function testInBrowser(shopOf: () => DemoShop, executablePath: string): void {
  let shop: DemoShop;
  let browser: Browser;
  const visits = new Map<View, Promise<Visit>>();

  beforeAll(async () => {
    shop = shopOf();
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-proxy-server', '--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it.each(isProof ? all : [narrowAndDark])('sells to a guest at $width px, $colorScheme', async (view) => {
    const { page, look, complaints } = await visitOf(view);
    await look('/');
    await look('/categories/tea');
    await page.getByText('Material').click();
    await page.getByLabel('stoneware').check();
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await page.waitForURL(/material=stoneware/);
    await look('/search?q=nothing+like+this');
    await look('/products/stoneware-teapot-1-2-litre');
    await page.getByLabel('sand').check();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.waitForURL(/\/cart\?done=added$/);
    await page.getByLabel('Discount code').fill('NOSUCHCODE');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('gives nothing for this cart').waitFor();
    await look();
    await page.getByRole('button', { name: 'Remove NOSUCHCODE' }).click();
    await page.getByText('gives nothing for this cart').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'To the checkout' }).click();
    await page.waitForURL(/\/checkout$/);
    await look();
    await fillIn(page, { Email: 'guest@two.example', 'First name': 'Ada', 'Last name': 'Lovelace' });
    await fillIn(page, { 'Street and number': 'Torstraße 6', 'Postcode and city': '10119 Berlin' });
    await page.getByRole('button', { name: 'On to delivery' }).click();
    // The choice is sent at once, and the total is another one.
    await page.getByLabel('Express').check();
    await page.getByRole('button', { name: 'Order and pay €47.75' }).waitFor();
    await look();
    await page.getByRole('button', { name: 'Order and pay €47.75' }).click();
    // The page of the order leads on by itself.
    await page.waitForURL(/\/pay\//);
    await page.locator('button[value="pay"]').first().click();
    await page.waitForURL(/\/orders\//);
    await untilShown(page, page.getByRole('heading', { name: 'Thank you for your order' }));
    await look();
    await look('/orders/ord_01h455vb4pex5vsknk084sn02q');
    await look('/nothing/here', 404);
    await look('/legal/privacy');
    await look('/trade');
    await look('/register');
    await look('/login');
    expect(complaints).toEqual([]);
  });

  it.each(isProof ? all : [wideAndLight])('shows the pages of an account at $width px, $colorScheme', async (view) => {
    const { page, look, complaints } = await visitOf(view);
    await logIn(page, shop.accounts.trade);
    await look('/account');
    await page.goto(`${shop.storefront}/products/harbour-blend-espresso-beans`);
    await look();
    await page.getByRole('button', { name: 'Add to wishlist' }).click();
    await page.getByText('It is on your wishlist.').waitFor();
    await page.getByRole('button', { name: 'Share the list' }).click();
    const shared = page.getByRole('link', { name: '/wishlists/' });
    await shared.waitFor();
    await look();
    await look(await shared.getAttribute('href'));
    for (const path of ['orders', 'addresses', 'recipients', 'data']) await look(`/account/${path}`);
    await look('/notifications/preferences');
    await look('/checkout');
    await look('/invoices');
    await page.getByRole('link', { name: 'INV-' }).first().click();
    await page.waitForURL(/\/invoices\/./);
    await look();
    // Notifications appear while their page is open.
    const stream = page.waitForResponse((response) => response.url().endsWith('/notifications/stream'));
    await look('/notifications');
    await stream;
    await notify(shop.accounts.trade?.email, `Tea at ${view.width} px, ${view.colorScheme}`);
    await page.getByText(`Tea at ${view.width} px, ${view.colorScheme}`).waitFor();
    expect(complaints).toEqual([]);
  });

  it('makes a passkey, logs in by it alone and as a second factor, and proves by it who changes things', async () => {
    const { page, look, complaints } = await visitOf(wideAndLight);
    const email = 'grace@browser.example';
    await addAuthenticator(page);
    await register(page, email, '/account/security');
    await look();
    await page.getByRole('link', { name: 'Change the email' }).click();
    await fillIn(page, { 'New email': 'hopper@browser.example', 'Your password now': password });
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('hopper@browser.example').waitFor();
    await look();
    await page.getByRole('link', { name: 'Not now' }).click();

    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    await fillIn(page, { 'Your password now': password });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name of the passkey').fill('Work laptop');
    await look();
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await page.getByText('they are shown only now').waitFor();
    await page.getByRole('link', { name: 'I have kept them' }).click();

    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByText('You are logged out').waitFor();
    await page.goto(`${shop.storefront}/login?next=/account/security`);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.waitForURL(/\/login\/passkey$/);
    await look();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText(email).waitFor();
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByText('You are logged out').waitFor();
    await page.goto(`${shop.storefront}/login?next=/account/security`);
    await fillIn(page, { Email: email, Password: password });
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await look();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Login and security' }).waitFor();

    await page.getByRole('link', { name: 'Change the password' }).click();
    await fillIn(page, { 'Your password now': password, 'New password': 'another quiet lake at night' });
    await look();
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('Your passkey has proved that it is you.').waitFor();
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Change the second factor' }).click();
    await page.getByText('Passkey “Work laptop”').waitFor();
    await look();
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('Your passkey has proved that it is you.').waitFor();
    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('Passkey “Work laptop”').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('says that it waits for a slow API, and what to do about a dead one, and keeps what was typed', async () => {
    await using proxy = await proxyOf();
    const { page, look, complaints, mayAnswer } = await visitOf(wideAndLight);
    await logIn(page, shop.accounts.retail, proxy.storefront);
    await page.goto(`${proxy.storefront}/account`);
    await page.getByLabel('Phone').fill('030 5550101');
    // While a page waits for another one, nothing can be asked of it: it says itself what it shows.
    const said = Promise.withResolvers<string>();
    await page.exposeFunction('say', said.resolve);
    await page.evaluate(
      `addEventListener('submit', ({ submitter }) => say(submitter.ariaBusy + ' ' + document.querySelector('.wait').textContent))`,
    );
    proxy.api.hold();
    const pressed = page.getByRole('button', { name: 'Save' }).click();
    expect(await said.promise).toBe('true One moment, please …');
    proxy.api.accept();
    await pressed;
    await page.getByText('Saved.').waitFor();

    await page.getByLabel('Phone').fill('030 5550102');
    proxy.api.refuse();
    proxy.api.cut();
    mayAnswer(503);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'That did not work' }).waitFor();
    await look();
    proxy.api.accept();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('030 5550102');
    expect(complaints).toEqual([]);
  });

  it('fills in the secret of a link, which no server has seen', async () => {
    const { page, complaints } = await visitOf(wideAndLight);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${shop.storefront}/password/reset#code=a-long-code-of-a-mail`);
    await page.waitForURL(`${shop.storefront}/password/reset`);
    expect(await page.getByLabel('Code').inputValue()).toBe('a-long-code-of-a-mail');
    expect(asked.filter((url) => url.includes('a-long-code'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('without a script, makes one order of a button that is pressed twice, and offers no passkey', async () => {
    await using context = await browser.newContext({ viewport, locale: 'en-GB', javaScriptEnabled: false });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    await page.goto(`${shop.storefront}/login`);
    expect(await page.getByText('Log in with a passkey').isVisible()).toBe(false);
    await logIn(page, shop.accounts.trade);
    await page.goto(`${shop.storefront}/account/orders`);
    const before = await page.getByRole('row').count();
    await page.goto(`${shop.storefront}/products/sencha-superior-100-g`);
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.waitForURL(/\/cart\?done=added$/);
    await page.goto(`${shop.storefront}/checkout`);
    if (await page.getByLabel('Another address').isVisible()) await page.getByLabel('Another address').check();
    await fillIn(page, { 'Street and number': 'Torstraße 6', 'Postcode and city': '10119 Berlin' });
    await page.getByRole('button', { name: 'On to delivery' }).click();
    const button = page.getByRole('button', { name: /^Order/ });
    await button.waitFor();
    await page.waitForLoadState('load');
    await button.scrollIntoViewIfNeeded();
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
    const pressed = Promise.withResolvers<void>();
    let times = 0;
    await context.route('**/checkout', async (route) => {
      times += 1;
      if (times > 1) return route.continue();
      // The order is made, but the button is pressed again before the answer has come.
      await route.fetch({ maxRedirects: 0 });
      return pressed.resolve();
    });
    await page.mouse.click(x + 9, y + 9);
    await pressed.promise;
    await page.mouse.click(x + 9, y + 9);
    await page.getByRole('link', { name: 'Look again' }).waitFor();
    await untilShown(page, page.getByRole('link', { name: 'Pay now' }));
    await page.goto(`${shop.storefront}/account/orders`);
    expect([times, await page.getByRole('row').count()]).toEqual([2, before + 1]);
  });

  /** The page of this view, where nobody is logged in: one for all tests, so that the browser has the files of the shop already. */
  async function visitOf(view: View): Promise<Visit> {
    let visit = visits.get(view);
    if (!visit) visits.set(view, (visit = openVisit(view)));
    const { context, page, complaints } = await visit;
    await context.clearCookies();
    await page.goto('about:blank');
    complaints.length = 0;
    return visit;
  }

  /** A page with what a browser complains about: errors, violations of the policy, what axe finds, what is too wide. */
  async function openVisit({ width, colorScheme }: View): Promise<Visit> {
    const context = await browser.newContext({ viewport: { ...viewport, width }, colorScheme, locale: 'en-GB' });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    const complaints: string[] = [];
    const complain = (text: string) => complaints.push(`${page.url()}: ${text}`);
    let expected = 200;
    page.on('pageerror', (error) => complain(error.message));
    page.on('console', (message) => {
      const isExpected = expected !== 200 && message.text().includes(`status of ${expected}`);
      if (message.type() === 'error' && !isExpected) complain(message.text());
    });
    // Chromium reports violations of the policy as console errors, too; an event says which rule it was.
    await page.exposeFunction('complain', complain);
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => complain(event.violatedDirective))`,
    );
    return {
      page,
      context,
      complaints,
      mayAnswer: (status) => (expected = status),
      async look(path, status = 200) {
        if (path) {
          expected = status;
          await page.goto(new URL(path, shop.storefront).href);
        }
        await page.waitForLoadState('load');
        const found = await page.evaluate(`${axe.source};
          axe.run({ resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => [
            ...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
            ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
            ...(document.querySelector('style') ? ['a style element'] : []),
          ])`);
        for (const each of found as string[]) complain(each);
        expected = 200;
      },
    };
  }

  /** Logs the browser in without the pages for it. */
  async function logIn(page: Page, who: Account | undefined, storefront = shop.storefront): Promise<void> {
    const { email = '', password = '' } = who ?? {};
    const headers = { origin: storefront };
    const answer = await page.request.post(`${storefront}/login`, {
      form: { email, password },
      headers,
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(303);
  }

  async function register(page: Page, email: string, next: string): Promise<void> {
    await page.goto(`${shop.storefront}/register?next=${next}`);
    await fillIn(page, { 'First name': 'Ada', 'Last name': 'Lovelace', Email: email, Password: password });
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByLabel('Code').fill(codeIn(await mailTo(shop.mailbox ?? '', email, /code/i)));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL((url) => url.pathname === next);
  }

  /** A shop of its own before the same API, which can be slowed down and cut off. */
  async function proxyOf() {
    const api = await startProxy(shop.gateways[0] ?? '');
    const started = await startShop({ apiUrl: api.url, name: 'Shop', port: 0 });
    const closeAll = async () => {
      await started.close();
      await api.close();
    };
    return { api, storefront: started.url, [Symbol.asyncDispose]: closeAll };
  }

  async function notify(email: string | undefined, title: string): Promise<void> {
    const admin = await staffAt(shop.gateways[0], shop.accounts.admin);
    const { data } = await admin.accounts.listUsers({ query: { q: email ?? '' } });
    const userId = data.find((account) => account.email === email)?.id ?? '';
    const body = { channel: 'IN_APP', userId, type: 'news', title, body: 'It has come.' } as const;
    await admin.notifications.sendNotification({ body });
  }
}

const viewport = { width: 1280, height: 900 };
/** A machine with much else to do takes minutes for what takes seconds without. */
const patienceMs = 120_000;
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
  /** Opens the page, or looks at the one that is open. */
  readonly look: (path?: string | null, status?: number) => Promise<void>;
  /** Until the next look, an answer of this status is no complaint. */
  readonly mayAnswer: (status: number) => void;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

/** Opens the page again until it shows this: on a busy machine it is shown before the order is as far. */
const untilShown = (page: Page, what: Locator) =>
  eventually(
    async () => (await what.isVisible()) || (await page.reload(), false),
    `${what.toString()} on ${page.url()}`,
    patienceMs,
  );
