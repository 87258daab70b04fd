import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '@storefront/contracts';
import type { Transaction } from '@storefront/mongo';
import { auditOfPrices } from '../domain/audit.ts';
import { skuKey, type Product } from '../domain/product.ts';
import type { SlugOfCategory } from '../domain/sheets/columns.ts';
import {
  decideRows,
  slugsOfRow,
  type DecidedProduct,
  type Known,
  type RowOutcome,
} from '../domain/sheets/decide-rows.ts';
import type { ImportFile } from '../domain/sheets/import-file.ts';
import { readRow, type ImportRow, type ProductRow } from '../domain/sheets/import-row.ts';
import { rowsToKeep } from '../domain/sheets/kept-rows.ts';
import {
  beginImport,
  countRows,
  endImport,
  type Interruption,
  type ProductImport,
} from '../domain/sheets/product-import.ts';
import { productRows, type ProductRows } from '../domain/sheets/product-rows.ts';
import { skusOf } from '../domain/variants.ts';
import type { CategoryReads } from '../store/category-reads.ts';
import type { Store } from '../store/collections.ts';
import { saveProducts, type NextState, type SaveNeeds } from './save-products.ts';

export interface ImportNeeds extends SaveNeeds, Pick<Store, 'inTransaction' | 'imports' | 'importRows'> {
  readonly categoryReads: Pick<CategoryReads, 'slugs'>;
  readonly now: () => Date;
  readonly newId: (prefix: 'prod' | 'var') => string;
  /** The currency of the shop. */
  readonly currency: string;
}

export interface ImportRequest {
  readonly id: string;
  readonly file: ImportFile;
  readonly actor: Actor;
  /** Says what the import would do, and changes no product. */
  readonly dryRun: boolean;
}

export interface ImportWork {
  /** Stops the import after the current rows. */
  readonly signal: AbortSignal;
  /** Gets the outcomes of rows, in the order of the file, once they are stored. */
  readonly onRows?: (outcomes: readonly RowOutcome[], state: ProductImport) => void;
  /** For how long storing the end is tried again while the database is unreachable; 30 s by default. */
  readonly recordForMs?: number;
}

export interface ImportReport {
  /** The import after its end; if the end could not be recorded, after the last rows that were stored. */
  readonly state: ProductImport;
  /** Null if the import reached the end of the file. */
  readonly interrupted: {
    /** Null if the import was stopped. */
    readonly error: unknown;
    /** The place of the last row that is done: all rows up to it are stored or refused. Null if no row is done. */
    readonly after: string | null;
    /** True if the end is stored. Otherwise the running service adds it later. */
    readonly isRecorded: boolean;
  } | null;
}

// Large enough to need few transactions, and small enough to keep them short. Rows of one product are not divided.
const rowsPerTransaction = 100;
const recordAgainMs = 1000;
const noRows = { created: 0, changed: 0, refused: 0, warned: 0 };

/**
 * Begins an import, so that it can be read. `isNew` is false if another attempt of the same request has begun it: then its
 * rows must not be imported again.
 */
export async function startImport(
  { imports, now }: Pick<ImportNeeds, 'imports' | 'now'>,
  request: ImportRequest,
): Promise<{ readonly state: ProductImport; readonly isNew: boolean }> {
  const begin = (current: ProductImport | null) => beginImport(current, { ...request, now: now() });
  return (await imports.change(request.id, begin)).result;
}

/**
 * Creates the products of the rows, or changes the products with the same SKU, of an import that was begun. Rows that can't
 * be imported are refused with all rows of their product, and all others are imported. Each transaction stores a hundred rows
 * or more with their events; the running service publishes the events. An interrupted import can be repeated, because rows that were already imported
 * change nothing. The audit log gets one entry when the import begins, one when it ends, and one for each changed price.
 * A dry run decides the same and stores only what it says.
 */
export async function importProducts(
  needs: ImportNeeds,
  request: ImportRequest,
  work: ImportWork,
): Promise<ImportReport> {
  const { id, file, actor, dryRun } = request;
  const { signal, onRows = () => undefined, recordForMs = 30_000 } = work;
  const form = { currency: needs.currency, decimalSign: file.decimalSign };
  /** The slugs that a dry run would have stored by now, or released. */
  const ahead = new Map<string, string | undefined>();
  let batch: ProductRows[] = [];
  let state: ProductImport | null = null;
  let after: string | null = null;
  let interrupted: { readonly error: unknown } | null = null;

  try {
    const slugOf = await needs.categoryReads.slugs();
    const read = Iterator.from(file.rows).map((row) => readRow(row, form));
    for (const group of productRows(read)) {
      interrupted = signal.aborted ? { error: null } : null;
      if (interrupted) break;
      batch.push(group);
      if (batch.reduce((sum, { rows }) => sum + rows.length, 0) >= rowsPerTransaction) await write(slugOf);
    }
    if (interrupted === null && batch.length > 0) await write(slugOf);
  } catch (error) {
    interrupted = { error };
  }
  const isRecorded = await recordEnd();
  state ??= (await needs.imports.load(id))?.state ?? null;
  if (state === null) throw new Error(`${id} was not begun`);
  return { state, interrupted: interrupted && { ...interrupted, after, isRecorded } };

  async function write(slugOf: SlugOfCategory): Promise<void> {
    const groups = batch;
    batch = [];
    const stored = await needs.inTransaction(async (transaction) => {
      const known = await readKnown(needs, transaction, groups, { ahead, slugOf });
      const { outcomes, products } = decideRows(groups, known);
      if (!dryRun) await saveRows(needs, transaction, { known, products, actor });
      const [counted] = await needs.imports.changeAll(transaction, [id], (_id, current) =>
        countRows(current, outcomes, needs.now()),
      );
      if (!counted) throw new Error(`${id} was not counted`);
      const kept = rowsToKeep(outcomes, { importId: id, dryRun, before: state ?? noRows });
      await needs.importRows.add(kept, counted.result.startedAt, transaction);
      return { outcomes, slugs: known.slugs, state: counted.result };
    });
    if (dryRun) {
      for (const { value } of stored.slugs.released) ahead.set(value, undefined);
      for (const { value, owner } of stored.slugs.taken) ahead.set(value, owner);
    }
    state = stored.state;
    after = stored.outcomes.at(-1)?.place ?? after;
    onRows(stored.outcomes, state);
  }

  async function recordEnd(): Promise<boolean> {
    const reason: Interruption | null = interrupted === null ? null : interrupted.error === null ? 'stopped' : 'failed';
    const deadline = performance.now() + recordForMs;
    for (;;) {
      try {
        const end = { actor, interrupted: reason, now: needs.now() };
        state = (await needs.imports.change(id, (current) => endImport(current, end))).result ?? state;
        return true;
      } catch (error) {
        interrupted ??= { error };
        if (performance.now() > deadline) return false;
        await wait(recordAgainMs);
      }
    }
  }
}

async function readKnown(
  needs: ImportNeeds,
  transaction: Transaction,
  groups: readonly ProductRows[],
  { ahead, slugOf }: { readonly ahead: ReadonlyMap<string, string | undefined>; readonly slugOf: SlugOfCategory },
): Promise<Known> {
  const readable = groups.flatMap(({ rows }) => rows.filter((row): row is ImportRow => !('faults' in row)));
  const keys = groups.flatMap(({ key }) => key ?? []);
  const skus = await needs.productSkus.read([...keys, ...readable.map(({ sku }) => skuKey(sku))], transaction);
  const ids = keys.flatMap((key) => skus.ownerOf(key) ?? []);
  const found = ids.length === 0 ? [] : await needs.products.find({ _id: { $in: ids } }, { transaction });
  const products = new Map(found.map(({ state }) => [state.id, state]));
  const newIds = new Map(keys.map((key) => [key, needs.newId('prod')]));
  const productOf = (key: string): Product | { readonly id: string } => {
    const id = skus.ownerOf(key) ?? newIds.get(key) ?? '';
    return products.get(id) ?? { id };
  };
  const own = readable.filter((row): row is ProductRow => row.variantOf === null);
  const candidates = own.flatMap((row) => {
    const product = productOf(skuKey(row.sku));
    const isNew = !('sku' in product);
    const former = isNew || row.input.slug === undefined ? [] : [product.slug];
    return [...slugsOfRow(row, product.id, isNew), ...former];
  });
  const slugs = await needs.productSlugs.read(candidates, transaction, ahead);
  const names = new Set(own.flatMap(({ categories = [] }) => categories));
  const categories = names.size === 0 ? new Map<string, string>() : await needs.tree.idsByName([...names], transaction);
  const newVariantId = () => needs.newId('var');
  return { productOf, skus, newVariantId, categories, slugs, slugOf, now: needs.now() };
}

async function saveRows(
  needs: ImportNeeds,
  transaction: Transaction,
  {
    known,
    products,
    actor,
  }: { readonly known: Known; readonly products: readonly DecidedProduct[]; readonly actor: Actor },
): Promise<void> {
  if (products.length === 0) return;
  const next = new Map(products.map(({ id, after }) => [id, after]));
  const taken = products.flatMap(({ id, before, after }) => {
    const had = new Set(before === null ? [] : skusOf(before).map(skuKey));
    const added = new Set(skusOf(after).map(skuKey)).difference(had);
    return Array.from(added, (value) => ({ value, owner: id }));
  });
  await needs.productSkus.save({ taken, released: [] }, transaction);
  await needs.productSlugs.save(known.slugs, transaction);
  const nextState: NextState = (id, current) => next.get(id) ?? current;
  await saveProducts(needs, transaction, [...next.keys()], nextState, (before, after) =>
    auditOfPrices(before, after, actor),
  );
}
