import { randomUUID } from 'node:crypto';
import { newId } from '@storefront/contracts';
import { eventually, findSlow, measuresOutboxes, recordQueries } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(service.people.admin, method, `/v1/campaigns${path}`, body, headers);

/** As many that have not ended as there may be, and more that have. */
const unended = 1900;
const ended = 5000;
const codes = inject('isProof') ? 100_000 : 8000;

describe('every query about campaigns', () => {
  it('uses an index, and reads no more than it shows', async () => {
    const large = await fill();
    const stopRecording = await recordQueries(service.connection);
    await everyRoute(large);
    await eventually(
      () => service.collection('system.profile').findOne({ 'command.hint': 'ends', 'command.limit': 100 }),
      'a look for campaigns whose end has come',
    );
    const queries = await stopRecording();

    expect(findSlow(queries, 60).byNoIndex).toEqual([]);
    expect(queries.filter(({ sorted }) => sorted)).toEqual([]);
    // All that run are read after a change; no other query looks at more than it returns.
    expect(findSlow(queries, 60).readMuch).toEqual([]);
    expect(queries.map(({ collection }) => collection)).toEqual(
      expect.arrayContaining([
        'campaigns',
        'campaign_usage',
        'campaign_versions',
        'campaign_codes',
        'campaign_code_lists',
      ]),
    );
    const lists = queries.filter(({ command }) => /"limit":21\b/.test(command));
    expect(lists.length).toBeGreaterThanOrEqual(14);
    expect(lists.filter(({ documentsExamined }) => documentsExamined > 60)).toEqual([]);
    // By status, the keys of the campaigns that have not ended are all that may be looked at besides those that are shown.
    expect(lists.filter(({ keysExamined }) => keysExamined > unended + 60)).toEqual([]);
    // Counting reads the index only.
    const counts = queries.filter((query) => query.command.includes('"$sum":1') && !measuresOutboxes(query));
    expect(counts).toHaveLength(1);
    expect(counts.filter(({ documentsExamined }) => documentsExamined > 0)).toEqual([]);
  });
});

/** Returns the id of the campaign with the codes. */
async function fill(): Promise<string> {
  const { body } = await call('POST', '', { name: 'x', trigger: 'code', discount: { type: 'free-shipping' } });
  const template = await service.collection('campaigns').findOne({ _id: body.id });
  const day = 24 * 60 * 60 * 1000;
  const now = Date.now();
  const stages = ['draft', 'activated', 'activated', 'paused'];
  const campaigns = Array.from({ length: unended + ended }, (_, at) => ({
    ...template,
    _id: newId('camp'),
    stage: at < unended ? stages[at % stages.length] : 'ended',
    conditions: {
      ...template.conditions,
      startsAt: new Date(now + (at % 8 === 1 ? day : -day)),
      endsAt: at % 3 === 0 ? new Date(now + 2 * day) : null,
    },
    outbox: [],
    createdAt: new Date(now - ((at * 7919) % (unended + ended)) * 1000),
  }));
  await service.collection('campaigns').insertMany(campaigns);
  const owners = [body.id, ...campaigns.slice(0, 4).map(({ _id }) => _id)];
  for (let from = 0; from < codes; from += 10_000)
    await service.collection('campaign_codes').insertMany(
      Array.from({ length: 10_000 }, (_, at) => ({
        _id: `FILL-${from + at}` as any,
        campaignId: owners[at % owners.length],
        uses: 0,
        maximumUses: 1,
        endedAt: null,
        createdAt: new Date(now),
        batch: `batch-${(from + at) % 100}`,
      })),
    );
  return body.id;
}

async function everyRoute(large: string): Promise<void> {
  for (const query of ['', 'draft', 'scheduled', 'active', 'paused', 'ended'].map((status) =>
    status ? `?status=${status}` : '?limit=20',
  )) {
    const { status, body } = await call('GET', query);
    expect({ status, shown: body.data.length }).toEqual({ status: 200, shown: 20 });
    expect((await call('GET', `${query}&cursor=${body.nextCursor}`)).body.data).toHaveLength(20);
  }
  const discount = { type: 'free-shipping' };
  const { id } = (await call('POST', '', { name: 'x', trigger: 'code', discount })).body;
  const headers = { 'idempotency-key': randomUUID() };
  for (const _time of [1, 2])
    expect((await call('POST', `/${id}/codes`, { generate: { count: 300 } }, headers)).status).toBe(201);
  await call('PATCH', `/${id}`, { name: 'y' });
  await call('POST', `/${id}/activate`);
  await call('GET', '/active');
  await call('POST', `/${id}/pause`);
  await call('GET', `/${id}`);
  const listed = await call('GET', `/${large}/codes`);
  expect((await call('GET', `/${large}/codes?cursor=${listed.body.nextCursor}`)).body.data).toHaveLength(20);
  expect((await call('DELETE', `/${large}/codes/FILL-5`)).status).toBe(204);
  expect((await call('GET', `/${id}/codes.csv`)).status).toBe(200);
  expect((await call('DELETE', `/${id}`)).status).toBe(204);
}
