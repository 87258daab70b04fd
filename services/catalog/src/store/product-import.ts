import { catalogHttp, newId } from '@storefront/contracts';
import { inTransaction } from '@storefront/outbox';
import type { Transaction } from '@storefront/outbox';
import type { ImportRow, RefusedRow } from '../domain/import-row.ts';
import { readRow } from '../domain/import-row.ts';
import { newProduct, skuKey, withChange } from '../domain/product.ts';
import { slugCandidates } from '../domain/slug.ts';
import { firstFree, readClaims, release } from './claims.ts';
import { living } from './collections.ts';
import type { Collections } from './collections.ts';
import { changeProducts } from './product-changes.ts';
import type { Become } from './product-changes.ts';

/** A row of the file with its number there, as a spreadsheet counts. */
export interface NumberedRow {
  readonly number: number;
  readonly row: unknown;
}

export interface ImportReport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: readonly NumberedRefusal[];
}

type NumberedRefusal = RefusedRow & { readonly number: number };
type Tried = ImportRow & { number: number };

// Enough to make a transaction worth its while, and few enough that it is over soon.
const rowsAtOnce = 100;

/**
 * Creates the products of the rows, or changes those whose SKU is there. A row that can't be taken is reported and the
 * others go on. Every hundred rows are one transaction with their events, which the running service publishes; broken off
 * and started again it goes on where it was, for a row that says what is there already changes nothing.
 */
export async function importProducts(
  collections: Collections,
  rows: AsyncIterable<NumberedRow> | Iterable<NumberedRow>,
  { currency, now, progress }: { currency: string; now: () => Date; progress: (done: number) => void },
): Promise<ImportReport> {
  const seen = new Map<string, number>();
  let report: ImportReport = { created: 0, changed: 0, unchanged: 0, refused: [] };
  let done = 0;
  let batch: Tried[] = [];

  for await (const { number, row } of rows) {
    const read = readRow(row, currency);
    const earlier = 'reasons' in read ? undefined : seen.get(skuKey(read.sku));
    if ('reasons' in read) refuse({ ...read, number });
    else if (earlier !== undefined)
      refuse({ number, sku: read.sku, reasons: [`sku: stands in row ${earlier} already`] });
    else {
      seen.set(skuKey(read.sku), number);
      batch.push({ ...read, number });
    }
    if (batch.length === rowsAtOnce) await write();
  }
  if (batch.length > 0) await write();
  return { ...report, refused: [...report.refused].sort((one, other) => one.number - other.number) };

  function refuse(refused: NumberedRefusal): void {
    report = { ...report, refused: [...report.refused, refused] };
    done += 1;
  }

  async function write(): Promise<void> {
    const tried = batch;
    batch = [];
    const written = await inTransaction(collections.database, (transaction) =>
      writeRows(collections, tried, now(), transaction),
    );
    report = {
      created: report.created + written.created,
      changed: report.changed + written.changed,
      unchanged: report.unchanged + written.unchanged,
      refused: [...report.refused, ...written.refused],
    };
    done += tried.length;
    progress(done);
  }
}

async function writeRows(
  collections: Collections,
  rows: readonly Tried[],
  now: Date,
  transaction: Transaction,
): Promise<ImportReport> {
  const keys = rows.map((row) => skuKey(row.sku));
  const skus = await readClaims(collections.productSkus, keys, transaction);
  const ids = new Map(keys.map((key) => [key, skus.ownerOf(key) ?? newId('prod')]));
  const idOf = (row: Tried) => ids.get(skuKey(row.sku)) ?? '';
  const wanted = rows.flatMap((row) => slugsOf(row, idOf(row)));
  const slugs = await readClaims(collections.productSlugs, wanted, transaction);
  const categories = await categoriesOf(collections, rows, transaction);
  const refused: NumberedRefusal[] = [];
  const become = new Map<string, Become>();

  for (const row of rows) {
    const id = idOf(row);
    const isNew = skus.ownerOf(skuKey(row.sku)) === undefined;
    const reasons = objections(row, isNew, (name) => categories.has(name));
    if (row.given.slug !== undefined && !slugs.isFree(row.given.slug, id))
      reasons.push('slug: belongs to another product');
    if (reasons.length > 0) {
      refused.push({ number: row.number, sku: row.sku, reasons });
      continue;
    }
    const given = { ...row.given, ...inCategories(row, categories) };
    const slug = isNew || row.given.slug !== undefined ? firstFree(slugs, slugsOf(row, id), id) : undefined;
    skus.take(skuKey(row.sku), id);
    if (slug !== undefined) slugs.take(slug, id);
    become.set(id, (_id, current) => {
      if (current) return withChange(current, given, now);
      return newProduct(catalogHttp.productCreation.parse({ ...given, sku: row.sku }), { id, slug: slug ?? id, now });
    });
  }

  await skus.write();
  await slugs.write();
  const changes = await changeProducts(collections, transaction, [...become.keys()], (id, current, version) =>
    (become.get(id) ?? keep)(id, current, version),
  );
  for (const { before, after } of changes) {
    if (before && after && before.slug !== after.slug)
      await release(collections.productSlugs, [before.slug], after.id, transaction);
  }
  const created = changes.filter(({ before }) => before === null).length;
  const unchanged = changes.filter(({ before, after }) => before !== null && before === after).length;
  return { created, unchanged, changed: changes.length - created - unchanged, refused };
}

/** The slugs that the row may come to have, the best first. */
function slugsOf({ given }: Tried, id: string): string[] {
  if (given.slug !== undefined) return [given.slug];
  return given.name === undefined ? [] : slugCandidates(given.name, id);
}

function objections({ given, categories }: Tried, isNew: boolean, isCategory: (name: string) => boolean): string[] {
  const unknown = categories?.filter((name) => !isCategory(name)) ?? [];
  return [
    ...unknown.map((name) => `categories: there is no ${name}`),
    ...(isNew && given.name === undefined ? ['name: is required for a new product'] : []),
    ...(isNew && given.price === undefined ? ['price: is required for a new product'] : []),
  ];
}

function inCategories({ categories: names }: Tried, ids: ReadonlyMap<string, string>): { categoryIds?: string[] } {
  return names === undefined ? {} : { categoryIds: [...new Set(names.flatMap((name) => ids.get(name) ?? []))] };
}

const keep: Become = (_id, current) => current;

/** The categories that rows name, by what they name them: id or slug. */
async function categoriesOf(
  { categories, categorySlugs }: Collections,
  rows: readonly Tried[],
  transaction: Transaction,
): Promise<Map<string, string>> {
  const names = [...new Set(rows.flatMap((row) => row.categories ?? []))];
  const slugs = await readClaims(categorySlugs, names, transaction);
  const ids = names.filter((name) => slugs.ownerOf(name) === undefined);
  const found = await categories
    .find({ _id: { $in: ids }, ...living }, { session: transaction.session, projection: { _id: 1 } })
    .toArray();
  const known = new Set(found.map(({ _id }) => _id));
  return new Map(
    names.flatMap((name) => {
      const id = slugs.ownerOf(name) ?? (known.has(name) ? name : undefined);
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}
