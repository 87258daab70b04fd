import { catalogHttp } from '@storefront/contracts';
import { isForeignUpload } from '../pictures.ts';
import { skuKey, type Product } from '../product.ts';
import { isActive, variantsUnder, type Variant } from '../variants.ts';
import { fault, missing, type RowFault } from './file-row.ts';
import type { ImportRow, ProductRow, VariantRow } from './import-row.ts';

/** The options and variants of a product after its rows, and what is wrong with the rows. */
export interface DecidedVariants {
  readonly options: Product['options'];
  readonly variants: readonly Variant[];
  readonly faults: ReadonlyMap<ImportRow, readonly RowFault[]>;
}

interface Needs {
  /** The product as it is stored; null for a new one. */
  readonly before: Product | null;
  /** Whether another product, or a variant of one, has the SKU. */
  readonly isTaken: (sku: string) => boolean;
  /** The id for a new variant with this SKU. */
  readonly newVariantId: (sku: string) => string;
}

const columns = catalogHttp.optionColumns;
const { mostVariants } = catalogHttp;

/**
 * Decides about the options and variants of a product from all of its rows at once, so that two variants can exchange their
 * values. Variants without a row stay. Variants that have no row and are wrong because of the row of the product are its
 * faults.
 */
export function decideVariants(
  product: ProductRow | null,
  rows: readonly VariantRow[],
  { before, isTaken, newVariantId }: Needs,
): DecidedVariants {
  const faults = new Map<ImportRow, RowFault[]>();
  const refuse = (row: ImportRow | null | undefined, why: RowFault) => {
    // Without the row of a product only rows of variants change anything.
    const at = row ?? product ?? rows[0];
    if (at) faults.set(at, [...(faults.get(at) ?? []), why]);
  };
  const options = optionsAfter();
  const known = before === null || options.length === 0 ? [] : variantsUnder(before, options);
  // What the rows of variants say can't be checked by options that are wrong.
  if (faults.size > 0) return { options, variants: known, faults };
  if (options.length === 0) {
    for (const row of rows)
      refuse(
        row,
        fault('variantOf', row.variantOf, 'has no options: its row needs one, such as `Size=S|M` in option1'),
      );
    return { options, variants: known, faults };
  }
  const rowOf = new Map(rows.map((row) => [skuKey(row.sku), row]));
  const bySku = new Map(known.map((variant) => [skuKey(variant.sku), variant]));
  const added = rows.filter(({ sku }) => !bySku.has(skuKey(sku)));
  const variants = [
    ...known.map((variant) => changedBy(rowOf.get(skuKey(variant.sku)), variant)),
    ...added.map(newOne),
  ];
  for (const row of added.slice(Math.max(0, mostVariants - known.length)))
    refuse(row, missing(null, `is one too many: a product has ${mostVariants} variants at most`));
  for (const row of rows) checkRow(row);
  checkTogether();
  return { options, variants, faults };

  function optionsAfter(): Product['options'] {
    const next: { name: string; values: string[] }[] = [];
    for (const [place, column] of columns.entries()) {
      const [cell, was] = [product?.options[place], before?.options[place]];
      if (!cell) {
        if (was) next.push({ name: was.name, values: [...was.values] });
        continue;
      }
      const values = cell.values ?? [...(was?.values ?? []), ...rows.flatMap((row) => row.values[place] ?? [])];
      const parsed = catalogHttp.productOption.shape.values.safeParse([...new Set(values)]);
      if (next.length < place) refuse(product, fault(column, cell.name, `can not be without ${columns[next.length]}`));
      else if (next.some(({ name }) => name.toLowerCase() === cell.name.toLowerCase()))
        refuse(product, fault(column, cell.name, 'is the name of another option'));
      else if (values.length === 0)
        refuse(
          product,
          fault(column, cell.name, 'has no values: they stand after it, as in `Size=S|M`, or in rows of variants'),
        );
      else if (!parsed.success)
        refuse(product, fault(column, cell.name, 'has more than 50 values, or one of them twice in another case'));
      else next.push({ name: cell.name, values: parsed.data });
    }
    return next;
  }

  function changedBy(row: VariantRow | undefined, variant: Variant): Variant {
    if (!row) return variant;
    return { ...variant, ...row.input, values: variant.values.map((value, place) => row.values[place] ?? value) };
  }

  function newOne(row: VariantRow): Variant {
    for (const place of options.keys())
      if (row.values[place] === undefined)
        refuse(row, missing(columns[place] ?? null, 'is missing: a new variant has a value of each option'));
    if (isTaken(row.sku)) refuse(row, fault('sku', row.sku, 'belongs to another product'));
    const { sku, input } = row;
    const values = options.map((_option, place) => row.values[place] ?? '');
    return {
      id: newVariantId(sku),
      ...catalogHttp.variantCreation.parse({ ...input, sku, values: [] }),
      values,
      reserved: 0,
    };
  }

  function checkRow(row: VariantRow): void {
    for (const [place, value] of row.values.entries())
      if (value !== undefined && place >= options.length)
        refuse(row, fault(columns[place] ?? null, value, `can not be: ${row.variantOf} has no such option`));
  }

  function checkTogether(): void {
    const seen = new Map<string, Variant>();
    for (const variant of variants) {
      const row = rowOf.get(skuKey(variant.sku));
      const unfit = options.findIndex(({ values }, place) => !values.includes(variant.values[place] ?? ''));
      if (unfit !== -1) refuseUnfit(variant, row, unfit);
      const combination = catalogHttp.combinationOf(variant);
      const twin = seen.get(combination);
      if (twin && unfit === -1)
        refuse(
          row ?? rowOf.get(skuKey(twin.sku)),
          missing(null, `has the same values as ${row ? twin.sku : variant.sku}`),
        );
      seen.set(combination, twin ?? variant);
    }
    if (variants.length > 0 && !variants.some(isActive))
      refuse(
        rows.findLast(({ input }) => input.status === 'archived'),
        fault('status', 'archived', 'can not be: at least one variant of a product is active'),
      );
  }

  function refuseUnfit({ sku, values }: Variant, row: VariantRow | undefined, place: number): void {
    const [column, option, value] = [columns[place] ?? null, options[place], values[place] ?? ''];
    // That a new variant has no value is said already.
    if (!option || value === '') return;
    const some = option.values.slice(0, 10).join(', ');
    if (row?.values[place] === undefined)
      refuse(product, fault(column, option.name, `leaves out ${JSON.stringify(value)}, which ${sku} has`));
    else refuse(row, fault(column, value, `is not one of the values of ${option.name}: ${some}`));
  }
}

/** The fault of the picture of a variant, if it is an upload that the product does not have. */
export function foreignPicture(row: VariantRow, before: Product | null): RowFault[] {
  const { image } = row.input;
  return image && isForeignUpload(before, image)
    ? [fault('images', image, 'is an uploaded picture of another product')]
    : [];
}
