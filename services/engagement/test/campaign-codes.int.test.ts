import { randomUUID } from 'node:crypto';
import { newId } from '@storefront/contracts';
import { noRelay } from '@storefront/mongo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToList } from '../src/promotions/domain/campaigns/codes.ts';
import { openCampaignCodes } from '../src/promotions/store/campaign-codes.ts';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
let people: Engagement['people'];
beforeAll(async () => {
  service = await startEngagement({ instances: 2 });
  people = service.people;
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, instance = 0) =>
  service.request(people.admin, method, `/v1/campaigns${path}`, body, headers, instance);
const create = async (body: object = {}): Promise<string> => {
  const discount = { type: 'percentage', percent: 10, target: 'order' };
  const answer = await call('POST', '', { name: 'Spring', trigger: 'code', discount, ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id;
};
const stored = () => service.collection('campaign_codes');
const countOf = (campaignId: string) => stored().countDocuments({ campaignId });
const fieldsOf = ({ body }: { body: any }) =>
  (body.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);

describe('own codes', () => {
  it('are added in upper case, in the order given', async () => {
    const id = await create();
    const body = { codes: ['spring26', ' Tea-Time '], usesPerCode: 3 };
    const { status, headers, body: added } = await call('POST', `/${id}/codes`, body);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/campaigns/${id}/codes`);
    expect(added).toEqual({ campaignId: id, count: 2, codes: ['SPRING26', 'TEA-TIME'] });
    const listed = await call('GET', `/${id}/codes`);
    expect(listed.body).toEqual({
      data: ['SPRING26', 'TEA-TIME'].map((code) => ({
        code,
        uses: 0,
        maximumUses: 3,
        endedAt: null,
        createdAt: expect.any(String),
      })),
      nextCursor: null,
    });
  });

  it('are unique among all campaigns: all that are taken are named, and none is added', async () => {
    const [one, other] = [await create(), await create()];
    await call('POST', `/${one}/codes`, { codes: ['TAKEN-1', 'TAKEN-2'] });
    const answer = await call('POST', `/${other}/codes`, { codes: ['free-1', 'taken-1', 'free-2', 'taken-2'] });
    expect(answer).toMatchObject({ status: 409, body: { code: 'code_taken' } });
    expect(fieldsOf(answer)).toEqual(['/codes/1 code_taken', '/codes/3 code_taken']);
    expect(await countOf(other)).toBe(0);
  });

  it('go to one campaign, however many ask for them at once', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => create()));
    const codes = Array.from({ length: 50 }, (_, at) => `RACE-${at}`);
    const answers = await Promise.all(
      ids.map((id, at) => call('POST', `/${id}/codes`, { codes: at % 2 ? codes : codes.toReversed() }, {}, at % 2)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    expect(await stored().countDocuments({ _id: /^RACE-/ })).toBe(50);
    expect(await stored().distinct('campaignId', { _id: /^RACE-/ })).toHaveLength(1);
  });

  it.each([
    [{}, ' invalid_value'],
    [{ codes: ['GOOD-1'], generate: { count: 1 } }, ' invalid_value'],
    [{ codes: [] }, '/codes too_small'],
    [{ codes: ['SAME', 'other', 'same', 'Same'] }, '/codes/2 duplicate', '/codes/3 duplicate'],
    [
      { codes: ['=1+1', 'ab', 'GOOD-1', '-AB'] },
      '/codes/0 invalid_format',
      '/codes/1 invalid_format',
      '/codes/3 invalid_format',
    ],
    [{ codes: ['A'.repeat(33), 'TÖPFE'] }, '/codes/0 invalid_format', '/codes/1 invalid_format'],
    [{ codes: ['GOOD-1'], usesPerCode: 0 }, '/usesPerCode too_small'],
    [{ generate: { count: 10_001, length: 5 } }, '/generate/count too_big', '/generate/length too_small'],
    [{ generate: { count: 1, prefix: '-X' } }, '/generate/prefix invalid_format'],
    [{ generate: { count: 1, prefix: 'A'.repeat(14), length: 19 } }, '/generate/length invalid_value'],
    [{ generate: { count: 1 }, usesPerCode: 1 }, '/usesPerCode invalid_value'],
  ])('refuses %o: %s', async (body, ...errors) => {
    const id = await create();
    const answer = await call('POST', `/${id}/codes`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(fieldsOf(answer)).toEqual(errors);
    expect(await countOf(id)).toBe(0);
  });
});

describe('random codes', () => {
  it('are as many as wanted, with prefix and length, none of signs that are taken for each other', async () => {
    const id = await create();
    const { status, body } = await call('POST', `/${id}/codes`, {
      generate: { count: 300, prefix: 'may-', length: 8, usesPerCode: 1 },
    });
    expect(status).toBe(201);
    expect(body.count).toBe(300);
    expect(new Set(body.codes).size).toBe(300);
    expect(body.codes.filter((code: string) => !/^MAY-[2-9A-HJKMNP-Z]{8}$/.test(code))).toEqual([]);
    expect(await stored().countDocuments({ campaignId: id, maximumUses: 1, uses: 0 })).toBe(300);
  });

  it('are 10,000 at once', async () => {
    const id = await create();
    const { status, body } = await call('POST', `/${id}/codes`, { generate: { count: 10_000 } });
    expect(status).toBe(201);
    expect(new Set(body.codes).size).toBe(10_000);
    expect(await countOf(id)).toBe(10_000);
  });

  it('are added once under an Idempotency-Key, and answered again', async () => {
    const id = await create();
    const headers = { 'idempotency-key': randomUUID() };
    const adding = { generate: { count: 500 } };
    const [first, second] = await Promise.all([
      call('POST', `/${id}/codes`, adding, headers),
      call('POST', `/${id}/codes`, adding, headers, 1),
    ]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    const third = await call('POST', `/${id}/codes`, adding, headers);
    expect(third.body).toEqual(first.body);
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(third.headers.get('idempotency-changed')).toBeNull();
    expect(await countOf(id)).toBe(500);
  });

  it('are not added a second time by another attempt of the same request', async () => {
    const [campaignId, batch] = [await create(), randomUUID()];
    const store = openCampaignCodes({ database: service.connection, relay: noRelay, now: () => new Date() });
    const attempt = (codes: readonly string[]) =>
      store.add(
        { id: batch, campaignId, maximumUses: null, createdAt: new Date() },
        () => Promise.resolve(codes),
        (list, added) => addToList(list, added, []),
      );
    expect(await attempt(['ATTEMPT-1', 'ATTEMPT-2'])).toEqual(['ATTEMPT-1', 'ATTEMPT-2']);
    expect((await attempt(['ATTEMPT-3'])).toSorted()).toEqual(['ATTEMPT-1', 'ATTEMPT-2']);
    expect(await countOf(campaignId)).toBe(2);
  });

  it('are 100,000 in a campaign at most', async () => {
    const id = await create();
    await service.collection('campaign_code_lists').updateOne({ _id: id }, { $set: { count: 99_999 } });
    expect(await call('POST', `/${id}/codes`, { generate: { count: 2 } })).toMatchObject({
      status: 422,
      body: { code: 'too_many_campaign_codes', detail: 'A campaign has 100,000 codes at most: this one takes 1 more.' },
    });
    expect((await call('POST', `/${id}/codes`, { generate: { count: 1 } })).status).toBe(201);
    expect(await countOf(id)).toBe(1);
  });
});

describe('codes', () => {
  it('belong to a campaign by codes that has not ended', async () => {
    const automatic = await create({ trigger: 'automatic' });
    const over = await create();
    await call('POST', `/${over}/activate`);
    await call('POST', `/${over}/end`);
    const add = async (id: string) => (await call('POST', `/${id}/codes`, { codes: ['NOWHERE'] })).body.code;
    expect(await add(automatic)).toBe('campaign_without_codes');
    expect(await add(over)).toBe('campaign_not_in_state');
    for (const absent of [newId('camp'), 'nonsense']) {
      expect(await add(absent)).toBe('not_found');
      expect((await call('GET', `/${absent}/codes`)).status).toBe(404);
      expect((await call('GET', `/${absent}/codes.csv`)).status).toBe(404);
      expect((await call('DELETE', `/${absent}/codes/NOWHERE`)).status).toBe(404);
    }
    expect(await stored().findOne({ _id: 'NOWHERE' })).toBeNull();
  });

  it('are not left behind by a campaign that is deleted meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await create();
      const [added, gone] = await Promise.all([
        call('POST', `/${id}/codes`, { generate: { count: 300 } }),
        call('DELETE', `/${id}`, undefined, {}, 1),
      ]);
      expect(gone.status).toBe(204);
      expect([201, 404]).toContain(added.status);
      expect(await countOf(id)).toBe(0);
    }
  });

  it('are listed in alphabetical order, page by page', async () => {
    const id = await create();
    await call('POST', `/${id}/codes`, { codes: ['LIST-C', 'LIST-A', 'LIST-D'] });
    await call('POST', `/${id}/codes`, { codes: ['LIST-B'] });
    const first = await call('GET', `/${id}/codes?limit=3`);
    const codesOf = (body: { data: { code: string }[] }) => body.data.map(({ code }) => code);
    expect(codesOf(first.body)).toEqual(['LIST-A', 'LIST-B', 'LIST-C']);
    const second = await call('GET', `/${id}/codes?limit=3&cursor=${first.body.nextCursor}`);
    expect(codesOf(second.body)).toEqual(['LIST-D']);
    expect(second.body.nextCursor).toBeNull();
    const other = await create();
    expect((await call('GET', `/${other}/codes?cursor=${first.body.nextCursor}`)).body.code).toBe('invalid_cursor');
  });

  it('are exported as CSV, all of them', async () => {
    const id = await create();
    await call('POST', `/${id}/codes`, { codes: ['EXPORT-B', 'EXPORT-A'], usesPerCode: 2 });
    expect((await call('DELETE', `/${id}/codes/export-b`)).status).toBe(204);
    await call('POST', `/${id}/codes`, { generate: { count: 2500, prefix: 'Z' } });
    const { status, headers, body } = await call('GET', `/${id}/codes.csv`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="codes-${id}.csv"`);
    const lines: string[] = body.split('\r\n');
    expect(lines).toHaveLength(2504);
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    expect(lines[0]).toBe('code,uses,maximum_uses,ended_at,created_at');
    expect(lines[1]).toMatch(new RegExp(`^EXPORT-A,0,2,,${time}$`));
    expect(lines[2]).toMatch(new RegExp(`^EXPORT-B,0,2,${time},${time}$`));
    expect(lines[3]).toMatch(new RegExp(`^Z[A-Z0-9]{10},0,,,${time}$`));
    expect(lines.slice(1, -1)).toEqual(lines.slice(1, -1).toSorted());
    expect(lines.at(-1)).toBe('');
  });

  it('end for good: listed as ended, and nobody else gets them', async () => {
    const [id, other] = [await create(), await create()];
    await call('POST', `/${id}/codes`, { codes: ['OVER-1', 'OVER-2'] });
    expect((await call('DELETE', `/${other}/codes/OVER-1`)).status).toBe(404);
    expect((await call('DELETE', `/${id}/codes/over-1`)).status).toBe(204);
    const [ended] = (await call('GET', `/${id}/codes`)).body.data;
    expect(ended).toMatchObject({ code: 'OVER-1', endedAt: expect.any(String) });
    expect((await call('DELETE', `/${id}/codes/OVER-1`)).status).toBe(204);
    expect((await call('GET', `/${id}/codes`)).body.data[0]).toEqual(ended);
    expect((await call('POST', `/${other}/codes`, { codes: ['OVER-1'] })).status).toBe(409);
    for (const absent of ['OVER-3', '*', '%20'])
      expect((await call('DELETE', `/${id}/codes/${absent}`)).status).toBe(404);
  });

  it('are for administrators', async () => {
    const id = await create();
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', '.csv'],
      ['DELETE', '/SPRING26'],
    ] as const) {
      const to = (who: Parameters<Engagement['request']>[0]) =>
        service.request(who, method, `/v1/campaigns/${id}/codes${path}`, method === 'POST' ? {} : undefined);
      expect((await to(null)).status).toBe(401);
      expect((await to(people.ada)).status).toBe(403);
    }
  });
});
