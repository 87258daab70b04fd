import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@storefront/stack';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../services/identity/test/chromium.ts';
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
    async function visitOf({ width, colorScheme }: { width: number; colorScheme: 'light' | 'dark' }) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale: 'en-GB' });
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
        if (path) await page.goto(new URL(path, shop.storefront).href);
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
      return { page, look, complaints, [Symbol.asyncDispose]: () => context.close() };
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
