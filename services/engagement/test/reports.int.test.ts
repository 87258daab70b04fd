import { engagementHttp } from '@storefront/contracts';
import { eventually, findSlow, recordQueries } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeReport } from '../src/analytics/commands/make-report.ts';
import { requestedReport, zoneOf } from '../src/analytics/domain/reports/report-request.ts';
import { countedOf, someFacts } from './counted-facts.ts';
import { startEngagement, type Engagement } from './engagement.ts';
import { naiveRollUps } from './naive-roll-ups.ts';

const facts = someFacts(1200);
const naive = naiveRollUps(countedOf(facts));
const noName = async () => new Map<string, string>();
const noNames = { products: noName, variants: noName, campaigns: noName };
const productId = 'prod_01h455vb4pex5vsknk084sn02q';
const defaults = { zone: zoneOf('Europe/Berlin'), currency: 'EUR' };
const names = Object.keys(engagementHttp.reports) as engagementHttp.ReportName[];

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement({ settings: { SHOP_TIME_ZONE: 'Europe/Berlin' } });
  const collection = service.collection('facts');
  await collection.insertMany(facts.map((fact) => ({ ...fact })) as never[]);
  await eventually(
    async () => (await collection.countDocuments({ pending: true })) === 0,
    'the facts to be counted',
    90_000,
  );
});
afterAll(() => service.close());

/** The report as it is sent, and as it is made of the facts themselves; without the time of either. */
async function both(name: engagementHttp.ReportName, about: string) {
  const query = name === 'variants' ? `${about}&productId=${productId}` : about;
  const { status, body } = await service.request(service.people.admin, 'GET', `/v1/analytics/reports/${name}?${query}`);
  expect([name, query, status]).toEqual([name, query, 200]);
  const requested = engagementHttp.reportQuery.parse(Object.fromEntries(new URLSearchParams(query)));
  const made = await makeReport(
    { rollUps: naive, thingNames: noNames },
    requestedReport(name, requested, defaults, new Date()),
  );
  return { sent: { ...body, asOf: null }, made: { ...made, asOf: null } };
}

describe('what reports say of roll-ups is what they say of the facts', () => {
  // The clocks change in Berlin on March 29.
  const [spring, weekend] = ['from=2026-03-25&to=2026-05-20', 'from=2026-03-28&to=2026-03-30'];

  it.each([
    `${spring}&compare=previous`,
    `${spring}&interval=week&timezone=Asia/Kolkata`,
    `${spring}&interval=month&timezone=America/New_York&compare=previous`,
    `${weekend}&interval=hour`,
    `${weekend}&interval=day&timezone=Pacific/Chatham`,
  ])('%s', async (query) => {
    for (const name of names) {
      const { sent, made } = await both(name, query);
      expect(sent).toEqual(made);
    }
  });

  it('of one segment, another currency or another window', async () => {
    for (const query of [`${spring}&segment=trade`, `${spring}&segment=trade&interval=week`])
      for (const name of names) {
        const { sent, made } = await both(name, query);
        expect(sent).toEqual(made);
      }
    for (const [name, query] of [
      ['sales', `${spring}&currency=USD`],
      ['products', `${spring}&currency=USD&by=views&limit=2`],
      ['funnel', `${spring}&window=1d`],
      ['funnel', `${spring}&window=30d&segment=retail`],
    ] as const) {
      const { sent, made } = await both(name, query);
      expect(sent).toEqual(made);
      expect(sent.totals).not.toEqual({});
    }
  });

  it('is read by indexes, and without a look at the facts but for those that are not counted yet', async () => {
    const stopRecording = await recordQueries(service.connection);
    for (const name of names) await both(name, `${spring}&interval=week&compare=previous`);
    const queries = await stopRecording();
    const found = findSlow(queries, 2000);
    expect([found.byNoIndex, found.sorted, found.readMuch]).toEqual([[], [], []]);
    const ofFacts = queries.filter(({ collection, command }) => collection === 'facts' && !command.includes('pending'));
    expect(ofFacts).toEqual([]);
  });

  it('and that is not nothing', async () => {
    const { sent } = await both('sales', spring);
    expect(sent.totals.orders).toBeGreaterThan(10);
    expect((await both('funnel', spring)).sent.totals.ordered).toBeGreaterThan(0);
    expect((await both('funnel', `${spring}&window=30d`)).sent.totals.arrived).toBeGreaterThan(0);
    expect((await both('variants', spring)).sent.totals.units).toBeGreaterThan(0);
  });
});
