import { catalogEvents, newId, ownVariantId, type Event } from '@storefront/contracts';
import { recordQueries, wrongFields } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalogCopies } from '../src/promotions/store/catalog-copies.ts';
import { startEngagement, type Engagement } from './engagement.ts';

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const euros = (amount: number) => ({ amount, currency: 'EUR' });

function product(id: string, more: Partial<catalogEvents.ProductFacts> = {}): catalogEvents.ProductFacts {
  const shown = { image: null, stock: 3, available: true, status: 'active' as const };
  const prices = { price: euros(1999), tradePrice: euros(1450) };
  return { id, sku: id, name: 'Mug', slug: 'mug', categoryIds: [], ...prices, ...shown, ...more };
}
function category(id: string, path: readonly string[], name = 'Cups'): catalogEvents.CategoryFacts {
  return { id, name, slug: id, parentId: path.at(-1) ?? null, path: [...path], isActive: true };
}

const created = (id: string, more: Partial<catalogEvents.ProductFacts> = {}) =>
  service.event(catalogEvents.productCreated, id, product(id, more));
const changed = (id: string, sequence: number, more: Partial<catalogEvents.ProductFacts>) =>
  service.event(catalogEvents.productChanged, id, product(id, more), sequence);
const deleted = (id: string, sequence: number) =>
  service.event(catalogEvents.productDeleted, id, product(id), sequence);
const snapshot = (id: string, sequence: number, more: Partial<catalogEvents.ProductFacts>, isDeleted = false) =>
  service.event(catalogEvents.productSnapshot, id, { ...product(id, more), deleted: isDeleted }, sequence);
const placed = (id: string, sequence: number, path: readonly string[]) =>
  service.event(catalogEvents.categoryChanged, id, category(id, path), sequence);

async function handled(...events: readonly Event[]): Promise<void> {
  await service.publish(...events);
  await service.idle();
}

/** What evaluations of discounts read, by copies that were opened now: nothing is remembered. */
const found = async (id: string) => (await openCatalogCopies({ database: service.connection }).find([id])).get(id);

describe('the copy of a product', () => {
  it('has what discounts need, and follows every change', async () => {
    const id = newId('prod');
    expect(await found(id)).toBeUndefined();
    await handled(created(id));
    expect(await found(id)).toEqual({
      id,
      name: 'Mug',
      categoryIds: [],
      isListed: true,
      variants: [
        {
          id: ownVariantId(id),
          sku: id,
          values: [],
          price: euros(1999),
          tradePrice: euros(1450),
          quantityPrices: [],
          stock: 3,
        },
      ],
    });
    await handled(changed(id, 2, { name: 'Cup', price: euros(1500), tradePrice: null }));
    expect(await found(id)).toMatchObject({
      name: 'Cup',
      isListed: true,
      variants: [{ price: euros(1500), tradePrice: null }],
    });
    await handled(changed(id, 3, { status: 'archived' }));
    expect(await found(id)).toMatchObject({ isListed: false });
  });

  it('has what each variant for sale costs, which an evaluation takes', async () => {
    const [id, small, medium, archived] = [newId('prod'), newId('var'), newId('var'), newId('var')];
    const variant = { sku: 'S', values: ['S'], tradePrice: null, stock: 3, weight: null, status: 'active' as const };
    const variants = [
      { ...variant, id: small, price: euros(1500) },
      { ...variant, id: medium, price: euros(1800), quantityPrices: [{ from: 5, price: euros(1000) }] },
      { ...variant, id: archived, price: euros(100), status: 'archived' as const },
    ];
    await handled(created(id, { variants, quantityPrices: [{ from: 2, price: euros(1200) }] }));
    const trade = {
      segment: 'trade',
      lines: [small, medium].map((variantId) => ({ productId: id, variantId, quantity: 4 })),
    };
    const { body } = await service.request(service.people.admin, 'POST', '/v1/discounts/evaluate', trade);
    expect(body.lines.map(({ unitPrice }: { unitPrice: object }) => unitPrice)).toEqual([euros(1200), euros(1800)]);
    const wrong = {
      lines: [
        { productId: id, quantity: 1 },
        { productId: id, variantId: archived, quantity: 1 },
      ],
    };
    const refused = await service.request(service.people.ada, 'POST', '/v1/discounts/evaluate', wrong);
    expect([refused.status, wrongFields(refused)]).toEqual([
      400,
      { '/lines/0/variantId': 'variant_required', '/lines/1/variantId': 'unknown_variant' },
    ]);
  });

  it('is the newest, whatever comes again or late, and that of a deleted one stays as it was', async () => {
    const id = newId('prod');
    const [first, second, end] = [created(id), changed(id, 2, { name: 'Cup' }), deleted(id, 3)];
    await handled(second, first, second);
    expect(await found(id)).toMatchObject({ name: 'Cup', isListed: true });
    const { version } = await service.collection('products').findOne({ _id: id });
    expect(version).toBe(1);
    await handled(end, second, end);
    expect(await found(id)).toMatchObject({ name: 'Cup', isListed: false });
  });

  it('is corrected, or created, by a snapshot', async () => {
    const [id, gone] = [newId('prod'), newId('prod')];
    await handled(created(id), created(gone), deleted(gone, 2));
    const before = await service.collection('products').find().sort({ _id: 1 }).toArray();
    await service.collection('products').updateOne({ _id: id }, { $set: { 'facts.name': 'Wrong' } });
    await service.collection('products').deleteOne({ _id: gone });
    await handled(snapshot(id, 1, {}), snapshot(gone, 2, { available: false }, true));
    const after = await service.collection('products').find().sort({ _id: 1 }).toArray();
    const without = (documents: any[]) => documents.map(({ version: _version, ...copy }) => copy);
    expect(without(after)).toEqual(without(before));
    // A newer version is a change that the copy had missed.
    await handled(snapshot(id, 5, { name: 'Cup' }), changed(id, 4, { name: 'Late' }));
    expect(await found(id)).toMatchObject({ name: 'Cup' });
  });
});

describe('the categories of a product', () => {
  it('come with all their ancestors, and follow moves and deletions', async () => {
    const [root, other, child, id] = [newId('cat'), newId('cat'), newId('cat'), newId('prod')];
    await handled(created(id, { categoryIds: [child] }));
    expect(await found(id)).toMatchObject({ categoryIds: [child] });
    const start = [category(root, []), category(other, []), category(child, [root])];
    await handled(...start.map((each) => service.event(catalogEvents.categoryCreated, each.id, each)));
    expect(await found(id)).toMatchObject({ categoryIds: [child, root] });
    await handled(placed(child, 3, [other]), placed(child, 2, [root, other]));
    expect(await found(id)).toMatchObject({ categoryIds: [child, other] });
    await handled(service.event(catalogEvents.categoryDeleted, child, category(child, []), 4));
    expect(await found(id)).toMatchObject({ categoryIds: [] });
  });

  it('are corrected, or created, by a snapshot', async () => {
    const [root, child, gone] = [newId('cat'), newId('cat'), newId('cat')];
    const all = [category(root, []), category(child, [root]), category(gone, [root])];
    await handled(...all.map((each) => service.event(catalogEvents.categoryCreated, each.id, each)));
    await handled(service.event(catalogEvents.categoryDeleted, gone, category(gone, []), 2));
    const copies = () => service.collection('categories').find().sort({ _id: 1 }).project({ version: 0 }).toArray();
    const before = await copies();
    await service.collection('categories').updateOne({ _id: child }, { $set: { 'facts.path': [] } });
    await service.collection('categories').deleteMany({ _id: { $in: [root, gone] } });
    await handled(
      ...all.map((each) => {
        const isGone = each.id === gone;
        return service.event(catalogEvents.categorySnapshot, each.id, { ...each, deleted: isGone }, isGone ? 2 : 1);
      }),
    );
    expect(await copies()).toEqual(before);
  });
});

describe('reads of copies', () => {
  it('of many carts at once are few commands', async () => {
    const categoryIds = [newId('cat')];
    const ids = Array.from({ length: 20 }, () => newId('prod'));
    await handled(...ids.map((id) => created(id, { categoryIds })));
    const copies = openCatalogCopies({ database: service.connection });
    const stopRecording = await recordQueries(service.connection);
    const carts = await Promise.all(Array.from({ length: 50 }, () => copies.find(ids)));
    const queries = (await stopRecording()).filter(({ collection }) => collection === 'products');
    expect(carts.map(({ size }) => size)).toEqual(Array.from({ length: 50 }, () => 20));
    expect(queries.length).toBeGreaterThan(0);
    expect(queries.length).toBeLessThanOrEqual(10);
  });

  it('are never older than a second, and find what is new at once', async () => {
    const [id, later, child, root] = [newId('prod'), newId('prod'), newId('cat'), newId('cat')];
    let ms = 0;
    const copies = openCatalogCopies({ database: service.connection }, () => ms);
    const read = async (productId: string) => (await copies.find([productId])).get(productId);
    await handled(created(id, { categoryIds: [child] }), placed(child, 1, []));
    expect(await read(id)).toMatchObject({ name: 'Mug', categoryIds: [child] });
    expect(await read(later)).toBeUndefined();
    await handled(changed(id, 2, { name: 'Cup', categoryIds: [child] }), placed(child, 2, [root]), created(later));
    ms = 999;
    expect(await read(id)).toMatchObject({ name: 'Mug', categoryIds: [child] });
    expect(await read(later)).toMatchObject({ name: 'Mug' });
    ms = 1000;
    expect(await read(id)).toMatchObject({ name: 'Cup', categoryIds: [child, root] });
  });
});
