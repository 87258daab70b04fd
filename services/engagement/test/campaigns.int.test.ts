import { randomUUID } from 'node:crypto';
import type { Principal } from '@storefront/access-token';
import { auditEvents, engagementEvents, newId } from '@storefront/contracts';
import { inTransaction } from '@storefront/mongo';
import { eventually, principal } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

const { campaignActivated, campaignEnded } = engagementEvents;

let service: Engagement;
let people: Engagement['people'];
beforeAll(async () => {
  service = await startEngagement({
    instances: 2,
    contracts: [campaignActivated, campaignEnded, auditEvents.engagement],
  });
  people = service.people;
});
afterAll(() => service.close());

const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const eur = (amount: number) => ({ amount, currency: 'EUR' });

const tenth = { type: 'percentage', percent: 10, target: 'order' };
const minimal = { name: 'Spring', trigger: 'automatic', discount: tenth };

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, instance = 0) =>
  service.request(people.admin, method, `/v1/campaigns${path}`, body, headers, instance);
const create = async (body: object = {}) => {
  const answer = await call('POST', '', { ...minimal, ...body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body;
};
const createActive = async (body: object = {}) => {
  const { id } = await create(body);
  return (await call('POST', `/${id}/activate`)).body;
};
const use = (id: string, redemptions: number, amount: number) =>
  service.collection('campaign_usage').updateOne({ _id: id }, { $inc: { redemptions, amount }, $set: { ever: true } });
const fieldsOf = ({ body }: { body: any }) =>
  (body.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);

describe('creating a campaign', () => {
  it('answers a draft with all that was given', async () => {
    const [product, variant, category] = [newId('prod'), newId('var'), newId('cat')];
    const given = {
      name: 'Teapots in spring',
      description: 'A tenth off all teapots.',
      trigger: 'code',
      discount: {
        type: 'percentage',
        percent: 12.35,
        target: 'items',
        items: {
          variants: [variant],
          categories: [category],
          excludedProducts: [product],
          excludedVariants: [newId('var')],
        },
        maximumAmount: { amount: 900, currency: 'USD' },
      },
      conditions: {
        segment: 'trade',
        startsAt: '2026-12-01T00:00:00+01:00',
        endsAt: '2027-01-01T00:00:00Z',
        minimumSubtotal: { amount: 5000, currency: 'USD' },
        minimumQuantity: 3,
        firstOrderOnly: true,
      },
      limits: { total: 1000, perUser: 1, budget: { amount: 500_000, currency: 'USD' } },
      priority: 7,
      combination: 'exclusive',
    };
    const { status, headers, body } = await call('POST', '', given);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/campaigns/${body.id}`);
    expect(headers.get('etag')).toBe('W/"1"');
    expect(body).toEqual({
      ...given,
      id: expect.stringMatching(/^camp_/),
      status: 'draft',
      currency: 'USD',
      conditions: {
        ...given.conditions,
        startsAt: '2026-11-30T23:00:00.000Z',
        endsAt: '2027-01-01T00:00:00.000Z',
      },
      usage: {
        redemptions: 0,
        amount: { amount: 0, currency: 'USD' },
        remaining: { redemptions: 1000, budget: { amount: 500_000, currency: 'USD' } },
      },
      activatedAt: null,
      endedAt: null,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    });
    const read = await call('GET', `/${body.id}`);
    expect(read.body).toEqual(body);
    expect(read.headers.get('etag')).toBe('W/"1"');
  });

  it('takes the defaults, and the currency of the shop where there is no money', async () => {
    expect(await create()).toMatchObject({
      description: null,
      currency: 'EUR',
      discount: tenth,
      conditions: {
        segment: 'all',
        startsAt: null,
        endsAt: null,
        minimumSubtotal: null,
        minimumQuantity: null,
        firstOrderOnly: false,
      },
      limits: { total: null, perUser: null, budget: null },
      priority: 100,
      combination: 'stackable',
      usage: { redemptions: 0, amount: eur(0), remaining: { redemptions: null, budget: null } },
    });
  });

  it.each([
    { type: 'fixed-amount', amount: eur(500), target: 'order' },
    { type: 'free-shipping', maximumAmount: eur(500) },
    { type: 'free-shipping' },
    {
      type: 'buy-x-get-y',
      buy: { quantity: 2, items: { products: [newId('prod')] } },
      get: { quantity: 1, items: { categories: [newId('cat')] }, percent: 0.01 },
      maximumApplications: 3,
    },
  ])('gives the discount %o back as it came', async (discount) => {
    expect((await create({ discount })).discount).toEqual(discount);
  });

  it('creates one under an Idempotency-Key, also where the answer is long', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const items = { products: Array.from({ length: 200 }, () => newId('prod')) };
    const body = { ...minimal, discount: { ...tenth, items } };
    const [first, second] = await Promise.all([call('POST', '', body, headers), call('POST', '', body, headers, 1)]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await service.collection('campaigns').countDocuments({ 'discount.items.products': items.products[0] })).toBe(
      1,
    );
  });

  it('refuses what can not be true, every field at once', async () => {
    const product = newId('prod');
    const answer = await call('POST', '', {
      ...minimal,
      name: '',
      trigger: 'bell',
      discount: {
        type: 'buy-x-get-y',
        buy: { quantity: 1, items: {} },
        get: { quantity: 1, items: { products: [product], excludedProducts: [product] }, percent: 50 },
      },
      conditions: { startsAt: inDays(2), endsAt: inDays(1), minimumSubtotal: { amount: 1, currency: 'USD' } },
      limits: { budget: eur(0) },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(fieldsOf(answer).toSorted()).toEqual([
      '/conditions/endsAt not_after_start',
      '/discount/buy/items items_required',
      '/discount/get/items/excludedProducts/0 named_too',
      '/limits/budget/amount too_small',
      '/limits/budget/currency other_currency',
      '/name too_small',
      '/trigger invalid_value',
    ]);
  });

  it('refuses one more than 2,000 that have not ended, however many come at once', async () => {
    const campaigns = service.collection('campaigns');
    const present = await campaigns.countDocuments({ stage: { $ne: 'ended' } });
    const template = await campaigns.findOne({});
    const filler = Array.from({ length: 1997 - present }, () => ({ ...template, _id: newId('camp'), stage: 'draft' }));
    await campaigns.insertMany(filler);
    try {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => call('POST', '', minimal, {}, at % 2)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(3);
      expect(statuses.filter((status) => status === 422)).toHaveLength(5);
      expect(answers.find(({ status }) => status === 422)?.body.code).toBe('too_many_campaigns');
      const [{ id }] = answers.filter(({ status }) => status === 201).map(({ body }) => body);
      await call('POST', `/${id}/activate`);
      await call('POST', `/${id}/end`);
      expect((await call('POST', '', minimal)).status).toBe(201);
    } finally {
      await campaigns.deleteMany({ _id: { $in: filler.map(({ _id }) => _id) } });
    }
  });

  it('is for administrators', async () => {
    for (const [who, code] of [
      [null, 'authentication_required'],
      [people.ada, 'role_required'],
    ] as const)
      expect((await service.request(who, 'POST', '/v1/campaigns', minimal)).body.code).toBe(code);
  });
});

describe('the life of a campaign', () => {
  const reach = async (state: string): Promise<string> => {
    const { id } = await create(state === 'scheduled' ? { conditions: { startsAt: inDays(1) } } : {});
    const steps: Record<string, string[]> = {
      draft: [],
      scheduled: ['activate'],
      active: ['activate'],
      paused: ['activate', 'pause'],
      ended: ['activate', 'end'],
    };
    for (const step of steps[state] ?? []) expect((await call('POST', `/${id}/${step}`)).status).toBe(200);
    return id;
  };

  it.each([
    ['draft', 'activate', 'active'],
    ['scheduled', 'pause', 'paused'],
    ['scheduled', 'end', 'ended'],
    ['active', 'pause', 'paused'],
    ['active', 'end', 'ended'],
    ['paused', 'activate', 'active'],
    ['paused', 'end', 'ended'],
  ])('goes from %s by %s to %s', async (from, step, to) => {
    const id = await reach(from);
    expect(await call('POST', `/${id}/${step}`)).toMatchObject({ status: 200, body: { id, status: to } });
    expect((await call('GET', `/${id}`)).body.status).toBe(to);
  });

  it.each([
    ['draft', ['pause', 'end']],
    ['scheduled', ['activate']],
    ['active', ['activate']],
    ['paused', ['pause']],
    ['ended', ['activate', 'pause', 'end']],
  ])('stays %s by %o', async (from, steps) => {
    const id = await reach(from);
    for (const step of steps)
      expect(await call('POST', `/${id}/${step}`)).toMatchObject({
        status: 409,
        body: { code: 'campaign_not_in_state' },
      });
    expect((await call('GET', `/${id}`)).body.status).toBe(from);
  });

  it('starts with its activation where no start was given, and keeps the first one', async () => {
    const first = await createActive();
    expect(first.conditions.startsAt).toBe(first.activatedAt);
    expect(Math.abs(Date.parse(first.activatedAt) - Date.now())).toBeLessThan(60_000);
    await call('POST', `/${first.id}/pause`);
    expect((await call('POST', `/${first.id}/activate`)).body).toMatchObject({
      activatedAt: first.activatedAt,
      conditions: { startsAt: first.activatedAt },
    });
  });

  it('is not activated after its end', async () => {
    const { id } = await create({ conditions: { endsAt: '2026-01-01T00:00:00Z' } });
    expect(await call('POST', `/${id}/activate`)).toMatchObject({
      status: 409,
      body: { code: 'campaign_not_in_state', detail: "That can't be done with a campaign that is past its end." },
    });
  });

  it('answers a repetition under the same Idempotency-Key as the first time', async () => {
    const { id } = await create();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await call('POST', `/${id}/activate`, undefined, headers);
    const second = await call('POST', `/${id}/activate`, undefined, headers, 1);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
  });

  it('is changed once, however many ask for it at once', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => call('POST', `/${id}/activate`, undefined, {}, at % 2)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
  });

  it('honours If-Match', async () => {
    const { id } = await create();
    expect(await call('POST', `/${id}/activate`, undefined, { 'if-match': 'W/"2"' })).toMatchObject({ status: 412 });
    const answer = await call('POST', `/${id}/activate`, undefined, { 'if-match': 'W/"1"' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('W/"2"');
    expect((await call('DELETE', `/${id}`, undefined, { 'if-match': 'W/"1"' })).status).toBe(412);
  });

  it('answers 404 for one that does not exist', async () => {
    for (const id of [newId('camp'), 'nonsense'])
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/activate'],
        ['POST', '/pause'],
        ['POST', '/end'],
      ] as const)
        expect((await call(method, `/${id}${path}`, method === 'PATCH' ? { name: 'x' } : undefined)).status).toBe(404);
  });
});

describe('what a change leaves for redemptions and other instances', () => {
  const usageOf = (id: string) => service.collection('campaign_usage').findOne({ _id: id });
  const versionOf = async (id: string) => (await service.collection('campaigns').findOne({ _id: id }))?.version;
  const versions = async () => (await service.collection('campaign_versions').findOne({ _id: 'campaigns' }))?.version;

  it('is the version of the campaign in its usage, and another version of all campaigns', async () => {
    const { id } = await create();
    for (const [method, path, body] of [
      ['POST', '/activate', undefined],
      ['PATCH', '', { name: 'Summer' }],
      ['POST', '/pause', undefined],
      ['POST', '/end', undefined],
    ] as const) {
      const [before, all] = [await versionOf(id), await versions()];
      expect((await call(method, `/${id}${path}`, body)).status).toBe(200);
      expect(await versionOf(id)).toBe(before + 1);
      expect(await usageOf(id)).toMatchObject({ campaignVersion: before + 1 });
      expect(await versions()).toBe(all + 1);
    }
    const all = await versions();
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect(await usageOf(id)).toBeNull();
    expect(await versions()).toBe(all + 1);
  });

  it('is nothing where nothing changes', async () => {
    const { id } = await createActive();
    const all = await versions();
    const answer = await call('PATCH', `/${id}`, { name: 'Spring', discount: tenth, limits: { total: null } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('W/"2"');
    expect(await usageOf(id)).toMatchObject({ campaignVersion: 2 });
    expect(await versions()).toBe(all);
  });

  it('never lets a limit come below what is redeemed meanwhile', async () => {
    const { id } = await createActive({ limits: { total: 1000 } });
    const usages = service.collection('campaign_usage');
    const campaigns = service.collection('campaigns');
    // As a redemption does: it reads the limit and the usage of its snapshot, and counts.
    const redeem = () =>
      inTransaction(service.connection, async ({ session }) => {
        const campaign = await campaigns.findOne({ _id: id }, { session });
        const usage = await usages.findOne({ _id: id }, { session });
        if (usage?.redemptions >= campaign?.limits.total) return false;
        await usages.updateOne({ _id: id }, { $inc: { redemptions: 1 }, $set: { ever: true } }, { session });
        return true;
      });
    let lowered = 0;
    const passed: string[] = [];
    const lower = async () => {
      for (let total = 60; total > 0; total -= 3) {
        const { status } = await call('PATCH', `/${id}`, { limits: { total } }, {}, total % 2);
        if (status === 200) lowered += 1;
        const { body } = await call('GET', `/${id}`);
        if (body.usage.redemptions > body.limits.total) passed.push(JSON.stringify(body.usage));
      }
    };
    const shoppers = Array.from({ length: 4 }, async () => {
      while (await redeem());
    });
    await Promise.all([lower(), ...shoppers]);
    expect(passed).toEqual([]);
    const { body } = await call('GET', `/${id}`);
    expect(body.usage.redemptions).toBe(body.limits.total);
    expect(lowered).toBeGreaterThan(0);
  });
});

describe('changing a campaign', () => {
  it('changes everything of a draft but its trigger', async () => {
    const { id, createdAt } = await create();
    const change = {
      name: 'Summer',
      description: 'Half off.',
      discount: { type: 'fixed-amount', amount: { amount: 300, currency: 'USD' }, target: 'items' },
      conditions: { segment: 'trade', startsAt: '2026-12-01T00:00:00.000Z', minimumQuantity: 2 },
      limits: { total: 5 },
      priority: 1,
      combination: 'exclusive',
    };
    const { status, body } = await call('PATCH', `/${id}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...change, currency: 'USD', status: 'draft', createdAt });
    const again = await call('PATCH', `/${id}`, { conditions: { startsAt: null }, limits: { perUser: 1 } });
    expect(again.body).toMatchObject({
      conditions: { segment: 'trade', startsAt: null, minimumQuantity: 2 },
      limits: { total: 5, perUser: 1 },
    });
    expect(fieldsOf(await call('PATCH', `/${id}`, { name: 'x', trigger: 'code' }))).toEqual(['/trigger unknown_field']);
    expect(fieldsOf(await call('PATCH', `/${id}`, {}))).toEqual([' invalid_value']);
  });

  it('refuses what can not be true together with what is stored', async () => {
    const discount = { type: 'fixed-amount', amount: eur(500), target: 'order' };
    const { id } = await create({ discount, conditions: { startsAt: inDays(3) } });
    const answer = await call('PATCH', `/${id}`, {
      conditions: { endsAt: inDays(2), minimumSubtotal: { amount: 5, currency: 'USD' } },
      limits: { budget: eur(499) },
    });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).toSorted()).toEqual([
      '/conditions/endsAt not_after_start',
      '/conditions/minimumSubtotal/currency other_currency',
      '/limits/budget/amount below_one_use',
    ]);
  });

  it('changes only name, description, end, limits and priority after the activation', async () => {
    const { id, conditions } = await createActive({ conditions: { segment: 'trade' } });
    const refused = await call('PATCH', `/${id}`, {
      name: 'Summer',
      discount: { ...tenth, percent: 20 },
      conditions: {
        segment: 'retail',
        startsAt: inDays(1),
        minimumSubtotal: eur(1),
        minimumQuantity: 1,
        firstOrderOnly: true,
      },
      combination: 'exclusive',
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'campaign_active' } });
    expect(fieldsOf(refused).toSorted()).toEqual(
      [
        '/combination',
        '/conditions/firstOrderOnly',
        '/conditions/minimumQuantity',
        '/conditions/minimumSubtotal',
        '/conditions/segment',
        '/conditions/startsAt',
        '/discount',
      ].map((pointer) => `${pointer} campaign_active`),
    );
    const change = {
      name: 'Summer',
      description: 'Warm.',
      discount: tenth,
      conditions: { segment: 'trade', startsAt: conditions.startsAt, endsAt: '2090-01-01T00:00:00.000Z' },
      limits: { total: 3, perUser: 2, budget: eur(100) },
      priority: 3,
      combination: 'stackable',
    };
    expect(await call('PATCH', `/${id}`, change)).toMatchObject({ status: 200, body: { ...change, status: 'active' } });
    await call('POST', `/${id}/pause`);
    expect((await call('PATCH', `/${id}`, { combination: 'exclusive' })).status).toBe(409);
  });

  it('takes no limit below what is used, and no end that has passed', async () => {
    const { id } = await createActive({ limits: { total: 10, perUser: 3, budget: eur(1000) } });
    await use(id, 4, 400);
    const refused = await call('PATCH', `/${id}`, {
      conditions: { endsAt: '2026-01-01T00:00:00Z' },
      limits: { total: 3, perUser: 2, budget: eur(399) },
    });
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused).toSorted()).toEqual([
      '/conditions/endsAt in_the_past',
      '/conditions/endsAt not_after_start',
      '/limits/budget/amount below_usage',
      '/limits/perUser below_usage',
      '/limits/total below_usage',
    ]);
    const taken = await call('PATCH', `/${id}`, { limits: { total: 4, perUser: 4, budget: eur(400) } });
    expect(taken).toMatchObject({
      status: 200,
      body: { usage: { redemptions: 4, amount: eur(400), remaining: { redemptions: 0, budget: eur(0) } } },
    });
    expect(fieldsOf(await call('PATCH', `/${id}`, { limits: { budget: { amount: 500, currency: 'USD' } } }))).toEqual([
      '/limits/budget/currency other_currency',
    ]);
  });

  it('changes nothing after the end', async () => {
    const { id } = await createActive();
    await call('POST', `/${id}/end`);
    expect(await call('PATCH', `/${id}`, { name: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'campaign_not_in_state' },
    });
  });
});

describe('deleting a campaign', () => {
  it('deletes a draft and one that was never redeemed, with its codes', async () => {
    const { id } = await createActive({ trigger: 'code' });
    await call('POST', `/${id}/codes`, { codes: ['GONE-1'] });
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect(await service.collection('campaign_codes').findOne({ campaignId: id })).toBeNull();
    const other = await create({ trigger: 'code' });
    expect((await call('POST', `/${other.id}/codes`, { codes: ['gone-1'] })).status).toBe(201);
  });

  it('refuses one that was redeemed, also where all was given back', async () => {
    const { id } = await createActive();
    await use(id, 1, 100);
    await use(id, -1, -100);
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 409, body: { code: 'campaign_redeemed' } });
  });
});

describe('events', () => {
  const eventsOf = (id: string, ...types: readonly { type: string }[]) =>
    types.flatMap(({ type }) => service.eventsOf(id, type).map(({ data }) => data));

  it('publishes activations and an end by an administrator', async () => {
    const { id } = await createActive({ conditions: { segment: 'trade', endsAt: '2090-01-01T00:00:00Z' } });
    await call('POST', `/${id}/pause`);
    await call('POST', `/${id}/activate`);
    const { body } = await call('POST', `/${id}/end`);
    expect(body.endedAt).not.toBeNull();
    const activated = {
      name: 'Spring',
      trigger: 'automatic',
      segment: 'trade',
      startsAt: body.conditions.startsAt,
      endsAt: '2090-01-01T00:00:00.000Z',
    };
    const ended = { name: 'Spring', reason: 'ended-by-administrator', endedAt: body.endedAt };
    await eventually(() => eventsOf(id, campaignActivated, campaignEnded).length === 3, 'three events');
    expect(eventsOf(id, campaignActivated, campaignEnded)).toEqual([activated, activated, ended]);
  });

  it('publishes an end by the clock once, however many instances there are', async () => {
    const [active, paused] = [await createActive(), await createActive()];
    await call('POST', `/${paused.id}/pause`);
    const over = new Date(Date.now() - 1000);
    const both = { _id: { $in: [active.id, paused.id] } };
    await service.collection('campaigns').updateMany(both, { $set: { 'conditions.endsAt': over } });
    for (const { id } of [active, paused]) {
      await eventually(() => eventsOf(id, campaignEnded).length > 0, 'the end of the campaign');
      const { body } = await call('GET', `/${id}`);
      expect(body).toMatchObject({ status: 'ended', endedAt: null });
      expect(eventsOf(id, campaignEnded)).toEqual([
        { name: 'Spring', reason: 'end-reached', endedAt: over.toISOString() },
      ]);
    }
    await service.idle();
    expect(eventsOf(active.id, campaignEnded)).toHaveLength(1);
  });

  it('publishes the end of a running campaign that is deleted, and of no other', async () => {
    const [draft, active] = [await create(), await createActive()];
    await call('DELETE', `/${draft.id}`);
    await call('DELETE', `/${active.id}`);
    await eventually(() => eventsOf(active.id, campaignEnded).length > 0, 'the end of the campaign');
    await service.idle();
    expect(eventsOf(draft.id, campaignEnded)).toEqual([]);
  });

  it('records in the audit log who did what', async () => {
    const { id } = await create({ trigger: 'code' });
    await call('PATCH', `/${id}`, { name: 'Summer', priority: 3 });
    await call('POST', `/${id}/codes`, { codes: ['AUDIT-1', 'AUDIT-2'] });
    await call('DELETE', `/${id}/codes/audit-1`);
    await call('DELETE', `/${id}/codes/audit-1`);
    await call('POST', `/${id}/activate`);
    await call('POST', `/${id}/pause`);
    await call('POST', `/${id}/end`);
    await call('DELETE', `/${id}`);
    await eventually(() => eventsOf(id, auditEvents.engagement).length >= 8, 'eight entries');
    const entries = eventsOf(id, auditEvents.engagement);
    expect(entries.map(({ action }): string => action).toSorted()).toEqual([
      'campaign-activated',
      'campaign-changed',
      'campaign-created',
      'campaign-deleted',
      'campaign-ended',
      'campaign-paused',
      'code-ended',
      'codes-added',
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({ actor: { userId: people.admin.sub }, object: { type: 'campaign', id } });
    const detailsOf = (action: string) => entries.find((entry) => entry.action === action)?.details;
    expect(detailsOf('campaign-changed')).toEqual({ name: 'Summer', fields: 'name, priority' });
    expect(detailsOf('codes-added')).toEqual({ name: 'Summer', count: 2 });
    expect(detailsOf('code-ended')).toEqual({ name: 'Summer', code: 'AUDIT-1' });
  });
});

describe('lists', () => {
  const known = new Set<string>();
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id).filter((id) => known.has(id));

  it('answer campaigns newest first, page by page, and by status at the present time', async () => {
    const made: Record<string, string> = {};
    const add = (name: string, id: string) => {
      made[name] = id;
      known.add(id);
    };
    add('draft', (await create({ conditions: { endsAt: '2026-01-01T00:00:00Z' } })).id);
    add('scheduled', (await createActive({ conditions: { startsAt: inDays(1), endsAt: inDays(2) } })).id);
    add('scheduledToo', (await createActive({ conditions: { startsAt: inDays(1) } })).id);
    add('active', (await createActive({ conditions: { endsAt: inDays(1) } })).id);
    add('activeToo', (await createActive()).id);
    add('paused', (await createActive()).id);
    add('ended', (await createActive()).id);
    add('over', (await createActive({ conditions: { endsAt: inDays(1) } })).id);
    add('pausedAndOver', (await createActive({ conditions: { endsAt: inDays(1) } })).id);
    for (const name of ['paused', 'pausedAndOver']) await call('POST', `/${made[name]}/pause`);
    await call('POST', `/${made['ended']}/end`);
    // The end of these has come, and may not be recorded yet.
    const over = { _id: { $in: [made['over'], made['pausedAndOver']] } };
    await service
      .collection('campaigns')
      .updateMany(over, { $set: { 'conditions.endsAt': new Date(Date.now() - 1000) } });

    const byStatus = async (status: string) => {
      const { body } = await call('GET', `?limit=100&status=${status}`);
      expect(body.data.filter((one: { status: string }) => one.status !== status)).toEqual([]);
      return idsOf(body);
    };
    expect(await byStatus('draft')).toEqual([made['draft']]);
    expect(await byStatus('scheduled')).toEqual([made['scheduledToo'], made['scheduled']]);
    expect(await byStatus('active')).toEqual([made['activeToo'], made['active']]);
    expect(await byStatus('paused')).toEqual([made['paused']]);
    expect(await byStatus('ended')).toEqual([made['pausedAndOver'], made['over'], made['ended']]);

    const all: string[] = [];
    let cursor = '';
    do {
      const { body } = await call('GET', `?limit=3${cursor && `&cursor=${cursor}`}`);
      all.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(all.filter((id) => known.has(id))).toEqual(Object.values(made).toReversed());
    expect(new Set(all).size).toBe(all.length);
    const { body } = await call('GET', '?limit=1&status=active');
    expect((await call('GET', `?limit=1&status=draft&cursor=${body.nextCursor}`)).body.code).toBe('invalid_cursor');
  });

  it.each([
    ['?limit=0', 'validation_failed', '/limit'],
    ['?limit=101', 'validation_failed', '/limit'],
    ['?status=over', 'validation_failed', '/status'],
    ['?cursor=nonsense', 'invalid_cursor', '/cursor'],
  ])('refuse %s: %s at %s', async (query, code, pointer) => {
    expect(await call('GET', query)).toMatchObject({
      status: 400,
      body: { code, errors: [{ in: 'query', pointer }] },
    });
  });

  it('are for administrators', async () => {
    expect((await service.request(null, 'GET', '/v1/campaigns')).status).toBe(401);
    expect((await service.request(people.ada, 'GET', '/v1/campaigns')).status).toBe(403);
  });
});

describe('what is on offer', () => {
  const trader = principal('trade');
  const onOffer = (who: Principal | null, query = '', instance = 0) =>
    service.request(who, 'GET', `/v1/campaigns/active${query}`, undefined, {}, instance);
  const names = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name);

  beforeEach(() => service.collection('campaigns').deleteMany({}));

  it('is what runs now without a code, for the segment of the caller, by priority', async () => {
    await createActive({ name: 'for all', priority: 5 });
    await createActive({ name: 'for traders', priority: 4, conditions: { segment: 'trade' } });
    await createActive({ name: 'for consumers', priority: 6, conditions: { segment: 'retail' } });
    await createActive({ name: 'for all, later made', priority: 5 });
    await createActive({ name: 'by code', trigger: 'code' });
    await createActive({ name: 'tomorrow', conditions: { startsAt: inDays(1) } });
    await create({ name: 'draft' });
    const paused = await createActive({ name: 'paused' });
    await call('POST', `/${paused.id}/pause`);
    const consumers = ['for all', 'for all, later made', 'for consumers'];
    for (const who of [null, people.ada, people.admin]) expect(names(await onOffer(who))).toEqual(consumers);
    expect(names(await onOffer(trader))).toEqual(['for traders', 'for all', 'for all, later made']);
    const first = await onOffer(null, '?limit=2');
    expect(names(first)).toEqual(consumers.slice(0, 2));
    expect(names(await onOffer(null, `?limit=2&cursor=${first.body.nextCursor}`))).toEqual(consumers.slice(2));
    expect((await onOffer(trader, `?cursor=${first.body.nextCursor}`)).body.code).toBe('invalid_cursor');
  });

  it('shows no limits and no usage', async () => {
    const { id } = await createActive({ limits: { total: 3, budget: eur(50_000) }, description: 'Warm.' });
    const { status, headers, body } = await onOffer(null);
    expect(status).toBe(200);
    expect(headers.get('vary')).toContain('Authorization');
    expect(body.data).toEqual([
      {
        id,
        name: 'Spring',
        description: 'Warm.',
        discount: tenth,
        conditions: expect.objectContaining({ segment: 'all', endsAt: null }),
        combination: 'stackable',
      },
    ]);
  });

  it('is the same at every instance as soon as a change is answered', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id } = await createActive({ name: `round ${round}` });
      expect(names(await onOffer(null, '', 1))).toEqual([`round ${round}`]);
      expect((await call('POST', `/${id}/end`, undefined, {}, 1)).status).toBe(200);
      expect(names(await onOffer(null, '', 0))).toEqual([]);
    }
  });
});
