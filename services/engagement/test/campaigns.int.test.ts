import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement } from './engagement.ts';
import type { Engagement } from './engagement.ts';

let service: Engagement;
let people: Engagement['people'];
beforeAll(async () => {
  service = await startEngagement();
  people = service.people;
});
afterAll(() => service.close());

const list = (query = '', who: Parameters<Engagement['request']>[0] = people.admin) =>
  service.request(who, 'GET', `/v1/campaigns${query}`);

describe('GET /v1/campaigns', () => {
  it('answers an empty page where there are none', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({ data: [], nextCursor: null });
  });

  it('is for administrators', async () => {
    expect(await list('', null)).toMatchObject({ status: 401, body: { code: 'authentication_required' } });
    expect(await list('', people.ada)).toMatchObject({ status: 403, body: { code: 'admin_required' } });
  });

  it.each([
    ['?limit=0', 'validation_failed', '/limit'],
    ['?limit=101', 'validation_failed', '/limit'],
    ['?limit=many', 'validation_failed', '/limit'],
    ['?status=draft', 'validation_failed', '/status'],
    ['?cursor=nonsense', 'invalid_cursor', '/cursor'],
  ])('refuses %s: %s at %s', async (query, code, pointer) => {
    const answer = await list(query);
    expect(answer).toMatchObject({ status: 400, body: { code, errors: [{ in: 'query', pointer }] } });
  });

  it('answers newest first, page by page', async () => {
    const [oldest, middle, newest] = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => ({
      _id: newId('camp'),
      version: 1,
      name: `Campaign of ${day}`,
      status: 'draft',
      createdAt: new Date(day),
      updatedAt: new Date(`${day}T12:00:00Z`),
    }));
    await service.collection('campaigns').insertMany([middle, newest, oldest]);

    const first = await list('?limit=2');
    expect(first.body.data).toEqual([
      {
        id: newest?._id,
        name: 'Campaign of 2026-01-03',
        status: 'draft',
        createdAt: '2026-01-03T00:00:00.000Z',
        updatedAt: '2026-01-03T12:00:00.000Z',
      },
      expect.objectContaining({ id: middle?._id }),
    ]);
    const second = await list(`?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({ data: [expect.objectContaining({ id: oldest?._id })], nextCursor: null });
  });
});
