import { catalogHttp, newId, operator } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import { auditOfPrices } from '../domain/audit.ts';
import { readRow, rowErrors, slugsOfRow } from '../domain/import-row.ts';
import type { ImportRow, RefusedRow } from '../domain/import-row.ts';
import { newProduct, skuKey, withChange } from '../domain/product.ts';
import { beginImport, finishImport } from '../domain/product-import.ts';
import type { Store } from '../store/collections.ts';
import { saveProducts } from './save-products.ts';
import type { NextState, SaveNeeds } from './save-products.ts';

interface Needs extends SaveNeeds, Pick<Store, 'inTransaction' | 'imports'> {
  readonly now: () => Date;
  /** The shop's. */
  readonly currency: string;
}

/** A row of the file with its number, counted as a spreadsheet does. */
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
type ReadRow = ImportRow & { readonly number: number };

// Large enough for few transactions, and small enough for short ones.
const rowsPerTransaction = 100;

/**
 * Creates the products of the rows, or changes those with the same SKU. Rows that can't be imported are reported, and
 * the others are imported. A hundred rows are one transaction with their events, which the running service publishes.
 * An interrupted import can be repeated: rows that were imported change nothing. `progress` gets the number of rows
 * done. For the audit log, the import is an entry at its beginning and one at its end, and so is each price that changes.
 */
export async function importProducts(
  needs: Needs,
  rows: AsyncIterable<NumberedRow> | Iterable<NumberedRow>,
  progress: (done: number) => void,
): Promise<ImportReport> {
  const seen = new Map<string, number>();
  let report: ImportReport = { created: 0, changed: 0, unchanged: 0, refused: [] };
  let done = 0;
  let batch: ReadRow[] = [];
  const importId = newId('imp');
  const begun = await needs.imports.change(importId, () => beginImport(importId, needs.now()));

  for await (const { number, row } of rows) {
    const read = readRow(row, needs.currency);
    const earlier = 'reasons' in read ? undefined : seen.get(skuKey(read.sku));
    if ('reasons' in read) refuse({ ...read, number });
    else if (earlier !== undefined)
      refuse({ number, sku: read.sku, reasons: [`sku: stands in row ${earlier} already`] });
    else {
      seen.set(skuKey(read.sku), number);
      batch.push({ ...read, number });
    }
    if (batch.length === rowsPerTransaction) await write();
  }
  if (batch.length > 0) await write();
  const counts = { ...report, refused: report.refused.length };
  const known = { state: begun.result, version: begun.version };
  await needs.imports.change(importId, (current) => finishImport(current, importId, counts, needs.now()), known);
  return { ...report, refused: report.refused.toSorted((one, other) => one.number - other.number) };

  function refuse(refused: NumberedRefusal): void {
    report = { ...report, refused: [...report.refused, refused] };
    done += 1;
  }

  async function write(): Promise<void> {
    const complete = batch;
    batch = [];
    const written = await needs.inTransaction((transaction) => writeRows(needs, transaction, complete));
    report = {
      created: report.created + written.created,
      changed: report.changed + written.changed,
      unchanged: report.unchanged + written.unchanged,
      refused: [...report.refused, ...written.refused],
    };
    done += complete.length;
    progress(done);
  }
}

async function writeRows(needs: Needs, transaction: Transaction, rows: readonly ReadRow[]): Promise<ImportReport> {
  const now = needs.now();
  const keys = rows.map(({ sku }) => skuKey(sku));
  const skus = await needs.productSkus.read(keys, transaction);
  const ids = new Map(keys.map((key) => [key, skus.ownerOf(key) ?? newId('prod')]));
  const idOf = ({ sku }: ReadRow) => ids.get(skuKey(sku)) ?? '';
  const slugs = await needs.productSlugs.read(
    rows.flatMap((row) => slugsOfRow(row, idOf(row))),
    transaction,
  );
  const names = new Set(rows.flatMap(({ categories = [] }) => categories));
  const categories = await needs.tree.idsByName([...names], transaction);
  const refused: NumberedRefusal[] = [];
  const next = new Map<string, NextState>();

  for (const row of rows) {
    const { number, sku } = row;
    const id = idOf(row);
    const isNew = skus.ownerOf(skuKey(sku)) === undefined;
    const isSlugFree = (slug: string) => slugs.isFree(slug, id);
    const reasons = rowErrors(row, { isNew, isCategory: (name) => categories.has(name), isSlugFree });
    if (reasons.length > 0) {
      refused.push({ number, sku, reasons });
      continue;
    }
    const input = { ...row.input, ...categoryIds(row, categories) };
    skus.take([skuKey(sku)], id);
    // The name of an existing product does not change its slug.
    const slug = isNew || row.input.slug !== undefined ? slugs.take(slugsOfRow(row, id), id) : undefined;
    next.set(id, (_id, current) =>
      current
        ? withChange(current, input, now)
        : newProduct(catalogHttp.productCreation.parse({ ...input, sku }), { id, slug: slug ?? id, now }),
    );
  }

  await needs.productSkus.save(skus, transaction);
  await needs.productSlugs.save(slugs, transaction);
  const saved = await saveProducts(
    needs,
    transaction,
    [...next.keys()],
    (id, current, version) => (next.get(id) ?? keep)(id, current, version),
    (before, after) => auditOfPrices(before, after, operator),
  );
  const created = saved.filter(({ before }) => before === null).length;
  const unchanged = saved.filter(({ before, after }) => before !== null && before === after).length;
  return { created, unchanged, changed: saved.length - created - unchanged, refused };
}

const keep: NextState = (_id, current) => current;

function categoryIds({ categories }: ReadRow, ids: ReadonlyMap<string, string>): { categoryIds?: string[] } {
  return categories === undefined
    ? {}
    : { categoryIds: [...new Set(categories.flatMap((name) => ids.get(name) ?? []))] };
}
