import { setTimeout as wait } from 'node:timers/promises';
import { catalogHttp, newId, operator } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import { auditOfPrices } from '../domain/audit.ts';
import { readRow, rowErrors, slugsOfRow, type FileRow, type ImportRow, type RefusedRow } from '../domain/import-row.ts';
import { newProduct, skuKey, withChange } from '../domain/product.ts';
import { beginImport, countRows, endImport, type ImportCounts, type ProductImport } from '../domain/product-import.ts';
import type { Store } from '../store/collections.ts';
import { saveProducts, type NextState, type SaveNeeds } from './save-products.ts';

interface Needs extends SaveNeeds, Pick<Store, 'inTransaction' | 'imports'> {
  readonly now: () => Date;
  /** The currency of the shop. */
  readonly currency: string;
}

export interface ImportReport extends ImportCounts {
  readonly refusals: readonly Refusal[];
  /** Null if the import reached the end of the file. */
  readonly interrupted: {
    /** Null if the import was stopped by the operator. */
    readonly error: unknown;
    /** The place of the last row that is done: all rows up to it are stored or refused. Null if no row is done. */
    readonly after: string | null;
    /** True if the audit log has an entry about the end of the import. Otherwise the running service adds it later. */
    readonly isRecorded: boolean;
  } | null;
}

interface Placed {
  /** The number of the row within the file, from 1. */
  readonly number: number;
  readonly place: string;
}
type Refusal = RefusedRow & Placed;
type ReadRow = ImportRow & Placed;
type Written = Omit<ImportCounts, 'refused'> & { readonly refusals: readonly Refusal[] };

// Large enough to need few transactions, and small enough to keep them short.
const rowsPerTransaction = 100;
// The time for which storing the end of the import is retried while the database is unreachable.
const recordForMs = 30_000;
const recordAgainMs = 1000;

/**
 * Creates the products of the rows, or changes the products with the same SKU. Rows that can't be imported are
 * reported, and all others are imported. Each transaction stores a hundred rows with their events; the running service
 * publishes the events. An interrupted import can be repeated, because rows that were already imported change nothing.
 * `progress` gets the number of rows done. `signal` stops the import after the current rows. The audit log gets one
 * entry when the import begins, one when it ends, and one for each changed price. Throws only if the import can't
 * begin.
 */
export async function importProducts(
  needs: Needs,
  rows: Iterable<FileRow>,
  { progress, signal }: { readonly progress: (done: number) => void; readonly signal: AbortSignal },
): Promise<ImportReport> {
  const seen = new Map<string, string>();
  const refusals: Refusal[] = [];
  let batch: ReadRow[] = [];
  let read = 0;
  let done = 0;
  let after: string | null = null;
  let interrupted: { readonly error: unknown } | null = null;
  const importId = newId('imp');
  const begun = await needs.imports.change(importId, () => beginImport(importId, needs.now()), null);
  let counted: ProductImport = begun.result;

  try {
    for (const row of rows) {
      interrupted = signal.aborted ? { error: null } : null;
      if (interrupted) break;
      read += 1;
      take(row, read);
      if (batch.length === rowsPerTransaction) await write();
    }
    if (interrupted === null && batch.length > 0) await write();
  } catch (error) {
    interrupted = { error };
  }
  const isRecorded = await recordEnd();
  const { created, changed, unchanged } = counted;
  const inOrder = refusals.toSorted((one, other) => one.number - other.number);
  const counts = { created, changed, unchanged, refused: refusals.length };
  return { ...counts, refusals: inOrder, interrupted: interrupted && { ...interrupted, after, isRecorded } };

  function take(row: FileRow, number: number): void {
    const { place } = row;
    const taken = 'reasons' in row ? row : readRow(row.row, needs.currency);
    const { sku } = taken;
    if ('reasons' in taken) return refuse({ number, place, sku, reasons: taken.reasons });
    const earlier = seen.get(skuKey(taken.sku));
    if (earlier !== undefined) return refuse({ number, place, sku, reasons: [`sku: stands in ${earlier} already`] });
    seen.set(skuKey(taken.sku), place);
    batch.push({ ...taken, number, place });
  }

  function refuse(refused: Refusal): void {
    refusals.push(refused);
    done += 1;
  }

  async function write(): Promise<void> {
    const complete = batch;
    batch = [];
    const stored = await needs.inTransaction(async (transaction) => {
      const written = await writeRows(needs, transaction, complete);
      const refused = refusals.length + written.refusals.length;
      const [counting] = await needs.imports.changeAll(transaction, [importId], (_id, current) =>
        countRows(current, written, refused, needs.now()),
      );
      return { written, counted: counting?.result };
    });
    counted = stored.counted ?? counted;
    refusals.push(...stored.written.refusals);
    after = complete.at(-1)?.place ?? after;
    done += complete.length;
    progress(done);
  }

  async function recordEnd(): Promise<boolean> {
    const reason = interrupted === null ? null : interrupted.error === null ? 'stopped' : 'failed';
    const end = { refused: refusals.length, interrupted: reason, now: needs.now() } as const;
    const deadline = performance.now() + recordForMs;
    for (;;) {
      try {
        counted = (await needs.imports.change(importId, (current) => endImport(current, end))).result ?? counted;
        return true;
      } catch (error) {
        interrupted ??= { error };
        if (performance.now() > deadline) return false;
        await wait(recordAgainMs);
      }
    }
  }
}

async function writeRows(needs: Needs, transaction: Transaction, rows: readonly ReadRow[]): Promise<Written> {
  const now = needs.now();
  const keys = rows.map(({ sku }) => skuKey(sku));
  const skus = await needs.productSkus.read(keys, transaction);
  const ids = new Map(keys.map((key) => [key, skus.ownerOf(key) ?? newId('prod')]));
  const idOf = ({ sku }: ReadRow) => ids.get(skuKey(sku)) ?? '';
  const found = await needs.products.find(
    { _id: { $in: [...ids.values()] } },
    { fields: ['sku', 'variants'], transaction },
  );
  const known = new Map(found.map(({ state }) => [state.id, state]));
  const slugs = await needs.productSlugs.read(
    rows.flatMap((row) => slugsOfRow(row, idOf(row))),
    transaction,
  );
  const names = new Set(rows.flatMap(({ categories = [] }) => categories));
  const categories = await needs.tree.idsByName([...names], transaction);
  const refusals: Refusal[] = [];
  const next = new Map<string, NextState>();

  for (const row of rows) {
    const { number, place, sku } = row;
    const id = idOf(row);
    const isNew = skus.ownerOf(skuKey(sku)) === undefined;
    const isSlugFree = (slug: string) => slugs.isFree(slug, id);
    const reasons = rowErrors(row, {
      isNew,
      current: known.get(id) ?? null,
      isCategory: (name) => categories.has(name),
      isSlugFree,
    });
    if (reasons.length > 0) {
      refusals.push({ number, place, sku, reasons });
      continue;
    }
    const input = { ...row.input, ...categoryIds(row, categories) };
    skus.take([skuKey(sku)], id);
    // An existing product keeps its slug, even if the row changes its name.
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
  return { created, unchanged, changed: saved.length - created - unchanged, refusals };
}

const keep: NextState = (_id, current) => current;

function categoryIds({ categories }: ReadRow, ids: ReadonlyMap<string, string>): { categoryIds?: string[] } {
  return categories === undefined
    ? {}
    : { categoryIds: [...new Set(categories.flatMap((name) => ids.get(name) ?? []))] };
}
