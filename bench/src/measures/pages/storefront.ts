import type { Browser } from 'playwright-core';
import type { ReportLine } from '../../report.ts';
import { costOf, drawnAs, kbOf, observe, usual, type Cost } from './visit.ts';

const loads = 5;
const goals = { kb: 60, lcpMs: 1000, cls: 0.02 };
const product = '/products/stoneware-teapot-1-2-litre';
const pages = {
  home: '/',
  category: '/categories/tea',
  product,
  search: '/search?q=tea',
  cart: '/cart',
  checkout: '/checkout',
};

/** The pages of the example shop, as a guest with something in the cart loads them. */
export async function measureStorefront(browser: Browser, shop: string): Promise<ReportLine[]> {
  const page = await browser.newPage();
  await observe(page);
  await page.goto(shop + product);
  await page.getByLabel('sand').check();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('link', { name: 'To the checkout' }).waitFor();
  const lines: ReportLine[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const costs: Cost[] = [];
    for (let load = 0; load < loads; load += 1) costs.push(await costOf(page, shop + path, 'main h1'));
    const cost = usual(costs);
    const kb = kbOf(cost, /\.js$/);
    lines.push({
      what: `page of the shop: ${name}`,
      result: `${kb.toFixed(1)} KB of JavaScript, ${drawnAs(cost)}`,
      goal: `≤ ${goals.kb} KB, ≤ ${goals.lcpMs} ms, ≤ ${goals.cls}`,
      met: kb <= goals.kb && cost.lcpMs <= goals.lcpMs && cost.cls <= goals.cls,
    });
  }
  await page.close();
  return lines;
}
