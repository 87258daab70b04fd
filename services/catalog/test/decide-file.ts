import { derivedId } from '@storefront/contracts';
import { createClaims, type Claims } from '../src/domain/claims.ts';
import { skuKey, type Product } from '../src/domain/product.ts';
import { decideRows } from '../src/domain/sheets/decide-rows.ts';
import { readImportFile } from '../src/domain/sheets/import-file.ts';
import { readRow } from '../src/domain/sheets/import-row.ts';
import { productRows } from '../src/domain/sheets/product-rows.ts';
import { skusOf } from '../src/domain/variants.ts';

interface Stored {
  readonly products?: readonly Product[];
  /** The ids of categories by slugs. */
  readonly categories?: ReadonlyMap<string, string>;
  /** By default those of the products. */
  readonly slugs?: Claims;
  readonly isJson?: boolean;
}

/** Decides about all rows of a file at once, as an import does into a catalog that holds this. */
export function decideFile(
  file: string | Uint8Array,
  { products = [], categories = new Map(), slugs, isJson = false }: Stored = {},
) {
  const read = readImportFile(typeof file === 'string' ? Buffer.from(file) : file, isJson);
  const form = { currency: 'EUR', decimalSign: read.decimalSign };
  const groups = [...productRows(Iterator.from(read.rows).map((row) => readRow(row, form)))];
  const owners = products.flatMap((product) => skusOf(product).map((sku) => [skuKey(sku), product] as const));
  const bySku = new Map(owners);
  const decided = decideRows(groups, {
    productOf: (key) => bySku.get(key) ?? { id: idOf(key) },
    skus: createClaims(owners.map(([value, { id: owner }]) => ({ value, owner }))),
    newVariantId: (sku) => `var_${sku}`,
    categories,
    slugs: slugs ?? createClaims(products.map(({ slug: value, id: owner }) => ({ value, owner }))),
    slugOf: (id) => id,
    now: new Date(1),
  });
  return { file: read, ...decided };
}

/** The id that a new product with this key of an SKU gets. */
export function idOf(key: string): string {
  return derivedId('prod', 'prod_01h455vb4pex5vsknk084sn02q', key);
}
