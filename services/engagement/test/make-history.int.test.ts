import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';
import { addProduct } from './offers.ts';

const productCount = 8;

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ settings: { SHOP_TIME_ZONE: 'Europe/Berlin' } });
  for (let at = 0; at < productCount; at += 1) await addProduct(service, { price: 1000 + at * 100 });
});
afterAll(() => service.close());

/** Runs a command beside the service. */
function run(args: readonly string[], more: object = {}) {
  const file = new URL('../src/cli.ts', import.meta.url).pathname;
  const env = { PATH: process.env.PATH, ...service.settings, NODE_ENV: 'test', ...more };
  return promisify(execFile)(process.execPath, ['--conditions=source', file, ...args], { env });
}
const makeHistory = (args: readonly string[], more: object = {}) => run(['make-history', ...args], more);
const allCounted = () =>
  eventually(
    async () => (await service.collection('facts').countDocuments({ pending: true })) === 0,
    'the history to be counted',
  );
async function reports() {
  const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const names = ['summary', 'products', 'sales', 'wishlists', 'funnel', 'receivables'];
  const read = async (name: string) => {
    const path = `/v1/analytics/reports/${name}?from=${day(-62)}&to=${day(1)}`;
    const { rows, totals } = (await service.request(service.people.admin, 'GET', path)).body;
    return { name, rows, totals };
  };
  return Promise.all(names.map(read));
}
const twoMonths = ['--days=60', '--size=600', `--products=${productCount}`];

it('fills the reports of the days before today, and a second time adds nothing', async () => {
  const facts = service.collection('facts');
  const before = await facts.countDocuments();
  const { stdout } = await makeHistory(twoMonths);
  const made = (await facts.countDocuments()) - before;
  expect(made).toBeGreaterThan(300);
  expect(stdout).toContain(`${made} facts of 60 days, ${made} of them new.`);
  await allCounted();

  const views = await facts.countDocuments({ kind: 'product-viewed' });
  const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const path = `/v1/analytics/reports/products?from=${day(-62)}&to=${day(1)}`;
  const { body } = await service.request(service.people.admin, 'GET', path);
  expect(body.totals.views).toBe(views);
  expect(body.rows[0].name).toBe('A mug');

  expect((await makeHistory(twoMonths)).stdout).toContain(`${made} facts of 60 days, 0 of them new.`);
  expect(await facts.countDocuments()).toBe(before + made);
});

it('makes the same reports where a rebuild makes the sums of facts that were stored uncounted', async () => {
  await makeHistory(twoMonths);
  await allCounted();
  const [facts, counted] = [service.collection('facts'), await reports()];
  await facts.deleteMany({});
  for (const name of ['roll_up_cells', 'roll_up_sets']) await service.collection(name).deleteMany({});

  expect((await makeHistory([...twoMonths, '--uncounted'])).stdout).toContain('once rebuild-reports was run.');
  expect(await facts.countDocuments({ pending: true })).toBe(0);
  expect(await reports()).not.toEqual(counted);
  await run(['rebuild-reports']);
  expect(await reports()).toEqual(counted);
});

it('is refused in production, and where a number is none', async () => {
  const stderrOf = async (running: Promise<unknown>) =>
    running.then(
      () => 'it did not fail',
      ({ stderr }: { stderr: string }) => stderr,
    );
  expect(await stderrOf(makeHistory([], { NODE_ENV: 'production' }))).toBe(
    'A made-up history is not for production.\n',
  );
  expect(await stderrOf(makeHistory(['--days=0']))).toBe('--days must be a whole number from 1 to 3650.\n');
});
