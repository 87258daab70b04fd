import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startShop } from '@storefront/example-storefront';
import type { Stack } from '@storefront/stack';
import { startProxy } from '@storefront/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../services/identity/test/chromium.ts';
import { clientOf, codeIn, mailTo } from '../client.ts';
import { expectOk } from '../people.ts';
import { startDemoShop } from './system.ts';

// The pages as a browser shows them: it alone can find what a policy, a theme or a width breaks. journeys.e2e.test.ts has the rest.

/** `npm run proof` takes both themes at both widths. */
const views = [
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  ...(process.env['BROWSER_VIEWS'] === 'all'
    ? ([
        { width: 390, colorScheme: 'light' },
        { width: 1280, colorScheme: 'dark' },
      ] as const)
    : []),
] as const;

const executablePath = findChromium();
const opened = new AsyncDisposableStack();
let shop: Stack & { readonly storefront: string };
let browser: Browser;
let axe: string;

describe.skipIf(executablePath === null)(
  'the shop in a browser (needs Chromium: CHROMIUM_PATH, or one on the path)',
  () => {
    beforeAll(async () => {
      axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
      shop = await startDemoShop(opened);
      const { chromium } = await import('playwright-core');
      const args = ['--no-proxy-server', '--no-sandbox'];
      browser = await chromium.launch({ executablePath: executablePath ?? '', args });
      opened.defer(() => browser.close());
    });
    afterAll(() => opened.disposeAsync());

    it.each(views)('sells to a guest at $width px, $colorScheme', async (how) => {
      await using visit = await visitOf(how);
      const { page, look } = visit;
      await look('/');
      await look('/categories/tea');
      await page.getByText('Material').click();
      await page.getByLabel('stoneware').check();
      await page.getByRole('button', { name: 'Apply' }).first().click();
      await look('/search?q=nothing+like+this');
      await look('/products/stoneware-teapot-1-2-litre');
      await page.getByLabel('sand').check();
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await look();
      await page.getByRole('link', { name: 'To the checkout' }).click();
      await look();
      await fillIn(page, { Email: 'guest@two.example', 'First name': 'Ada', 'Last name': 'Lovelace' });
      await fillIn(page, { 'Street and number': 'Torstraße 6', 'Postcode and city': '10119 Berlin' });
      await page.getByRole('button', { name: 'On to delivery' }).click();
      await look();
      await page.getByLabel('Express').check();
      await page.getByRole('button', { name: 'Order and pay €47.75' }).click();
      await page.waitForURL(/\/pay\//);
      await page.locator('button[value="pay"]').first().click();
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
      await look();
      await look('/orders/ord_01h455vb4pex5vsknk084sn02q');
      await look('/nothing/here', 404);
      await look('/legal/privacy');
      await look('/trade');
      await look('/register');
      expect(visit.complaints).toEqual([]);
    });

    it.each(views)('shows the pages of a trade account at $width px, $colorScheme', async (how) => {
      await using visit = await visitOf(how);
      const { page, look } = visit;
      await look('/login');
      const { email, password } = shop.accounts.trade ?? { email: '', password: '' };
      await fillIn(page, { Email: email, Password: password });
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await look();
      await look('/products/harbour-blend-espresso-beans');
      await page.getByRole('button', { name: 'Add to wishlist' }).click();
      await look();
      await page.getByRole('button', { name: 'Share the list' }).click();
      await look(await page.getByRole('link', { name: '/wishlists/' }).getAttribute('href'));
      for (const path of ['/account/orders', '/account/addresses', '/account/recipients', '/account/security'])
        await look(path);
      for (const path of ['/account/data', '/notifications/preferences', '/invoices', '/checkout']) await look(path);
      await page.goto(`${shop.storefront}/invoices`);
      await page.getByRole('link', { name: 'INV-' }).first().click();
      await look();
      expect(visit.complaints).toEqual([]);
    });

    it('shows a notification while its page is open', async () => {
      await using visit = await visitOf({ width: 1280, colorScheme: 'light' });
      const { page, look } = visit;
      await page.goto(`${shop.storefront}/login?next=/notifications`);
      const { email, password } = shop.accounts.retail ?? { email: '', password: '' };
      await fillIn(page, { Email: email, Password: password });
      await page.getByRole('button', { name: 'Log in' }).click();
      await look();
      const before = await page.locator('[data-live] li').count();
      // Logging in elsewhere is told to the account at once.
      await notify(email);
      await page.locator('[data-live] li').nth(before).waitFor();
      expect(visit.complaints).toEqual([]);
    });

    it('takes a customer from the registration to an order, a message and the end of the session', async () => {
      await using visit = await visitOf({ width: 390, colorScheme: 'light' });
      const { page, look } = visit;
      const email = 'ada2@browser.example';
      await page.goto(`${shop.storefront}/products/sencha-superior-100-g`);
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await register(page, email, '/account/addresses');
      await look();
      await fillIn(page, { 'Street and number': 'Torstraße 6', 'Postcode and city': '10119 Berlin', Phone: '030 1' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.goto(`${shop.storefront}/products/blue-mug-350-ml`);
      await page.getByRole('button', { name: 'Add to wishlist' }).click();
      await page.getByText('It is on your wishlist.').waitFor();
      await page.goto(`${shop.storefront}/checkout`);
      await page.getByRole('button', { name: 'On to delivery' }).click();
      await look();
      await page.getByRole('button', { name: 'Order and pay' }).click();
      await page.waitForURL(/\/pay\//);
      await page.locator('button[value="pay"]').first().click();
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
      await page.goto(`${shop.storefront}/notifications`);
      await page.locator('[data-live] li').filter({ hasText: 'ORD-' }).first().waitFor();
      await look();

      // Somebody ends the session elsewhere. The page that is asked for next comes after a new login.
      await using elsewhere = await visitOf({ width: 390, colorScheme: 'light' });
      await logIn(elsewhere.page, { email, password });
      await elsewhere.page.goto(`${shop.storefront}/account/security`);
      await elsewhere.page.getByRole('button', { name: 'Log out everywhere' }).click();
      await elsewhere.page.getByText('You are logged out, on every device.').waitFor();
      await page.goto(`${shop.storefront}/account/orders`);
      expect(page.url()).toContain('/login?next=%2Faccount%2Forders');
      await fillIn(page, { Email: email, Password: password });
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('link', { name: /^ORD-/ }).waitFor();
      expect(visit.complaints).toEqual([]);
    });

    it('changes the email, makes a passkey, logs in by it alone and as a second factor, and proves by it who changes things', async () => {
      await using visit = await visitOf({ width: 1280, colorScheme: 'light' });
      const { page, look } = visit;
      await addAuthenticator(page);
      await register(page, 'grace@browser.example', '/account/security');
      await open(page, 'Change the email');
      visit.mayAnswer(422);
      await within(page, 'Send the code', {
        'New email': 'hopper@browser.example',
        'Your password now': 'not this one',
      });
      await page.getByRole('alert').waitFor();
      expect(await page.getByLabel('New email').inputValue()).toBe('hopper@browser.example');
      await within(page, 'Send the code', { 'Your password now': password });
      await page.getByText('hopper@browser.example').waitFor();
      await look();
      await page
        .getByLabel('Code')
        .fill(codeIn(await mailTo(shop.mailbox ?? '', 'hopper@browser.example', /code|confirm/i)));
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('Saved.').waitFor();
      await page.getByText('hopper@browser.example').waitFor();

      await open(page, 'Set up a second factor');
      await within(page, 'Add a passkey', { 'Your password now': password });
      await page.getByLabel('Name of the passkey').fill('Work laptop');
      await look();
      await page.getByRole('button', { name: 'Make the passkey' }).click();
      await page.getByText('they are shown only now').waitFor();
      await page.getByRole('link', { name: 'I have kept them' }).click();
      await page.getByText('Passkey “Work laptop”').waitFor({ state: 'attached' });

      await page.getByRole('button', { name: 'Log out everywhere' }).click();
      await page.getByText('You are logged out').waitFor();
      await page.goto(`${shop.storefront}/login?next=/account/security`);
      await page.getByRole('link', { name: 'Log in with a passkey' }).click();
      await look();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByText('hopper@browser.example').waitFor();
      await page.getByRole('button', { name: 'Log out everywhere' }).click();
      await page.getByText('You are logged out').waitFor();
      await logIn(page, { email: 'hopper@browser.example', password }, '/account/security');
      await page.getByRole('heading', { name: 'Second factor' }).waitFor();
      await look();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('heading', { name: 'Login and security' }).waitFor();

      await open(page, 'Change the password');
      await look();
      const form = page.locator('form').filter({ has: page.getByLabel('New password') });
      await form.getByLabel('Your password now').fill(password);
      await form.getByLabel('New password').fill('another quiet lake at night');
      await form.getByRole('button', { name: 'Use a passkey instead' }).click();
      await form.getByText('Your passkey has proved that it is you.').waitFor();
      await form.getByRole('button', { name: 'Set the password' }).click();
      await page.getByText('Saved.').waitFor();
      await open(page, 'Change the second factor');
      const factor = page.locator('form').filter({ has: page.getByText('Passkey “Work laptop”') });
      await factor.getByRole('button', { name: 'Use a passkey instead' }).click();
      await factor.getByText('Your passkey has proved that it is you.').waitFor();
      await factor.getByRole('button', { name: 'Remove Work laptop' }).click();
      await page.getByText('Saved.').waitFor();
      expect(await page.getByText('Passkey “Work laptop”').count()).toBe(0);
      expect(visit.complaints).toEqual([]);

      await using plain = await visitOf({ width: 1280, colorScheme: 'light', javaScriptEnabled: false });
      await plain.page.goto(`${shop.storefront}/login`);
      expect(await plain.page.getByText('Log in with a passkey').isVisible()).toBe(false);
    });

    it('makes one order of a button that is pressed twice, without a script', async () => {
      await using visit = await visitOf({ width: 390, colorScheme: 'light', javaScriptEnabled: false });
      const { page, context } = visit;
      await logIn(page, shop.accounts.trade);
      await page.goto(`${shop.storefront}/account/orders`);
      const before = await page.getByRole('row').count();
      await toPayment(page, 'sencha-superior-100-g');
      const button = page.getByRole('button', { name: /^Order/ });
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
      await page.getByRole('link', { name: 'Pay now' }).waitFor();
      await page.goto(`${shop.storefront}/account/orders`);
      expect([times, await page.getByRole('row').count()]).toEqual([2, before + 1]);
    });

    it('says which line has sold out meanwhile, and goes on with the rest', async () => {
      await using visit = await visitOf({ width: 390, colorScheme: 'dark' });
      const { page, look } = visit;
      const product = 'assam-breakfast-tea-250-g';
      await toPayment(page, 'sencha-superior-100-g', product);
      await using _others = await leaveInStock(product, 0);
      await page.getByRole('button', { name: /^Order and pay/ }).click();
      await page.getByText('Please change it, then go on.').waitFor();
      const line = page.locator('.line').filter({ hasText: 'sold out' });
      expect(await line.count()).toBe(1);
      await look();
      await line.getByRole('button', { name: /^Remove/ }).click();
      await page.waitForURL(/\/cart$/);
      await page.getByRole('link', { name: 'To the checkout' }).click();
      await guestAddress(page);
      await page.getByRole('button', { name: /^Order and pay/ }).click();
      await page.waitForURL(/\/pay\//);
      expect(visit.complaints).toEqual([]);
    });

    it('shows in one tab what was done in another', async () => {
      await using visit = await visitOf({ width: 1280, colorScheme: 'light' });
      const { page, context } = visit;
      await logIn(page, shop.accounts.retail);
      await toPayment(page, 'sencha-superior-100-g');
      const other = await context.newPage();
      await other.goto(`${shop.storefront}/products/blue-mug-350-ml`);
      await other.getByRole('button', { name: 'Add to cart' }).click();
      await other.getByText('It is in your cart.').waitFor();
      // The total that was shown is not what it would cost now.
      const shown = await page.locator('.total dd').innerText();
      visit.mayAnswer(422);
      await page.getByRole('button', { name: /^Order and pay/ }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.locator('.total dd').innerText()).not.toBe(shown);
      await Promise.all([age(context), age(context)]);
      await Promise.all([page.goto(`${shop.storefront}/account`), other.goto(`${shop.storefront}/wishlist`)]);
      expect([new URL(page.url()).pathname, new URL(other.url()).pathname]).toEqual(['/account', '/wishlist']);
      await other.getByRole('button', { name: 'Log out', exact: true }).click();
      await other.getByText('You are logged out').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/\/login\?next=%2Faccount$/);
      expect(visit.complaints).toEqual([]);
    });

    it('goes on after a laptop has slept, with what was typed', async () => {
      await using visit = await visitOf({ width: 1280, colorScheme: 'light' });
      const { page, context } = visit;
      await page.clock.install();
      await logIn(page, shop.accounts.retail);
      await page.goto(`${shop.storefront}/account`);
      await page.getByLabel('Phone').fill('030 5550100');
      await age(context);
      await page.clock.fastForward('09:00:00');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      expect(await page.getByLabel('Phone').inputValue()).toBe('030 5550100');
      expect((await cookieOf(context, 'session'))?.value).not.toMatch(/^1~/);
      expect(visit.complaints).toEqual([]);
    });

    it('says that it waits for a slow API, and what to do about a dead one, and keeps what was typed', async () => {
      await using proxy = await proxyOf();
      await using slow = await visitOf({ width: 390, colorScheme: 'light' }, proxy.storefront);
      const { page, look } = slow;
      await logIn(page, shop.accounts.trade, '/account', proxy.storefront);
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
      slow.mayAnswer(503);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'That did not work' }).waitFor();
      await page
        .getByRole('link', { name: 'Log in' })
        .or(page.getByRole('link', { name: 'Cart' }))
        .first()
        .waitFor();
      await look('/orders/ord_01h455vb4pex5vsknk084sn02q', 503);
      slow.mayAnswer(503);
      await page.goBack();
      proxy.api.accept();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Saved.').waitFor();
      expect(await page.getByLabel('Phone').inputValue()).toBe('030 5550102');
      expect(slow.complaints).toEqual([]);
    });

    it('fills in the secret of a link, which no server has seen', async () => {
      await using visit = await visitOf({ width: 390, colorScheme: 'light' });
      const { page } = visit;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${shop.storefront}/password/reset#code=a-long-code-of-a-mail`);
      expect(await page.getByLabel('Code').inputValue()).toBe('a-long-code-of-a-mail');
      expect(page.url()).toBe(`${shop.storefront}/password/reset`);
      expect(asked.filter((url) => url.includes('a-long-code'))).toEqual([]);
      expect(visit.complaints).toEqual([]);
    });

    /** A page with what a browser complains about: errors, violations of the policy, what axe finds, what is too wide. */
    async function visitOf({ width, ...how }: Visit, storefront = shop.storefront) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'en-GB', ...how });
      const page = await context.newPage();
      const complaints: string[] = [];
      let expected = 200;
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
      page.on('console', (message) => {
        const isExpected = expected !== 200 && message.text().includes(`status of ${expected}`);
        if (message.type() === 'error' && !isExpected) complaints.push(`${page.url()}: ${message.text()}`);
      });
      // Chromium reports violations of the policy as console errors, too; an event says which rule it was.
      await page.exposeFunction('complain', (text: string) => complaints.push(`${page.url()}: ${text}`));
      await page.addInitScript(
        `addEventListener('securitypolicyviolation', (event) => complain(event.violatedDirective))`,
      );
      /** Opens the page, or looks at the one that is open. */
      async function look(path?: string | null, status = 200): Promise<void> {
        expected = status;
        if (path) await page.goto(new URL(path, storefront).href);
        await page.waitForLoadState('load');
        const findings = await page.evaluate(`${axe};
        axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
        const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        for (const finding of findings as string[]) complaints.push(`${page.url()}: ${finding}`);
        if (Number(width) > 0) complaints.push(`${page.url()} is wider than the window by ${String(width)} px`);
        if ((await page.locator('style').count()) > 0) complaints.push(`${page.url()} has a style element`);
        expected = 200;
      }
      /** Until the next look, an answer of this status is no complaint. */
      const mayAnswer = (status: number) => (expected = status);
      return { page, context, look, complaints, mayAnswer, [Symbol.asyncDispose]: () => context.close() };
    }

    async function logIn(page: Page, who: Account | undefined, next = '/account', storefront = shop.storefront) {
      await page.goto(`${storefront}/login?next=${next}`);
      await fillIn(page, { Email: who?.email ?? '', Password: who?.password ?? '' });
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL((url) => url.pathname !== '/login' || url.search === '');
    }

    async function register(page: Page, email: string, next: string): Promise<void> {
      await page.goto(`${shop.storefront}/register?next=${next}`);
      await fillIn(page, { 'First name': 'Ada', 'Last name': 'Lovelace', Email: email, Password: password });
      await page.getByRole('button', { name: 'Make the account' }).click();
      await page.getByLabel('Code').fill(codeIn(await mailTo(shop.mailbox ?? '', email, /code/i)));
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.waitForURL((url) => url.pathname === next);
    }

    /** Puts these products into the cart, and goes to the last step of the checkout. */
    async function toPayment(page: Page, ...products: readonly string[]): Promise<void> {
      for (const product of products) {
        await page.goto(`${shop.storefront}/products/${product}`);
        await page.getByRole('button', { name: 'Add to cart' }).click();
        await page.getByText('It is in your cart.').waitFor();
      }
      await page.goto(`${shop.storefront}/checkout`);
      await guestAddress(page);
    }

    async function guestAddress(page: Page): Promise<void> {
      if (await page.getByLabel('Email').isVisible()) await page.getByLabel('Email').fill('guest@three.example');
      if (await page.getByLabel('Another address').isVisible()) await page.getByLabel('Another address').check();
      await fillIn(page, { 'First name': 'Ada', 'Last name': 'Lovelace' });
      await fillIn(page, { 'Street and number': 'Torstraße 6', 'Postcode and city': '10119 Berlin' });
      await page.getByRole('button', { name: 'On to delivery' }).click();
      await page.getByRole('button', { name: /^Order/ }).waitFor();
    }

    /** Leaves so many of a product until the test has ended. */
    async function leaveInStock(slug: string, count: number): Promise<AsyncDisposable> {
      const api = clientOf(shop.gateways[0] ?? '');
      const { accessToken: token } = expectOk(await api.call('POST', '/v1/auth/login', { body: shop.accounts.admin }));
      const [{ id, stock }] = expectOk(await api.call('GET', `/v1/products?slug=${slug}`)).data;
      const add = async (change: number) =>
        void expectOk(
          await api.call('POST', `/v1/products/${id}/stock`, { token, body: { change, reason: 'A test' } }),
        );
      await add(count - stock);
      return { [Symbol.asyncDispose]: () => add(stock - count) };
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

    async function notify(email: string): Promise<void> {
      const call = (path: string, body: object, token?: string) =>
        fetch(new URL(path, shop.gateways[0]), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
          body: JSON.stringify(body),
        }).then((answer) => answer.json() as Promise<{ accessToken: string; user: { id: string } }>);
      const { user } = await call('/v1/auth/login', { ...shop.accounts.retail });
      const { accessToken } = await call('/v1/auth/login', { ...shop.accounts.admin });
      await call(
        '/v1/notifications',
        { channel: 'IN_APP', userId: user.id, type: 'news', title: 'Tea', body: email },
        accessToken,
      );
    }
  },
);

async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

interface Visit {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

const password = 'a quiet lake in the morning';

const open = (page: Page, panel: string) => page.locator('summary').filter({ hasText: panel }).click();

/** Fills in the form that has this button, and presses it. */
async function within(page: Page, button: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: button }) });
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: button }).click();
}

const cookieOf = async (context: BrowserContext, name: string) =>
  (await context.cookies()).find((cookie) => cookie.name === name);

/** The access token is hours old: neither its time nor the token itself is worth anything any more. */
async function age(context: BrowserContext): Promise<void> {
  const cookie = await cookieOf(context, 'session');
  if (!cookie) throw new Error('there is no session');
  await context.addCookies([{ ...cookie, value: cookie.value.replace(/^\d+~[^~]*/, '1~stale') }]);
}

/** A device that has a fingerprint of its owner. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
