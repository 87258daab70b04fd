import { skuKey } from '../product.ts';
import { fault, type RowFault } from './file-row.ts';
import type { FaultyRow, ImportRow } from './import-row.ts';

/** Rows of a file that are imported or refused together: the row of a product, if there is one, and those of its variants. */
export interface ProductRows {
  /** The key of the product's SKU; null if it can't be read. */
  readonly key: string | null;
  readonly rows: readonly (ImportRow | FaultyRow)[];
}

/**
 * Puts the rows of a file together by product, in their order. The rows of a product follow each other; they are refused
 * where others of that product, or other rows with one of their SKUs, came before. A row of which nothing can be read goes
 * with the variants beside it, so that no product is imported without one of its rows.
 */
export function* productRows(rows: Iterable<ImportRow | FaultyRow>): Generator<ProductRows> {
  const earlier = createEarlier();
  let current: (ImportRow | FaultyRow)[] = [];
  let key: string | null = null;
  let unknown: (ImportRow | FaultyRow)[] = [];

  for (const row of rows) {
    const product = row.variantOf ?? row.sku;
    if (product === null) unknown.push(row);
    else if (row.variantOf !== null && skuKey(row.variantOf) === key) current.push(...unknown.splice(0), row);
    else {
      yield* finished(row.variantOf !== null);
      current = [...unknown.splice(0), row];
      key = skuKey(product);
    }
  }
  yield* finished(false);

  /** The current rows. Unknown ones are of the next product where that begins with a variant. */
  function* finished(isNextVariant: boolean): Generator<ProductRows> {
    const isVaried = current.some(({ variantOf }) => variantOf !== null);
    if (isVaried && !isNextVariant) current.push(...unknown.splice(0));
    if (current.length > 0) yield earlier.refuse({ key, rows: current });
    if (isNextVariant) return;
    for (const row of unknown) yield { key: null, rows: [row] };
    unknown = [];
  }
}

/** Remembers the products and SKUs of a file. */
function createEarlier() {
  const products = new Map<string, string>();
  const skus = new Map<string, { readonly place: string; readonly key: string | null }>();

  return {
    /** The rows, refused where they repeat what came before. */
    refuse({ key, rows }: ProductRows): ProductRows {
      if (key === null || rows.every((row) => 'faults' in row)) return { key, rows };
      const before = products.get(key);
      if (before === undefined) products.set(key, rows[0]?.place ?? '');
      return { key, rows: rows.map((row) => ('faults' in row ? row : checked(row, key, before))) };
    },
  };

  function checked(row: ImportRow, key: string, before: string | undefined): ImportRow | FaultyRow {
    const { place, end, sku, variantOf, cells } = row;
    const refused = (why: RowFault): FaultyRow => ({ place, end, sku, variantOf, cells, faults: [why] });
    if (before !== undefined)
      return refused(
        variantOf === null
          ? fault('sku', sku, `stands in ${before} already`)
          : fault('variantOf', variantOf, `stands in ${before} already: the rows of a product follow each other`),
      );
    const [own, other] = variantOf === null ? ['product', 'variant'] : ['variant', 'product'];
    const same = skus.get(`${own} ${skuKey(sku)}`);
    const ofOther = skus.get(`${other} ${skuKey(sku)}`);
    // A variant may have the SKU of its product.
    const found = same ?? (ofOther?.key === key ? undefined : ofOther);
    if (found) return refused(fault('sku', sku, `stands in ${found.place} already`));
    skus.set(`${own} ${skuKey(sku)}`, { place, key });
    return row;
  }
}
