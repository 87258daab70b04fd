import { noRelay } from '@storefront/mongo';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSnapshots } from '../src/commands/read-snapshots.ts';
import { openStore } from '../src/store/collections.ts';
import { startCatalog, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

it('publishes a snapshot of every category and then of every product, and the last facts of deleted ones', async () => {
  const { call, now } = catalog;
  const root = await catalog.category({ name: 'Kitchen' });
  const child = await catalog.category({ name: 'Cups', parentId: root.id });
  const gone = await catalog.category({ name: 'Plates', parentId: root.id });
  const below = await catalog.category({ name: 'Soup plates', parentId: gone.id });
  const mug = await catalog.product({ name: 'Mug', categoryIds: [child.id], stock: 2, status: 'active' });
  const old = await catalog.product({ name: 'Old mug', status: 'active', stock: 1 });
  expect((await call('admin', 'PATCH', `/v1/categories/${child.id}`, { name: 'Mugs' })).status).toBe(200);
  expect((await call('admin', 'DELETE', `/v1/categories/${gone.id}?strategy=cascade`)).status).toBe(200);
  expect((await call('admin', 'DELETE', `/v1/products/${old.id}`)).status).toBe(204);

  const store = await openStore({ database: catalog.connection, now, relay: noRelay });
  const read = (after: string | undefined, limit: number) => readSnapshots({ ...store, now }, after, limit);
  const published = await read(undefined, 100);
  const versionOf = async (collection: string, id: string) =>
    (await catalog.collection(collection).findOne({ _id: id })).version;
  /** The version of the deletion's event. */
  const deletedAt = async (id: string) =>
    (await eventually(() => catalog.eventsOf(id).find(({ type }) => type.endsWith('-deleted')), 'the deletion'))
      .sequence;
  const category = (id: string, name: string, slug: string, path: readonly string[], deleted = false) => ({
    type: 'catalog.category-snapshot',
    subject: id,
    data: { id, name, slug, parentId: path.at(-1) ?? null, path, isActive: true, deleted },
  });
  const expected = [
    { ...category(root.id, 'Kitchen', 'kitchen', []), sequence: await versionOf('categories', root.id) },
    { ...category(child.id, 'Mugs', 'cups', [root.id]), sequence: await versionOf('categories', child.id) },
    { ...category(gone.id, 'Plates', 'plates', [root.id], true), sequence: await deletedAt(gone.id) },
    {
      ...category(below.id, 'Soup plates', 'soup-plates', [root.id, gone.id], true),
      sequence: await deletedAt(below.id),
    },
    {
      type: 'catalog.product-snapshot',
      subject: mug.id,
      sequence: await versionOf('products', mug.id),
      data: { name: 'Mug', categoryIds: [child.id], stock: 2, available: true, deleted: false },
    },
    {
      type: 'catalog.product-snapshot',
      subject: old.id,
      sequence: await deletedAt(old.id),
      data: { name: 'Old mug', status: 'active', available: false, deleted: true },
    },
  ];
  expect(published).toMatchObject(expected.toSorted((one, other) => (one.subject < other.subject ? -1 : 1)));

  // By pages, which may begin and end anywhere, it is the same.
  for (const limit of [1, 2, 4]) {
    const pages: string[][] = [];
    for (let page = await read(undefined, limit); page.length > 0; page = await read(page.at(-1)?.subject, limit))
      pages.push(page.map(({ subject }) => subject));
    expect(pages.flat()).toEqual(published.map(({ subject }) => subject));
    expect(pages.every(({ length }) => length <= limit)).toBe(true);
  }
});
