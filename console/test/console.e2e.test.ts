import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, memoryLogger } from '@storefront/testing';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium } from '../../services/identity/test/chromium.ts';

// Starts a whole system with demo data and opens some hundred pages in a browser: it alone can find what a policy, a theme or
// a width breaks.
const executablePath = findChromium();
const noChromium = 'There is no Chromium on this machine; install one, or name one by CHROMIUM_PATH.';

const pages = {
  '/': ['admin', 'catalog', 'marketing', 'sales', 'support'],
  '/orders': ['admin', 'sales', 'support'],
  '/trade': ['admin', 'sales', 'support'],
  '/invoices': ['admin', 'sales', 'support'],
  '/people': ['admin', 'support'],
  '/catalog': ['admin', 'catalog', 'marketing', 'sales', 'support'],
  '/campaigns': ['admin', 'marketing', 'support'],
  '/reports': ['admin', 'marketing'],
  '/deliveries': ['admin', 'support'],
  '/system': ['admin', 'support'],
  '/settings': ['admin', 'sales', 'support'],
} as const;
/** Pages that the menu does not show, and who may open them. */
const further = {
  '/invoices/payments': ['admin', 'sales', 'support'],
  '/invoices/callbacks': ['admin', 'sales'],
  '/people/staff': ['admin'],
  '/people/api-tokens': ['admin'],
  '/catalog/categories': ['admin', 'catalog', 'marketing', 'sales', 'support'],
  '/catalog/import': ['admin', 'catalog'],
  '/campaigns/new': ['admin', 'marketing'],
  '/system/dead-letters': ['admin'],
  '/system/audit': ['admin', 'support'],
  '/account': ['admin', 'catalog', 'marketing', 'sales', 'support'],
} as const;
const withDetails = new Set([
  '/orders',
  '/trade',
  '/invoices',
  '/invoices/payments',
  '/people',
  '/catalog',
  '/campaigns',
  '/deliveries',
]);
/** `npm run proof` takes both themes at both widths. */
const views = [
  ['light', 1280],
  ['dark', 390],
  ...(process.env['BROWSER_VIEWS'] === 'all'
    ? ([
        ['dark', 1280],
        ['light', 390],
      ] as const)
    : []),
] as const;
const roles = ['admin', 'catalog', 'marketing', 'sales', 'support'] as const;
type Role = (typeof roles)[number];
const wait = { timeout: 60_000 };

describe.skipIf(executablePath === null)(`the console${executablePath === null ? `: ${noChromium}` : ''}`, () => {
  let dataDir: string;
  let stack: Stack;
  let browser: Browser;
  let console: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'storefront-console-'));
    stack = await startStack({
      env: { PORT: '0', MAILBOX_PORT: '0', PAYMENTS_PORT: '0', RATE_LIMITS: 'off', MONGODB_URL: inject('mongodbUrl') },
      dataDir,
      bus: 'in-process',
      console: true,
      databasePrefix: `console_${randomBytes(4).toString('hex')}_`,
      loggerOf: () => memoryLogger().logger,
    });
    console = stack.console ?? '';
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-proxy-server', '--no-sandbox'],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context: BrowserContext = await browser.newContext({ locale: 'en-GB', ...options });
    context.setDefaultTimeout(wait.timeout);
    await context.addInitScript(() => {
      const seen = globalThis as unknown as { violations: string[] };
      seen.violations = [];
      addEventListener('securitypolicyviolation', (event) => {
        seen.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    return context.newPage();
  }

  const accountOf = (role: Role) => stack.accounts[role] ?? stack.accounts.admin;

  async function signIn(page: Page, role: Role): Promise<void> {
    const { email, password } = accountOf(role);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('#main h1').waitFor();
  }

  async function signedIn(role: Role, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const page = await open(options);
    await page.goto(console);
    await signIn(page, role);
    return page;
  }

  async function show(page: Page, path: string): Promise<void> {
    await page.goto(console + path);
    await page.locator('#main h1, #main strong, #main [role=alert]').first().waitFor();
    await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' });
  }

  /** Nothing that axe finds, nothing that the policy had to stop, no style but that of the sheets, nothing beside the page. */
  async function expectSound(page: Page, what: string): Promise<void> {
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { axe: judge, violations } = globalThis as unknown as { axe: typeof axe; violations: string[] };
      const result = await judge.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
      return {
        axe: result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`),
        policy: violations,
        styles: document.querySelectorAll('style').length,
        beside: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      };
    });
    expect(found, what).toEqual({ axe: [], policy: [], styles: 0, beside: 0 });
  }

  const call = async (path: string, token: string, method = 'GET', body?: unknown): Promise<any> => {
    const answer = await fetch(stack.gateways[0] + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const tokenOf = async (role: Role): Promise<string> => {
    const { email, password } = accountOf(role);
    return (await call('/v1/auth/login', '', 'POST', { email, password })).accessToken as string;
  };

  it.each(views)(
    'every page is sound in %s at %i px, loaded anew',
    { timeout: 900_000 },
    async (colorScheme, width) => {
      const page = await open({ colorScheme, viewport: { width, height: 900 } });
      await page.goto(console);
      await page.getByLabel('Email').waitFor();
      await expectSound(page, 'sign in');
      await signIn(page, 'admin');
      for (const path of [...Object.keys(pages), ...Object.keys(further)]) {
        await show(page, path);
        await expectSound(page, path);
        const link = page.locator('tbody a').first();
        if (!withDetails.has(path) || (await link.count()) === 0) continue;
        await show(page, ((await link.getAttribute('href')) ?? '').replace('/console', ''));
        await expectSound(page, `one of ${path}`);
      }
      for (const keys of ['?', 'Control+k']) {
        await page.keyboard.press(keys);
        await page.getByRole('dialog').waitFor();
        await expectSound(page, keys);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    },
  );

  it.each(roles)('%s sees in the menu what the role may open, and nothing else by its address', async (role) => {
    const page = await signedIn(role, { viewport: { width: 1280, height: 900 } });
    const hrefs = await page
      .locator('nav[aria-label=Menu] a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const pathsOf = (which: object, isMine: boolean) =>
      Object.entries(which as Record<string, readonly string[]>).flatMap(([path, of]) =>
        of.includes(role) === isMine ? [path] : [],
      );
    expect(new Set(hrefs.map((href) => href?.replace(/^\/console\/?/, '/')))).toEqual(new Set(pathsOf(pages, true)));
    for (const path of pathsOf({ ...pages, ...further }, false)) {
      await show(page, path);
      expect(await page.locator('#main').textContent(), path).toContain('not for your role');
    }
  });

  it('ships an order by the keyboard alone', async () => {
    const page = await signedIn('sales', { viewport: { width: 1280, height: 900 } });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('orders');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await show(page, '/orders?fulfilment=open');
    await page.getByRole('button', { name: 'Remove the filter: Fulfilment' }).waitFor();
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('j');
    await page.locator('tbody tr[data-current]').waitFor();
    await page.keyboard.press('o');
    const ship = page.getByRole('button', { name: 'Ship', exact: true });
    await ship.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Ship', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Shipped', { exact: true }).first().waitFor();
    expect(await ship.count()).toBe(0);
  });

  it('runs nothing that a text contains', async () => {
    const token = await tokenOf('admin');
    const evil = '"><img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';
    const product = await call('/v1/products', token, 'POST', {
      sku: 'EVIL-1',
      name: evil,
      description: evil,
      status: 'active',
      price: { amount: 100, currency: 'EUR' },
    });
    const page = await signedIn('admin');
    for (const path of [
      `/catalog/${product.id}`,
      '/catalog',
      `/catalog?q=${encodeURIComponent(evil)}`,
      `/orders?q=${encodeURIComponent(evil)}`,
    ]) {
      await show(page, path);
      expect(await page.evaluate(() => 'hacked' in globalThis), path).toBe(false);
      expect(await page.locator('#main img[onerror]').count(), path).toBe(0);
    }
  });

  it('shows a mail as it is, and runs nothing of it', async () => {
    const admin = await tokenOf('admin');
    const { email, password } = stack.accounts.retail;
    const { accessToken, user } = await call('/v1/auth/login', '', 'POST', { email, password });
    await call('/v1/notifications/preferences', accessToken, 'PUT', { types: { offers: { EMAIL: true } } });
    const { data: active } = await call('/v1/campaigns?status=active', admin);
    const announced = { channels: ['EMAIL'], title: 'A tenth off', body: 'A tenth off all teapots.' };
    const { id } = active.find(({ conditions }: { conditions: { segment: string } }) => conditions.segment === 'all');
    await call(`/v1/campaigns/${id}/announce`, admin, 'POST', announced);
    const deliveries = `/v1/notifications/deliveries?userId=${user.id}`;
    const delivery = await eventually(
      async () => (await call(deliveries, admin)).data.find((one: any) => one.template === 'announcement'),
      'the announcement',
      60_000,
    );
    const page = await signedIn('support');
    await show(page, `/deliveries/${delivery.id}`);
    await page.frameLocator('iframe').getByText(announced.body, { exact: true }).first().waitFor();
    await expectSound(page, 'a mail');

    // What a mail may not do, were it not cleaned before: the frame alone stops it.
    const evil = `<p id="shown">A mail</p><img src="x" onerror="parent.postMessage('ran', '*')"><script>parent.postMessage('ran', '*')</script>`;
    await page.evaluate((mail) => {
      const heard = globalThis as unknown as { heard: unknown[] };
      heard.heard = [];
      addEventListener('message', ({ data }) => heard.heard.push(data));
      const frame = document.createElement('iframe');
      frame.className = 'evil';
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.addEventListener('load', () => frame.contentWindow?.postMessage({ mail }, '*'));
      frame.src = '/console/mail.html';
      document.body.append(frame);
    }, evil);
    await page.frameLocator('.evil').locator('#shown').waitFor();
    // A message that the mail had sent would have come before the answer to this one.
    await page
      .frameLocator('.evil')
      .locator('body')
      .evaluate(() => parent.postMessage('end', '*'));
    await page.waitForFunction(() => (globalThis as unknown as { heard: unknown[] }).heard.includes('end'));
    const heard = await page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard);
    expect(heard).toEqual(['end']);
  });

  it('makes a campaign for a category, and says what it takes off a sample cart', async () => {
    const token = await tokenOf('admin');
    const { data: categories } = await call('/v1/categories?limit=100', token);
    const { data: products } = await call('/v1/products?status=active&limit=50', token);
    const category = categories.find(({ productCount }: { productCount: number }) => productCount > 0);
    const isIn = ({ categoryIds }: { categoryIds: string[] }) => categoryIds.includes(category.id);
    const page = await signedIn('marketing');
    await show(page, '/campaigns/new');
    await page.getByLabel('Name', { exact: true }).fill('For some');
    await page.getByLabel('Taken off').selectOption({ label: 'Certain items' });
    await page.getByLabel('Find: Categories').fill(category.name);
    await page
      .getByRole('checkbox', { name: new RegExp(`${category.name} \\(`) })
      .first()
      .check();
    // What the bar at the top covers would count as too small.
    await page.evaluate(() => scrollTo(0, 0));
    await expectSound(page, 'the builder');
    const cart = page.locator('section', { has: page.getByRole('heading', { name: 'A sample cart' }) });
    await cart.getByLabel('Product').selectOption(products.find(isIn).id);
    await cart.locator('dd').last().filter({ hasText: '−' }).waitFor();
    await page.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByRole('heading', { name: 'For some' }).waitFor();
    const { data: made } = await call('/v1/campaigns?status=draft', token);
    expect(made[0].discount).toMatchObject({ target: 'items', items: { categories: [category.id] } });
  });

  it('shows what two people have changed, and saves what one chooses', async () => {
    const token = await tokenOf('admin');
    const { data } = await call('/v1/products?limit=1', token);
    const page = await signedIn('catalog');
    await show(page, `/catalog/${data[0].id}`);
    await page.getByLabel('Name', { exact: true }).fill('My name for it');
    await call(`/v1/products/${data[0].id}`, token, 'PATCH', { name: 'Their name for it' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Their name for it').waitFor();
    await expectSound(page, 'the conflict');
    await dialog.getByLabel('My name for it').check();
    await dialog.getByRole('button', { name: 'Save what I chose' }).click();
    await page.getByRole('heading', { name: 'My name for it' }).waitFor();
    expect((await call(`/v1/products/${data[0].id}`, token)).name).toBe('My name for it');
  });

  it('keeps what was typed when the session ends, and the tokens out of reach of scripts', async () => {
    const token = await tokenOf('marketing');
    const page = await signedIn('marketing');
    await show(page, '/campaigns/new');
    await page.getByLabel('Name', { exact: true }).fill('Half written');
    expect(await page.evaluate(() => document.cookie + JSON.stringify([localStorage, sessionStorage]))).not.toMatch(
      /rt_|eyJ/,
    );
    await call('/v1/auth/logout', token, 'POST');
    await page.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByText('Your session has ended').waitFor();
    const { email, password } = accountOf('marketing');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half written');
  });

  it('is signed in again after it is loaded anew, and is not after signing out', async () => {
    const page = await signedIn('support');
    await page.reload();
    await page.locator('#main h1').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await page.reload();
    await page.getByLabel('Email').waitFor();
    expect(await page.locator('#main').count()).toBe(0);
  });

  // The last test: the account is one of those that the demo has.
  it('erases an account once its email was typed', async () => {
    const token = await tokenOf('admin');
    const { data } = await call('/v1/users?role=retail', token);
    const [person] = data;
    const page = await signedIn('admin');
    await show(page, `/people/${person.id}`);
    await page.getByRole('button', { name: 'Erase the account' }).click();
    const dialog = page.getByRole('dialog');
    const typed = dialog.getByLabel('Type the email or the id of the account');
    await typed.fill('somebody@else.example');
    await dialog.getByRole('button', { name: 'Erase the account' }).click();
    await dialog.getByText('That is another email or id.').waitFor();
    await expectSound(page, 'the erasure');
    await typed.fill(person.email);
    await dialog.getByRole('button', { name: 'Erase the account' }).click();
    await dialog.waitFor({ state: 'detached' });
    const found = await call(`/v1/users/${person.id}`, token);
    expect(found.status === 'erasing' || found.code === 'not_found').toBe(true);
  });
});
