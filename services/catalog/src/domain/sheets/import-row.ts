import { catalogHttp, type http } from '@storefront/contracts';
import { readAmount, type AmountForm } from './amounts.ts';
import { placeOfOption, schemaOf, type Column, type ColumnUse } from './columns.ts';
import { fault, missing, type FileRow, type RowFault, type RowSource } from './file-row.ts';
import { readAttributes, readItems, readOption, readPictures, readQuantities } from './lists.ts';

interface ReadRow extends RowSource {
  readonly sku: string;
}

/** The row of a product that could be read. */
export interface ProductRow extends ReadRow {
  readonly variantOf: null;
  readonly input: Omit<catalogHttp.ProductChange, 'sku' | 'categoryIds' | 'images' | 'options'>;
  /** The slugs or ids of its categories. Undefined if the row does not change the categories. */
  readonly categories: readonly string[] | undefined;
  /** A picture without a text keeps the text that it has. Undefined if the row does not change the pictures. */
  readonly images: readonly ImportPicture[] | undefined;
  /** By their places; undefined for one that the row does not change. */
  readonly options: readonly (ImportOption | undefined)[];
}

/** The row of a variant that could be read. */
export interface VariantRow extends ReadRow {
  readonly variantOf: string;
  readonly input: Omit<catalogHttp.VariantChange, 'sku' | 'values'>;
  /** By the places of the options; undefined for one that the row does not change. */
  readonly values: readonly (string | undefined)[];
}

export type ImportRow = ProductRow | VariantRow;

/** A row that is not imported. */
export interface FaultyRow extends RowSource {
  readonly faults: readonly RowFault[];
}

interface ImportPicture {
  readonly url: string;
  readonly alt: string | undefined;
}

interface ImportOption {
  readonly name: string;
  /** Undefined for those that its variants have. */
  readonly values?: readonly string[] | undefined;
}

/** The value that a cell stands for, in the form of JSON; or what is wrong with the cell. */
type ReadCell = { readonly value: unknown } | { readonly wrong: string };

const columns = new Map<string, Column>(catalogHttp.productColumns.map((column) => [column.name, column]));

/** How a text in a cell becomes a value, by what its column holds. */
const readers: Record<ColumnUse['kind'], (cell: string, form: AmountForm) => ReadCell> = {
  text: (cell) => ({ value: cell }),
  whole: (cell) => ({ value: wholeOr(cell) }),
  amount(cell, form) {
    const read = readAmount(cell, form);
    return 'amount' in read ? { value: { amount: read.amount, currency: form.currency } } : read;
  },
  prices(cell, form) {
    const value: unknown[] = [];
    for (const { from, amount } of readQuantities(cell)) {
      // A text is no list, whatever it says.
      if (amount === undefined) return { value: cell };
      const read = readAmount(amount, form);
      if ('wrong' in read)
        return { wrong: `has the price ${JSON.stringify(amount.slice(0, 50))}, which ${read.wrong}` };
      value.push({ from: wholeOr(from), price: { amount: read.amount, currency: form.currency } });
    }
    return { value };
  },
  categories: (cell) => ({ value: readItems(cell) }),
  pictures: (cell) => ({ value: readPictures(cell) }),
  attributes: (cell) => ({ value: readAttributes(cell) }),
  option: (cell) => ({ value: readOption(cell) }),
};

function wholeOr(text: string): number | string {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

/** Lists in a JSON file that stand for columns and rows, if they are no such lists. */
const lists = new Map([
  ['options', `is not a list of ${catalogHttp.mostOptions} options at most`],
  ['values', `is not a list of ${catalogHttp.mostOptions} values at most`],
  ['variants', 'is not a list of variants'],
]);

/** What a row says so far: values by field, and those of the columns of options by their places. */
interface Read {
  readonly fields: Record<string, unknown>;
  readonly options: unknown[];
  readonly faults: RowFault[];
}

/**
 * Reads a row. A text is read as the cell of a spreadsheet; in JSON a value may also have the form of the API. An empty cell
 * does not change the value of the product or variant.
 */
export function readRow(row: FileRow, form: AmountForm): ImportRow | FaultyRow {
  const { place, end, sku, variantOf, cells } = row;
  const source = { place, end, sku, variantOf, cells };
  if ('faults' in row) return { ...source, faults: row.faults };
  const read: Read = { fields: {}, options: catalogHttp.optionColumns.map(() => undefined), faults: [] };
  const kind = variantOf === null ? 'product' : 'variant';
  for (const [name, value] of Object.entries(row.values)) {
    const column = columns.get(name);
    if (column) readInto(read, { column, use: column[kind] }, value, form);
    else if (name !== catalogHttp.reasonColumn)
      read.faults.push(missing(name.slice(0, 100), lists.get(name) ?? 'there is no such column'));
  }
  const { fields, options, faults } = read;
  if (fields['sku'] === undefined && !faults.some(({ column }) => column === 'sku'))
    faults.push(missing('sku', `is missing: it says which ${kind} the row is about`));
  if (faults.length > 0) return { ...source, faults };
  const { sku: key, variantOf: product, categoryIds, images: pictures, ...input } = fields;
  if (product !== undefined)
    return {
      ...source,
      sku: key as string,
      variantOf: product as string,
      input,
      values: options as VariantRow['values'],
    };
  return {
    ...source,
    sku: key as string,
    variantOf: null,
    input,
    categories: categoryIds as ProductRow['categories'],
    images: pictures as ProductRow['images'],
    options: options as ProductRow['options'],
  };
}

function readInto(
  { fields, options, faults }: Read,
  { column, use }: { readonly column: Column; readonly use: ColumnUse | null },
  value: unknown,
  form: AmountForm,
): void {
  const { name } = column;
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return;
  if (use === null) {
    const says = column.product
      ? 'can not be in the row of a variant: it is the same for the whole product'
      : `is not ${column.variant.needs}`;
    faults.push(fault(name, value, says));
    return;
  }
  const { field, kind, needs } = use;
  const cell: ReadCell = typeof value === 'string' ? readers[kind](value, form) : { value };
  if ('wrong' in cell) {
    faults.push(fault(name, value, cell.wrong));
    return;
  }
  const parsed = schemaOf(use).safeParse(cell.value);
  if (parsed.success) {
    const wrong = wrongCurrency(kind, parsed.data, form.currency);
    if (wrong !== undefined) faults.push(fault(name, value, wrong));
    else if (field === 'options' || field === 'values') options[placeOfOption(name)] = parsed.data;
    else fields[field] = parsed.data;
    return;
  }
  const wanted = kind === 'amount' ? `an amount in ${form.currency}, such as 19.99` : needs;
  const [issue] = parsed.error.issues;
  // Only what a schema of this project says is meant for people.
  const why = issue?.code === 'custom' ? `: it ${issue.message}` : '';
  faults.push(fault(name, value, `is not ${wanted}${why}`));
}

/** `value` is that of a column of this kind. */
function wrongCurrency(kind: ColumnUse['kind'], value: unknown, currency: string): string | undefined {
  const amounts = kind === 'amount' ? [value as http.Money | null] : kind === 'prices' ? pricesOf(value) : [];
  const isForeign = amounts.some((money) => money !== null && money.currency !== currency);
  return isForeign ? `is not in ${currency}, the currency of the shop` : undefined;
}

function pricesOf(value: unknown): http.Money[] {
  return ((value ?? []) as catalogHttp.QuantityPrices).map(({ price }) => price);
}
