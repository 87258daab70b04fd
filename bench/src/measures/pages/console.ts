import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { lowerQuartile } from '../../percentiles.ts';
import type { ReportLine } from '../../report.ts';
import { costOf, drawnAs, kbOf, observe, until, usual, type Cost } from './visit.ts';

const builds = 3;
const loads = 5;
const rows = 100;
const goals = { firstKib: 230, moreKib: 40, buildSeconds: 8, rowsMs: 100 };
const all = /\.(js|css)$/;
const script = fileURLToPath(new URL('../../../../console/build.ts', import.meta.url));

/** How long it takes to build the console. */
export async function measureBuild(folder: string): Promise<ReportLine> {
  const seconds: number[] = [];
  for (let build = 0; build < builds; build += 1) {
    const begun = performance.now();
    await promisify(execFile)(process.execPath, ['--conditions=source', script, folder]);
    seconds.push((performance.now() - begun) / 1000);
  }
  const usually = lowerQuartile(seconds);
  return {
    what: 'build of the console',
    result: `${usually.toFixed(1)} s`,
    goal: `≤ ${goals.buildSeconds} s`,
    met: usually <= goals.buildSeconds,
  };
}

/** The page of the console that is loaded first, one that is opened after it, and a list of many rows. */
export async function measureConsole(
  browser: Browser,
  console: string,
  admin: { readonly email: string; readonly password: string },
): Promise<ReportLine[]> {
  const page = await browser.newPage();
  await observe(page);
  const load = async (path: string, shown: string): Promise<Cost> => {
    const costs: Cost[] = [];
    for (let round = 0; round < loads; round += 1) costs.push(await costOf(page, console + path, shown));
    return usual(costs);
  };
  const first = await load('', 'input[type=password]');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password').fill(admin.password);
  await page.keyboard.press('Enter');
  await page.locator('#main h1').waitFor();
  const list = await load('/catalog', 'tbody tr');
  const rowsMs = await msToDraw(page, `${console}/catalog`);
  await page.close();
  const [firstKib, moreKib] = [kbOf(first, all), kbOf(list, all, first)];
  return [
    {
      what: 'page of the console: the first one, to sign in',
      result: `${firstKib.toFixed(1)} KiB, ${drawnAs(first)}`,
      goal: `≤ ${goals.firstKib} KiB`,
      met: firstKib <= goals.firstKib,
    },
    {
      what: 'page of the console: the list of products',
      result: `${moreKib.toFixed(1)} KiB more, ${drawnAs(list)}`,
      goal: `≤ ${goals.moreKib} KiB more`,
      met: moreKib <= goals.moreKib,
    },
    {
      what: `  its table, with ${rows} rows`,
      result: `drawn in ${Math.round(rowsMs)} ms`,
      goal: `≤ ${goals.rowsMs} ms`,
      met: rowsMs <= goals.rowsMs,
    },
  ];
}

/**
 * Has the page take the answer of the API for one of many rows, which are those that it has, again and again. The time goes from that
 * answer until the browser has painted them.
 */
const withManyRows = `(() => {
  const load = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    const response = await load(...request);
    if (!response.ok || !String(request[0]).includes('/v1/products?')) return response;
    const body = await response.json();
    const data = Array.from({ length: ${rows} }, (_, at) => ({ ...body.data[at % body.data.length], id: 'row-' + at }));
    const answer = new Response(JSON.stringify({ ...body, data }), { headers: { 'content-type': 'application/json' } });
    seen.answeredAt = performance.now();
    return answer;
  };
  new MutationObserver(() => {
    if (seen.drawing || document.querySelectorAll('tbody tr').length < ${rows}) return;
    seen.drawing = true;
    // A task after the next frame has begun: it is painted by then.
    requestAnimationFrame(() => setTimeout(() => (seen.drawnAt = performance.now())));
  }).observe(document, { subtree: true, childList: true });
})()`;

async function msToDraw(page: Page, url: string): Promise<number> {
  await page.addInitScript(withManyRows);
  const times: number[] = [];
  for (let round = 0; round < loads; round += 1) {
    await page.goto(url);
    await until(page, 'seen.drawnAt > 0');
    times.push(await page.evaluate<number>('seen.drawnAt - seen.answeredAt'));
  }
  return lowerQuartile(times);
}
