import { findChromium } from '@storefront/backing';
import type { BenchContext } from '../../context.ts';
import type { ReportLine } from '../../report.ts';
import { measureBuild, measureConsole } from './console.ts';
import { measureStorefront } from './storefront.ts';

/** The pages of the example shop and of the console in Chromium, with the whole system in one process. */
export async function measurePages(context: BenchContext): Promise<ReportLine[]> {
  await context.stopSeparateStack();
  context.say('Building the console …');
  const built = await measureBuild(await context.temporaryFolder());
  const executablePath = findChromium();
  if (executablePath === null)
    return [
      { what: 'pages of the shop and of the console', result: 'not measured: there is no Chromium (CHROMIUM_PATH)' },
      built,
    ];
  const { mongodb } = await context.backing();
  const stack = await context.startStack(['--bus', 'in-process'], { database: 'bench-pages', url: mongodb.url });
  const { chromium } = await import('playwright-core');
  const args = ['--no-proxy-server', '--no-sandbox'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    context.say('Loading pages in Chromium …');
    const ofShop = await measureStorefront(browser, stack.storefront);
    return [...ofShop, ...(await measureConsole(browser, stack.console, stack.accounts.admin)), built];
  } finally {
    await browser.close();
    await stack.stop();
  }
}
