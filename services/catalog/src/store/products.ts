import type { catalogHttp } from '@storefront/contracts';
import { changed, inTransaction, unchanged } from '@storefront/outbox';
import type { Transaction } from '@storefront/outbox';
import { notFound } from '@storefront/service-kit';
import { skuTaken, slugTaken } from '../domain/errors.ts';
import { assertCurrency, factsOfProduct, newProduct, skuKey, withChange, withStock } from '../domain/product.ts';
import type { Product } from '../domain/product.ts';
import { slugCandidates } from '../domain/slug.ts';
import { claim, claimFirst, release } from './claims.ts';
import { living, toProduct } from './collections.ts';
import type { Collections } from './collections.ts';
import { changeProducts } from './product-changes.ts';

/** A product and its version. */
export interface Versioned {
  readonly product: Product;
  readonly version: number;
}

export interface Products {
  /** `id` names what is created: where it is there already, this was asked for before, and it is the answer. */
  create(id: string, given: catalogHttp.ProductCreation): Promise<Versioned>;
  /** `check` may refuse the version that was found. */
  change(id: string, given: catalogHttp.ProductChange, check: (version: number) => void): Promise<Versioned>;
  remove(id: string, check: (version: number) => void): Promise<void>;
  /** A `key` that was seen before changes nothing. */
  moveStock(
    id: string,
    move: { change: number; reason: string | null; key: string | undefined },
    check: (version: number) => void,
  ): Promise<Versioned>;
}

/** The changes of products. `currency` is the shop's. */
export function createProducts(collections: Collections, now: () => Date, currency: string): Products {
  const { database, productSlugs, productSkus, productAggregates } = collections;

  return {
    create(id, given) {
      assertCurrency(given, currency);
      return inTransaction(database, async (transaction) => {
        const there = await find(id, transaction);
        if (there) return there;
        await claimSku(given.sku, id, transaction);
        const slug = await slugFor(given, id, transaction);
        return changeOne(transaction, id, () => newProduct(given, { id, slug, now: now() }));
      });
    },

    change(id, given, check) {
      assertCurrency(given, currency);
      return inTransaction(database, async (transaction) => {
        const there = await find(id, transaction);
        if (!there) throw notFound('product');
        check(there.version);
        if (given.sku !== undefined) await claimSku(given.sku, id, transaction);
        if (given.slug !== undefined) await claimSlug(given.slug, id, transaction);
        return changeOne(transaction, id, (_id, current) => withChange(current ?? there.product, given, now()));
      });
    },

    async remove(id, check) {
      await inTransaction(database, async (transaction) => {
        const [removed] = await changeProducts(collections, transaction, [id], (_id, current, version) => {
          if (!current) throw notFound('product');
          check(version);
          return null;
        });
        if (!removed?.before) return;
        await release(productSkus, [skuKey(removed.before.sku)], id, transaction);
        await release(productSlugs, [removed.before.slug], id, transaction);
      });
    },

    async moveStock(id, { change, reason, key }, check) {
      // One document, so no transaction: under many at once this is several times as fast.
      const { result, version } = await productAggregates.change(id, (current, version) => {
        if (!current) throw notFound('product');
        if (key === undefined || !current.stockKeys.includes(key)) check(version);
        const next = withStock(current, change, key, now());
        return next === current ? unchanged(current) : changed(next, factsOfProduct(current, next, reason));
      });
      return { product: result, version };
    },
  };

  async function find(id: string, { session }: Transaction): Promise<Versioned | null> {
    const document = await collections.products.findOne({ _id: id, ...living }, { session, projection: { outbox: 0 } });
    return document && { product: toProduct(document), version: document.version };
  }

  async function changeOne(
    transaction: Transaction,
    id: string,
    become: (id: string, current: Product | null, version: number) => Product,
  ): Promise<Versioned> {
    const [change] = await changeProducts(collections, transaction, [id], become);
    if (!change?.after) throw new Error('a product that was changed must be there');
    const { before, after, version } = change;
    if (before && skuKey(before.sku) !== skuKey(after.sku))
      await release(productSkus, [skuKey(before.sku)], id, transaction);
    if (before && before.slug !== after.slug) await release(productSlugs, [before.slug], id, transaction);
    return { product: after, version };
  }

  function claimSku(sku: string, id: string, transaction: Transaction): Promise<void> {
    return claim(productSkus, skuKey(sku), id, () => skuTaken(sku), transaction);
  }

  function claimSlug(slug: string, id: string, transaction: Transaction): Promise<void> {
    return claim(productSlugs, slug, id, () => slugTaken(slug), transaction);
  }

  async function slugFor(given: catalogHttp.ProductCreation, id: string, transaction: Transaction): Promise<string> {
    if (given.slug === undefined) return claimFirst(productSlugs, slugCandidates(given.name, id), id, transaction);
    await claimSlug(given.slug, id, transaction);
    return given.slug;
  }
}
