import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUrl, startCatalog, statuses, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const codeOf = (answer: { body: { code?: string } }) => answer.body.code;

describe('creating a category', () => {
  it('answers it with every field and publishes it', async () => {
    const parent = await catalog.category({ name: 'Tea' });
    const answer = await catalog.call('admin', 'POST', '/v1/categories', {
      name: '  Grüner Tee & Matcha ',
      parentId: parent.id,
      description: 'From Uji.',
      image: '/v1/products/images/matcha.svg',
      position: 3,
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/categories/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^cat_/),
      name: 'Grüner Tee & Matcha',
      slug: 'gruner-tee-matcha',
      description: 'From Uji.',
      parentId: parent.id,
      position: 3,
      path: [parent.id],
      productCount: 0,
      image: `${apiUrl}/v1/products/images/matcha.svg`,
      isActive: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const event = await eventually(() => catalog.eventsOf(answer.body.id)[0], 'the event of the new category');
    expect(event).toMatchObject({
      type: 'catalog.category-created',
      sequence: 1,
      data: { name: 'Grüner Tee & Matcha', parentId: parent.id, path: [parent.id], isActive: true },
    });
  });

  it('numbers a slug that is taken, and refuses one that was given', async () => {
    const first = await catalog.category({ name: 'Twice' });
    const second = await catalog.category({ name: 'Twice!' });
    expect([first.slug, second.slug]).toEqual(['twice', 'twice-2']);
    const refused = await catalog.call('admin', 'POST', '/v1/categories', { name: 'Other', slug: 'twice' });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'slug_taken']);
  });

  it('gives 30 categories of one name that come at once 30 slugs', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => catalog.category({ name: 'Rush' })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(30);
  });

  it('lets one of 10 have a slug that all of them ask for at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        catalog.call('admin', 'POST', '/v1/categories', { name: `Wanted ${index}`, slug: 'wanted' }),
      ),
    );
    expect(statuses(answers)).toEqual({ 201: 1, 409: 9 });
  });

  it('names every wrong field', async () => {
    const answer = await catalog.call('admin', 'POST', '/v1/categories', {
      name: '',
      slug: 'Not A Slug',
      parentId: 'cat_1',
      image: 'javascript:alert(1)',
      position: -1,
      outbox: [],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/image',
      '/name',
      '/outbox',
      '/parentId',
      '/position',
      '/slug',
    ]);
  });

  it('refuses a parent that is not there, and a tree that is too deep', async () => {
    const lost = await catalog.call('admin', 'POST', '/v1/categories', { name: 'Lost', parentId: newId('cat') });
    expect(lost.body.errors).toMatchObject([{ pointer: '/parentId', code: 'unknown_category' }]);
    let parentId: string | null = null;
    for (let level = 1; level <= 8; level += 1) parentId = (await catalog.category({ parentId })).id;
    const deep = await catalog.call('admin', 'POST', '/v1/categories', { name: 'Deep', parentId });
    expect([deep.status, codeOf(deep)]).toEqual([422, 'category_too_deep']);
  });

  it('makes one category for one Idempotency-Key', async () => {
    const once = () =>
      catalog.call('admin', 'POST', '/v1/categories', { name: 'Once' }, { 'idempotency-key': 'made-once' });
    const answers = await Promise.all(Array.from({ length: 5 }, once));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length).toBe(4);
  });

  it.each([
    ['anonymous', 401, 'authentication_required'],
    ['retail', 403, 'role_required'],
    ['trade', 403, 'role_required'],
  ] as const)('is not for %s', async (who, status, code) => {
    const { id } = await catalog.category();
    for (const [method, path, body] of [
      ['POST', '/v1/categories', { name: 'X' }],
      ['PATCH', `/v1/categories/${id}`, { name: 'X' }],
      ['DELETE', `/v1/categories/${id}`, undefined],
    ] as const) {
      const answer = await catalog.call(who, method, path, body);
      expect([method, answer.status, codeOf(answer)]).toEqual([method, status, code]);
    }
  });
});

describe('reading categories', () => {
  it('lists by position, then name, in pages, with no token', async () => {
    const own = await startCatalog();
    try {
      for (const [name, position] of [
        ['beta', 2],
        ['Zeta', 1],
        ['Ärmel', 2],
        ['alpha', 2],
        ['Gamma', 0],
      ] as const)
        await own.category({ name, position });
      const names: string[] = [];
      let cursor = '';
      do {
        const { body } = await own.call('anonymous', 'GET', `/v1/categories?limit=2${cursor}`);
        names.push(...body.data.map(({ name }: { name: string }) => name));
        cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
      } while (cursor !== '');
      expect(names).toEqual(['Gamma', 'Zeta', 'alpha', 'Ärmel', 'beta']);
    } finally {
      await own.close();
    }
  });

  it('answers the tree, and hides what is below an inactive category from shoppers', async () => {
    const root = await catalog.category({ name: 'Root' });
    const shown = await catalog.category({ name: 'Shown', parentId: root.id });
    const hidden = await catalog.category({ name: 'Hidden', parentId: root.id, isActive: false });
    const under = await catalog.category({ name: 'Under', parentId: hidden.id });
    const find = async (who: 'anonymous' | 'admin') => {
      const { body } = await catalog.call(who, 'GET', '/v1/categories?view=tree');
      return body.data.find(({ id }: { id: string }) => id === root.id);
    };
    expect(await find('anonymous')).toMatchObject({ children: [{ id: shown.id, children: [] }] });
    expect(await find('admin')).toMatchObject({
      children: [{ id: hidden.id, children: [{ id: under.id }] }, { id: shown.id }],
    });
    for (const { id } of [hidden, under]) {
      expect((await catalog.call('anonymous', 'GET', `/v1/categories/${id}`)).status).toBe(404);
      expect((await catalog.call('admin', 'GET', `/v1/categories/${id}`)).status).toBe(200);
    }
    await catalog.call('admin', 'PATCH', `/v1/categories/${hidden.id}`, { isActive: true });
    expect((await catalog.call('anonymous', 'GET', `/v1/categories/${under.id}`)).status).toBe(200);
  });

  it('lists what is directly below one, and the uppermost', async () => {
    const root = await catalog.category();
    const child = await catalog.category({ parentId: root.id });
    await catalog.category({ parentId: child.id });
    const below = await catalog.call('anonymous', 'GET', `/v1/categories?parentId=${root.id}`);
    expect(below.body.data.map(({ id }: { id: string }) => id)).toEqual([child.id]);
    const roots = await catalog.call('anonymous', 'GET', '/v1/categories?parentId=root&limit=100');
    expect(new Set(roots.body.data.map(({ parentId }: { parentId: string | null }) => parentId))).toEqual(
      new Set([null]),
    );
  });

  it('finds one by its slug, where the caller may see it', async () => {
    const teas = await catalog.category({ name: 'Teas by slug' });
    const hidden = await catalog.category({ name: 'Hidden by slug', isActive: false });
    const find = async (slug: string, who: 'anonymous' | 'admin' = 'anonymous') =>
      (await catalog.call(who, 'GET', `/v1/categories?slug=${slug}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await find('teas-by-slug')).toEqual([teas.id]);
    expect(await find('hidden-by-slug')).toEqual([]);
    expect(await find('hidden-by-slug', 'admin')).toEqual([hidden.id]);
    expect(await find('no-such-slug')).toEqual([]);
  });

  it('knows nothing of ids that are malformed or absent, and refuses odd queries', async () => {
    for (const id of ['cat_1', newId('cat'), newId('prod'), '%00', '..%2f..'])
      expect((await catalog.call('anonymous', 'GET', `/v1/categories/${id}`)).status).toBe(404);
    for (const query of ['limit=0', 'limit=x', 'view=graph', 'cursor=abc', 'parentId=1', 'visible=false'])
      expect((await catalog.call('anonymous', 'GET', `/v1/categories?${query}`)).status).toBe(400);
  });

  it('counts its active products, in step with its ETag', async () => {
    const category = await catalog.category();
    const path = `/v1/categories/${category.id}`;
    const etag = (await catalog.call('anonymous', 'GET', path)).headers.get('etag') ?? '';
    const product = await catalog.product({ categoryIds: [category.id] });
    await catalog.product({ categoryIds: [category.id], status: 'draft' });
    const counted = await catalog.call('anonymous', 'GET', path, undefined, { 'if-none-match': etag });
    expect([counted.status, counted.body.productCount]).toEqual([200, 1]);
    await catalog.call('admin', 'PATCH', `/v1/products/${product.id}`, { status: 'archived' });
    expect((await catalog.call('anonymous', 'GET', path)).body.productCount).toBe(0);
    const same = (await catalog.call('anonymous', 'GET', path)).headers.get('etag') ?? '';
    expect((await catalog.call('anonymous', 'GET', path, undefined, { 'if-none-match': same })).status).toBe(304);
  });
});

describe('the products of a branch', () => {
  const countOf = async ({ id }: { id: string }) =>
    (await catalog.call('admin', 'GET', `/v1/categories/${id}`)).body.productCount;
  const listed = async ({ id }: { id: string }) =>
    (await catalog.call('anonymous', 'GET', `/v1/products?category=${id}&limit=100`)).body.data.length;

  it('count in each category above them, once', async () => {
    const root = await catalog.category();
    const [one, other] = [await catalog.category({ parentId: root.id }), await catalog.category({ parentId: root.id })];
    const product = await catalog.product({ categoryIds: [one.id, other.id] });
    await catalog.product({ categoryIds: [other.id] });
    await catalog.product({ categoryIds: [other.id], status: 'draft' });
    expect([await countOf(root), await countOf(one), await countOf(other)]).toEqual([2, 1, 2]);
    await catalog.call('admin', 'PATCH', `/v1/products/${product.id}`, { categoryIds: [other.id] });
    expect([await countOf(root), await countOf(one), await countOf(other)]).toEqual([2, 0, 2]);
  });

  it('move along with it, and out of categories that are deleted', async () => {
    const [from, to] = [await catalog.category(), await catalog.category()];
    const middle = await catalog.category({ parentId: from.id });
    const moving = await catalog.category({ parentId: middle.id });
    await catalog.product({ categoryIds: [moving.id] });
    await catalog.product({ categoryIds: [moving.id, middle.id] });
    const counts = async () => [await countOf(from), await countOf(middle), await countOf(moving), await countOf(to)];
    expect(await counts()).toEqual([2, 2, 2, 0]);
    await catalog.call('admin', 'PATCH', `/v1/categories/${moving.id}`, { parentId: to.id });
    expect(await counts()).toEqual([1, 1, 2, 2]);
    const reassign = `/v1/categories/${middle.id}?strategy=reassign&to=${to.id}`;
    expect((await catalog.call('admin', 'DELETE', reassign)).status).toBe(200);
    expect([await countOf(from), await countOf(to)]).toEqual([0, 2]);
    expect((await catalog.call('admin', 'DELETE', `/v1/categories/${to.id}?strategy=cascade`)).status).toBe(200);
  });

  it('are counted while the branch moves and products come and go', async () => {
    const roots = [await catalog.category(), await catalog.category()] as const;
    const [from, to] = roots;
    const branch = await catalog.category({ parentId: from.id });
    const leaf = await catalog.category({ parentId: branch.id });
    const products = await Promise.all(Array.from({ length: 4 }, () => catalog.product({ categoryIds: [leaf.id] })));
    await Promise.all([
      ...[to, from, to].map(({ id }) =>
        catalog.call('admin', 'PATCH', `/v1/categories/${branch.id}`, { parentId: id }),
      ),
      ...products.map(({ id }, at) =>
        catalog.call('admin', 'PATCH', `/v1/products/${id}`, { categoryIds: [[from, to, leaf, branch][at]?.id] }),
      ),
      ...Array.from({ length: 4 }, () => catalog.product({ categoryIds: [leaf.id] })),
    ]);
    for (const category of [from, to, branch, leaf]) expect(await countOf(category)).toBe(await listed(category));
    expect((await countOf(from)) + (await countOf(to))).toBe(8);
  });
});

describe('changing a category', () => {
  it('moves what is below it along, and publishes each that has another path', async () => {
    const from = await catalog.category();
    const to = await catalog.category();
    const moving = await catalog.category({ parentId: from.id });
    const child = await catalog.category({ parentId: moving.id });
    const moved = await catalog.call('admin', 'PATCH', `/v1/categories/${moving.id}`, { parentId: to.id });
    expect(moved.body).toMatchObject({ parentId: to.id, path: [to.id] });
    expect((await catalog.call('anonymous', 'GET', `/v1/categories/${child.id}`)).body.path).toEqual([
      to.id,
      moving.id,
    ]);
    const last = await eventually(() => catalog.eventsOf(child.id)[1], 'the event of the category below');
    expect(last).toMatchObject({ type: 'catalog.category-changed', data: { path: [to.id, moving.id] } });
    // The old parent is empty now, the new one is not.
    expect((await catalog.call('admin', 'DELETE', `/v1/categories/${to.id}`)).status).toBe(409);
    expect((await catalog.call('admin', 'DELETE', `/v1/categories/${from.id}`)).status).toBe(200);
  });

  it('never makes a cycle', async () => {
    const upper = await catalog.category();
    const middle = await catalog.category({ parentId: upper.id });
    const lower = await catalog.category({ parentId: middle.id });
    for (const parentId of [upper.id, middle.id, lower.id]) {
      const answer = await catalog.call('admin', 'PATCH', `/v1/categories/${upper.id}`, { parentId });
      expect([answer.status, codeOf(answer)]).toEqual([422, 'category_cycle']);
    }
  });

  it('refuses one of two moves that together would make a cycle', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await catalog.category();
      const other = await catalog.category();
      const belowOne = await catalog.category({ parentId: one.id });
      const belowOther = await catalog.category({ parentId: other.id });
      const answers = await Promise.all([
        catalog.call('admin', 'PATCH', `/v1/categories/${one.id}`, { parentId: belowOther.id }),
        catalog.call('admin', 'PATCH', `/v1/categories/${other.id}`, { parentId: belowOne.id }),
      ]);
      expect(statuses(answers)).toEqual({ 200: 1, 422: 1 });
      const { body } = await catalog.call('admin', 'GET', '/v1/categories?view=tree');
      const ids = JSON.stringify(body);
      for (const each of [one, other, belowOne, belowOther]) expect(ids).toContain(`"id":"${each.id}"`);
    }
  });

  it('keeps its slug with another name, frees the old one with another slug', async () => {
    const category = await catalog.category({ name: 'Before' });
    const path = `/v1/categories/${category.id}`;
    expect((await catalog.call('admin', 'PATCH', path, { name: 'After' })).body).toMatchObject({
      name: 'After',
      slug: 'before',
    });
    expect((await catalog.call('admin', 'PATCH', path, { slug: 'after' })).body.slug).toBe('after');
    expect((await catalog.category({ name: 'Before' })).slug).toBe('before');
    const taken = await catalog.call('admin', 'PATCH', path, { slug: 'before' });
    expect([taken.status, codeOf(taken)]).toEqual([409, 'slug_taken']);
  });

  it('honours If-Match and refuses an empty change', async () => {
    const { id } = await catalog.category();
    const path = `/v1/categories/${id}`;
    const stale = await catalog.call('admin', 'PATCH', path, { name: 'X' }, { 'if-match': '"7"' });
    expect([stale.status, codeOf(stale)]).toEqual([412, 'version_mismatch']);
    const fresh = await catalog.call('admin', 'PATCH', path, { name: 'X' }, { 'if-match': '"1"' });
    expect([fresh.status, fresh.headers.get('etag')]).toEqual([200, '"2"']);
    expect((await catalog.call('admin', 'PATCH', path, {})).status).toBe(400);
    expect((await catalog.call('admin', 'PATCH', `/v1/categories/${newId('cat')}`, { name: 'X' })).status).toBe(404);
    const lost = await catalog.call('admin', 'PATCH', path, { parentId: newId('cat') });
    expect(lost.body.errors).toMatchObject([{ pointer: '/parentId', code: 'unknown_category' }]);
  });
});
