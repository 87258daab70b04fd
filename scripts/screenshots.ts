// `npm run screenshots`: starts the system with its demo data, and takes the pictures of the README into docs/images/. Needs a
// Chromium (`CHROMIUM_PATH`, or one on the path).
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStack } from '@storefront/stack';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '@storefront/backing';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const size = { width: 1280, height: 900 };
/** A picture that is larger makes the README slow to load. */
const mostBytes = 150_000;

const executablePath = findChromium();
if (executablePath === null) throw new Error('There is no Chromium on this machine; name one by CHROMIUM_PATH.');

await using resources = new AsyncDisposableStack();
const dataDir = await mkdtemp(join(tmpdir(), 'storefront-screenshots-'));
resources.defer(() => rm(dataDir, { recursive: true, force: true }));
const stack = await startStack({
  env: { ...process.env, PORT: '0', MAILBOX_PORT: '0', PAYMENTS_PORT: '0', STOREFRONT_PORT: '0' },
  dataDir,
  bus: 'in-process',
  console: true,
  storefront: true,
  say: (line) => void process.stderr.write(`${line}\n`),
  resources,
});
// Each order that the demo makes is one that the pictures show.
await stack.makeMoreDemo();
const { console: consoleUrl, storefront } = stack;
if (consoleUrl === null || storefront === null) throw new Error('the console and the example shop have to be served');

const browser = await chromium.launch({ executablePath, args: ['--no-proxy-server', '--no-sandbox'] });
resources.defer(() => browser.close());
await mkdir(folder, { recursive: true });

for (const colorScheme of ['light', 'dark'] as const) {
  const context = await browser.newContext({ locale: 'en-GB', colorScheme, viewport: size });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  if (colorScheme === 'light') {
    await page.goto(storefront, { waitUntil: 'networkidle' });
    await save(page, 'shop');
  }
  await page.goto(consoleUrl);
  await page.getByLabel('Email').fill(stack.accounts.admin.email);
  await page.getByLabel('Password').fill(stack.accounts.admin.password);
  await page.keyboard.press('Enter');
  await page.locator('#main h1').waitFor();
  await untilLoaded(page);
  await save(page, `console-home-${colorScheme}`);
  for (const [name, path] of [
    ['orders', '/orders?status=placed'],
    ['product', '/catalog?q=apron'],
  ] as const) {
    await page.goto(consoleUrl + path);
    await page.locator('tbody tr').first().waitFor();
    if (name === 'product') {
      await page.locator('tbody a').first().click();
      await page.getByRole('button', { name: 'Add a variant' }).waitFor();
      await page.locator('tbody tr').last().scrollIntoViewIfNeeded();
    }
    await untilLoaded(page);
    await save(page, `console-${name}-${colorScheme}`);
  }
  await context.close();
}

/** Waits until the page has all that it shows. Its stream of notifications stays open, so the network never falls still. */
async function untilLoaded(page: Page): Promise<void> {
  await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' });
  for (const image of await page.locator('img').all())
    await image.evaluate((one) => (one as unknown as { decode(): Promise<void> }).decode());
}

/** Saves what the page shows as WebP, which Playwright has no name for. */
async function save(page: Page, name: string): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  const { data } = await tools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > mostBytes) throw new Error(`${name} has ${bytes.length} bytes`);
  await writeFile(join(folder, `${name}.webp`), bytes);
  process.stderr.write(`docs/images/${name}.webp: ${bytes.length} bytes\n`);
}
