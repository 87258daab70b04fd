import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalog, storedProduct, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const remove = (id: string, query = '') => catalog.call('admin', 'DELETE', `/v1/categories/${id}${query}`);
const productOf = async (id: string) => (await catalog.call('admin', 'GET', `/v1/products/${id}`)).body;
const categoryOf = (id: string) => catalog.call('admin', 'GET', `/v1/categories/${id}`);
const nothing = {
  childrenReassigned: 0,
  productsReassigned: 0,
  productsRemoved: 0,
  productsUncategorised: 0,
};

describe('deleting an empty category', () => {
  it('answers what it did, publishes it, and frees its slug', async () => {
    const parent = await catalog.category();
    const category = await catalog.category({ name: 'Short-lived', parentId: parent.id });
    const answer = await remove(category.id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { id: category.id, deleted: true, dryRun: false, strategy: 'reject', categoriesDeleted: 1, ...nothing },
    ]);
    expect((await categoryOf(category.id)).status).toBe(404);
    expect((await remove(category.id)).status).toBe(404);
    const event = await eventually(() => catalog.eventsOf(category.id)[1], 'the event of the deletion');
    expect(event).toMatchObject({
      type: 'catalog.category-deleted',
      data: { id: category.id, name: 'Short-lived', slug: 'short-lived' },
    });
    expect((await catalog.category({ name: 'Short-lived' })).slug).toBe('short-lived');
    // The parent has no children any more.
    expect((await remove(parent.id)).status).toBe(200);
  });

  it('honours If-Match and refuses odd ids and queries', async () => {
    const { id } = await catalog.category();
    const stale = await catalog.call('admin', 'DELETE', `/v1/categories/${id}`, undefined, { 'if-match': '"9"' });
    expect(stale.status).toBe(412);
    for (const odd of ['cat_1', newId('cat'), newId('prod')]) expect((await remove(odd)).status).toBe(404);
    for (const query of [
      '?strategy=burn',
      '?strategy=reassign',
      `?to=${newId('cat')}`,
      `?strategy=cascade&to=${newId('cat')}`,
      '?strategy=reassign&to=1',
      '?dryRun=maybe',
      '?force=true',
    ]) {
      expect([query, (await remove(id, query)).status]).toEqual([query, 400]);
    }
    expect((await categoryOf(id)).status).toBe(200);
  });
});

async function shop() {
  const top = await catalog.category();
  const filled = await catalog.category({ parentId: top.id });
  const child = await catalog.category({ parentId: filled.id });
  const grandchild = await catalog.category({ parentId: child.id });
  const other = await catalog.category();
  const alone = await catalog.product({ categoryIds: [filled.id] });
  const both = await catalog.product({ categoryIds: [filled.id, other.id], status: 'draft' });
  const lower = await catalog.product({ categoryIds: [grandchild.id] });
  return { top, filled, child, grandchild, other, alone, both, lower };
}

describe('deleting a category with something in it', () => {
  it('is refused without a strategy, with what is in it', async () => {
    const { filled } = await shop();
    for (const query of ['', '?strategy=reject', '?dryRun=true']) {
      const { status, body } = await remove(filled.id, query);
      expect([status, body.code]).toEqual([409, 'category_not_empty']);
      expect(body.detail).toContain('1 sub-categories and 2 products');
    }
  });

  it('reassigns sub-categories and products', async () => {
    const { filled, child, grandchild, other, alone, both, lower } = await shop();
    const expected = { categoriesDeleted: 1, ...nothing, childrenReassigned: 1, productsReassigned: 2 };
    const preview = await remove(filled.id, `?strategy=reassign&to=${other.id}&dryRun=true`);
    expect(preview.body).toEqual({
      id: filled.id,
      deleted: false,
      dryRun: true,
      strategy: 'reassign',
      ...expected,
    });
    expect((await productOf(alone.id)).categoryIds).toEqual([filled.id]);

    const answer = await remove(filled.id, `?strategy=reassign&to=${other.id}`);
    expect(answer.body).toEqual({ id: filled.id, deleted: true, dryRun: false, strategy: 'reassign', ...expected });
    expect((await productOf(alone.id)).categoryIds).toEqual([other.id]);
    expect((await productOf(both.id)).categoryIds).toEqual([other.id]);
    expect((await productOf(lower.id)).categoryIds).toEqual([grandchild.id]);
    expect((await categoryOf(child.id)).body).toMatchObject({ parentId: other.id, path: [other.id] });
    expect((await categoryOf(grandchild.id)).body.path).toEqual([other.id, child.id]);
    // One of its own, and the one of the category that moved along; the third is not active.
    expect((await categoryOf(other.id)).body.productCount).toBe(2);
    const event = await eventually(() => catalog.eventsOf(alone.id)[1], 'the event of the reassigned product');
    expect(event).toMatchObject({
      type: 'catalog.product-changed',
      sequence: 2,
      data: { id: alone.id, categoryIds: [other.id] },
    });
  });

  it('cascades to sub-categories and takes the products out, but deletes none', async () => {
    const { top, filled, child, grandchild, other, alone, both, lower } = await shop();
    const expected = {
      ...nothing,
      categoriesDeleted: 3,
      productsRemoved: 3,
      productsUncategorised: 2,
    };
    expect((await remove(filled.id, '?strategy=cascade&dryRun=true')).body).toMatchObject(expected);
    expect((await remove(filled.id, '?strategy=cascade')).body).toEqual({
      id: filled.id,
      deleted: true,
      dryRun: false,
      strategy: 'cascade',
      ...expected,
    });
    for (const { id } of [filled, child, grandchild]) expect((await categoryOf(id)).status).toBe(404);
    expect((await productOf(alone.id)).categoryIds).toEqual([]);
    expect((await productOf(both.id)).categoryIds).toEqual([other.id]);
    expect((await productOf(lower.id)).categoryIds).toEqual([]);
    expect((await remove(top.id)).status).toBe(200);
  });

  it('refuses a target that is not there, itself, or below it', async () => {
    const { filled, child, grandchild } = await shop();
    for (const to of [newId('cat'), filled.id, child.id, grandchild.id]) {
      const { status, body } = await remove(filled.id, `?strategy=reassign&to=${to}`);
      expect([status, body.code]).toEqual([422, 'invalid_target']);
    }
  });

  it('empties a category of more products than one transaction takes', async () => {
    const from = await catalog.category();
    const to = await catalog.category();
    const total = 1203;
    await catalog.collection('products').insertMany(
      Array.from({ length: total }, (_, index) => ({
        ...storedProduct,
        _id: newId('prod'),
        sku: `MANY-${index}`,
        slug: `many-${index}`,
        categoryIds: [from.id],
      })),
    );
    await catalog.connection
      .collection<any>('categories')
      .updateOne({ _id: from.id }, { $inc: { products: total, activeProducts: total } });
    const { body } = await remove(from.id, `?strategy=reassign&to=${to.id}`);
    expect(body).toMatchObject({ deleted: true, productsReassigned: total });
    expect((await categoryOf(to.id)).body.productCount).toBe(total);
  });
});

describe('a category that is deleted while something comes into it', () => {
  it('never leaves a product in a deleted category', async () => {
    for (let round = 0; round < 15; round += 1) {
      const category = await catalog.category();
      const movers = await Promise.all([catalog.product(), catalog.product(), catalog.product()]);
      const strategy = round % 2 === 0 ? 'cascade' : 'reject';
      const [deletion, created, ...moves] = await Promise.all([
        remove(category.id, `?strategy=${strategy}`),
        catalog.call('admin', 'POST', '/v1/products', {
          sku: `RACE-${round}`,
          name: 'Racer',
          price: { amount: 1, currency: 'EUR' },
          categoryIds: [category.id],
        }),
        ...movers.map(({ id }) => catalog.call('admin', 'PATCH', `/v1/products/${id}`, { categoryIds: [category.id] })),
      ]);
      expect([200, 409]).toContain(deletion.status);
      for (const answer of [created, ...moves]) {
        expect([200, 201, 400]).toContain(answer.status);
        expect(answer.body.errors?.[0].code).toBe(answer.status === 400 ? 'unknown_category' : undefined);
      }
      const inIt = await catalog.connection
        .collection<any>('products')
        .countDocuments({ categoryIds: category.id, deletedAt: { $exists: false } });
      const still = await catalog.collection('categories').findOne({ _id: category.id });
      const isGone = deletion.status === 200;
      expect(isGone ? inIt : still?.products).toBe(isGone ? 0 : inIt);
    }
  });

  it('never leaves a sub-category under a deleted category', async () => {
    for (let round = 0; round < 10; round += 1) {
      const category = await catalog.category();
      const elsewhere = await catalog.category();
      const answers = await Promise.all([
        remove(category.id),
        catalog.call('admin', 'POST', '/v1/categories', { name: `Late ${round}`, parentId: category.id }),
        catalog.call('admin', 'PATCH', `/v1/categories/${elsewhere.id}`, { parentId: category.id }),
      ]);
      const under = await catalog.connection
        .collection<any>('categories')
        .countDocuments({ parentId: category.id, deletedAt: { $exists: false } });
      const late = answers.slice(1).filter(({ status }) => status < 300).length;
      // It was deleted and both were refused; or the deletion was refused and both are there.
      expect([answers[0].status, under]).toEqual(late === 0 ? [200, 0] : [409, late]);
    }
  });
});
