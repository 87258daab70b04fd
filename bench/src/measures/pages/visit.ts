import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { lowerQuartile } from '../../percentiles.ts';

/** What it costs to load a page. */
export interface Cost {
  /** The KB of each script and style sheet after gzip, by address. */
  readonly files: ReadonlyMap<string, number>;
  /** When its largest part was drawn. */
  readonly lcpMs: number;
  /** By how much what was drawn has moved: the sum of its layout shifts. */
  readonly cls: number;
}

const quietMs = 500;
const longestMs = 60_000;

/** Notes in each page what its user sees of its loading. */
const observing = `(() => {
  const seen = (globalThis.seen = { lcpMs: 0, cls: 0, changedAt: performance.now() });
  const watch = (type, note) =>
    new PerformanceObserver((list) => {
      seen.changedAt = performance.now();
      for (const entry of list.getEntries()) note(entry);
    }).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => (seen.lcpMs = entry.startTime));
  watch('layout-shift', (entry) => (seen.cls += entry.hadRecentInput ? 0 : entry.value));
})()`;

/** Has the page measure what it loads from now on, and load all of it anew each time. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(observing);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
}

/** Opens the address, waits until `shown` is there and nothing changes any more, and returns what it has cost. */
export async function costOf(page: Page, url: string, shown: string): Promise<Cost> {
  const responses: Response[] = [];
  const note = (response: Response) => void responses.push(response);
  page.on('response', note);
  await page.goto(url);
  await page.locator(shown).first().waitFor();
  await until(
    page,
    `document.readyState === 'complete' && seen.lcpMs > 0 && performance.now() - seen.changedAt > ${quietMs}`,
  );
  page.off('response', note);
  const { lcpMs, cls } = await page.evaluate<{ lcpMs: number; cls: number }>('seen');
  const files = new Map<string, number>();
  for (const response of responses) {
    if (!/javascript|css/.test(response.headers()['content-type'] ?? '')) continue;
    files.set(response.url(), gzipSync(await response.body()).length / 1024);
  }
  return { files, lcpMs, cls };
}

/** Waits in the page for what the expression says. `waitForFunction` would need `eval`, which the policy of these pages forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const deadline = performance.now() + ${longestMs};
    const look = () => {
      if (${expression}) resolve();
      else if (performance.now() < deadline) setTimeout(look, 50);
      else reject(new Error('waited ${longestMs} ms for ' + ${JSON.stringify(expression)}));
    };
    look();
  })`);
}

/** The lower quartile of several loads, because other programs only ever slow one down. */
export function usual(costs: readonly Cost[]): Cost {
  return {
    files: costs.at(-1)?.files ?? new Map<string, number>(),
    lcpMs: lowerQuartile(costs.map(({ lcpMs }) => lcpMs)),
    cls: lowerQuartile(costs.map(({ cls }) => cls)),
  };
}

/** The sum of the files, without those of `known`. */
export function kbOf({ files }: Cost, kind: RegExp, known?: Cost): number {
  const counted = [...files].filter(([url]) => kind.test(url) && !known?.files.has(url));
  return counted.reduce((sum, [, kb]) => sum + kb, 0);
}

/** When and how a page was drawn, as a report says it. */
export const drawnAs = ({ lcpMs, cls }: Cost): string => `LCP ${Math.round(lcpMs)} ms, CLS ${cls.toFixed(3)}`;
