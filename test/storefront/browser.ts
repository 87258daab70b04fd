import { eventually } from '@storefront/testing';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { codeIn, mailTo } from '../client.ts';
import { password } from '../people.ts';
import type { DemoShop } from './system.ts';

// The pages as a browser shows them: it alone can find what a policy, a theme, a width or a script breaks. What links and forms do
// without a script is in journeys.ts.

/** What somebody types into the fields of a checkout. */
export const ada = { 'First name': 'Ada', 'Last name': 'Lovelace' };
export const place = { 'Street and number': 'Torstraße 6', 'Postcode and city': '10119 Berlin' };

export const [narrowAndDark, wideAndLight] = [
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const;
/** The views of journeys that `npm run proof` alone makes: both themes at both widths. In `npm test` there are none. */
export const proofViews: readonly View[] = inject('isProof')
  ? [narrowAndDark, wideAndLight, { width: 390, colorScheme: 'light' }, { width: 1280, colorScheme: 'dark' }]
  : [];
/** All views in `npm run proof`, this one in `npm test`. */
export const proofViewsOr = (view: View): readonly View[] => (proofViews.length > 0 ? proofViews : [view]);

/** The shop, and a browser that visits it. */
export interface BrowserAt {
  readonly shop: DemoShop;
  readonly browser: Browser;
  /** The visit of this view, where nobody is logged in: one for all tests, so that the browser has the files of the shop already. */
  visitOf(view: View): Promise<Visit>;
  /** Logs the browser in without the pages for it. */
  logIn(page: Page, who: Account | undefined, storefront?: string): Promise<void>;
}

/** Starts the browser before the tests of this file, and closes it after them. */
export function browserAt(shopOf: () => DemoShop, executablePath: string): BrowserAt {
  let shop: DemoShop;
  let browser: Browser;
  const visits = new Map<View, Promise<Visit>>();

  beforeAll(async () => {
    shop = shopOf();
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-proxy-server', '--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  async function openVisit({ width, colorScheme }: View): Promise<Visit> {
    const context = await browser.newContext({ viewport: { ...viewport, width }, colorScheme, locale: 'en-GB' });
    context.setDefaultTimeout(patienceMs);
    const complaints: string[] = [];
    const open = () => openTab(context, shop.storefront, (text) => complaints.push(text));
    return { context, complaints, open, ...(await open()) };
  }

  return {
    get shop() {
      return shop;
    },
    get browser() {
      return browser;
    },
    async visitOf(view) {
      let visit = visits.get(view);
      if (!visit) visits.set(view, (visit = openVisit(view)));
      const { context, page, complaints } = await visit;
      await context.clearCookies();
      await page.goto('about:blank');
      complaints.length = 0;
      return visit;
    },
    async logIn(page, who, storefront = shop.storefront) {
      const { email = '', password = '' } = who ?? {};
      const headers = { origin: storefront };
      const answer = await page.request.post(`${storefront}/login`, {
        form: { email, password },
        headers,
        maxRedirects: 0,
      });
      expect(answer.status()).toBe(303);
    },
  };
}

/** A page, and what a browser complains about there: errors, violations of the policy, what axe finds, what is too wide. */
async function openTab(context: BrowserContext, storefront: string, say: (complaint: string) => void): Promise<Tab> {
  const page = await context.newPage();
  const complain = (text: string) => say(`${page.url()}: ${text}`);
  let expected: string | undefined;
  page.on('pageerror', (error) => complain(error.message));
  page.on('console', (message) => {
    const isExpected = expected !== undefined && message.text().includes(expected);
    if (message.type() === 'error' && !isExpected) complain(message.text());
  });
  // Chromium reports violations of the policy as console errors, too; an event says which rule it was.
  await page.exposeFunction('complain', complain);
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => complain(event.violatedDirective))`);
  return {
    page,
    mayComplain: (of) => (expected = of),
    async look(path, status = 200) {
      if (path) {
        expected = status === 200 ? undefined : `status of ${status}`;
        await page.goto(new URL(path, storefront).href);
      }
      await page.waitForLoadState('load');
      const found = await page.evaluate(`${axe.source};
        axe.run({ resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => [
          ...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
          ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
          ...(document.querySelector('style') ? ['a style element'] : []),
        ])`);
      for (const each of found as string[]) complain(each);
      expected = undefined;
    },
  };
}

const viewport = { width: 1280, height: 900 };
/** A machine with much else to do takes minutes for what takes seconds without. */
const patienceMs = 120_000;
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

interface Tab {
  readonly page: Page;
  /** Opens the page, or looks at the one that is open. */
  readonly look: (path?: string | null, status?: number) => Promise<void>;
  /** Until the next look, an error of the console with this text is no complaint. */
  readonly mayComplain: (of: string) => void;
}

interface Visit extends Tab {
  readonly context: BrowserContext;
  /** Of all tabs of the visit. */
  readonly complaints: string[];
  /** Opens another tab. */
  readonly open: () => Promise<Tab>;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

export async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

export const press = (page: Page, button: string | RegExp) =>
  page.getByRole('button', { name: button }).first().click();

/** Opens the page again until it shows this: on a busy machine it is shown before the order is as far. */
export const untilShown = (page: Page, what: Locator) =>
  eventually(
    async () => (await what.isVisible()) || (await page.reload(), false),
    `${what.toString()} on ${page.url()}`,
    patienceMs,
  );

/** Puts so many of a product, or of the variant with these values, into the cart. */
export async function putIntoCart(page: Page, url: string, quantity = 1, variant?: string): Promise<void> {
  await page.goto(url);
  if (variant) await page.getByLabel(variant).check();
  await page.getByLabel('Quantity').fill(String(quantity));
  await press(page, 'Add to cart');
  await page.waitForURL(/\/cart\?done=added$/);
}

/** Types the code of the mail to this address. */
export async function confirm({ shop }: BrowserAt, page: Page, email: string, subject = /code/i): Promise<void> {
  await page.getByLabel('Code').fill(codeIn(await mailTo(shop.mailbox ?? '', email, subject)));
  await press(page, 'Confirm');
}

/** Registers by the form and the code of the mail, which leads to `next`. */
export async function register(at: BrowserAt, page: Page, email: string, next: string): Promise<void> {
  await page.goto(`${at.shop.storefront}/register?next=${next}`);
  await fillIn(page, { ...ada, Email: email, Password: password });
  await press(page, 'Make the account');
  await confirm(at, page, email);
  await page.waitForURL((url) => url.pathname === next);
}
