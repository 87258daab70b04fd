import { catalogHttp } from '@storefront/contracts';
import { fromDecimal } from '@storefront/money';
import { z } from 'zod';
import { skuKey, type Product } from './product.ts';
import { slugCandidates } from './slug.ts';
import { hasVariants } from './variants.ts';

/** A row that could be read. It names its categories by id or slug. */
export interface ImportRow {
  readonly sku: string;
  readonly input: Omit<catalogHttp.ProductChange, 'sku' | 'categoryIds'>;
  /** Undefined if the row does not change the categories. */
  readonly categories: readonly string[] | undefined;
}

/** A row that is not imported, with one sentence for each reason. */
export interface RefusedRow {
  readonly sku: string | null;
  readonly reasons: readonly string[];
}

/**
 * A row of a file, or the reasons why it could not be read. `place` tells people where the row is in the file: `line
 * 7`, `lines 7 to 9`.
 */
export type FileRow = { readonly place: string } & ({ readonly row: unknown } | RefusedRow);

/** What decides whether a row may change a product. */
export type ImportedProduct = Pick<Product, 'sku' | 'variants'>;

/** The file is unusable, so nothing of it is imported. The message says why. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

const { sku, categoryIds: _categoryIds, price, tradePrice, ...fields } = catalogHttp.productFields;

/** The allowed columns of a CSV file. They are also the allowed fields of an object in a JSON file. */
export const importColumns: readonly string[] = ['sku', ...Object.keys(fields), 'categories', 'price', 'tradePrice'];

/**
 * Reads one row of a file: an object of a JSON file with the fields of the API, or the cells of a CSV file by column.
 * In cells, categories (slugs or ids) and pictures are separated by `|`, and prices are in major units (`19.99`) of the
 * shop's currency. An empty cell does not change the product's value.
 */
export function readRow(row: unknown, currency: string): ImportRow | RefusedRow {
  const parsed = rowSchema(currency).safeParse(isCells(row) ? readCells(row) : row);
  if (parsed.success) {
    const { sku, categories, ...input } = parsed.data;
    return { sku, input, categories };
  }
  return { sku: skuOf(row), reasons: parsed.error.issues.map(sentence) };
}

/** The SKU of a row, even if the row is not valid; null if it has none. */
export function skuOf(row: unknown): string | null {
  const named = (row as { sku?: unknown } | null)?.sku;
  return typeof named === 'string' ? named : null;
}

/**
 * The reasons why a row can't be imported, one sentence each; empty if it can. `isNew`: neither a product nor a variant
 * has the row's SKU yet. `current` is the product that has it, itself or by a variant.
 */
export function rowErrors(
  { sku, input, categories = [] }: ImportRow,
  known: {
    isNew: boolean;
    current: ImportedProduct | null;
    isCategory: (name: string) => boolean;
    isSlugFree: (slug: string) => boolean;
  },
): string[] {
  const { current } = known;
  return [
    ...(current && skuKey(current.sku) !== skuKey(sku) ? ['sku: belongs to a variant of a product'] : []),
    ...(current && hasVariants(current) && input.stock !== undefined ? ['stock: each variant has its own'] : []),
    ...categories.filter((name) => !known.isCategory(name)).map((name) => `categories: there is no ${name}`),
    ...(known.isNew && input.name === undefined ? ['name: is required for a new product'] : []),
    ...(known.isNew && input.price === undefined ? ['price: is required for a new product'] : []),
    ...(input.slug !== undefined && !known.isSlugFree(input.slug) ? ['slug: belongs to another product'] : []),
  ];
}

/** The slugs to try, in this order, for the product with this id. */
export function slugsOfRow({ input }: ImportRow, id: string): string[] {
  if (input.slug !== undefined) return [input.slug];
  return input.name === undefined ? [] : slugCandidates(input.name, id);
}

function rowSchema(currency: string) {
  const amount = z
    .string()
    .transform((text, context) => {
      const amount = fromDecimal(text.trim(), currency);
      if (amount !== undefined) return { amount, currency };
      context.addIssue({ code: 'custom', message: `must be an amount in ${currency}, such as 19.99` });
      return undefined;
    })
    .pipe(price);
  const inCurrency = <Schema extends z.ZodType<z.output<typeof price> | null>>(schema: Schema) =>
    schema.refine((money) => money === null || money.currency === currency, { error: `must be in ${currency}` });
  return z.strictObject({
    sku,
    ...z.object(fields).partial().shape,
    price: z.union([amount, inCurrency(price)]).optional(),
    tradePrice: z.union([amount, inCurrency(tradePrice)]).optional(),
    categories: z.array(z.string().min(1).max(100)).max(20).optional(),
  });
}

type Cells = Record<string, string>;

// A JSON object that contains only strings is read like CSV cells. So numbers and lists may be written as strings there
// too.
function isCells(row: unknown): row is Cells {
  return typeof row === 'object' && row !== null && Object.values(row).every((cell) => typeof cell === 'string');
}

function readCells(row: Cells): Record<string, unknown> {
  const filled = Object.entries(row).filter(([, cell]) => cell.trim() !== '');
  return Object.fromEntries(
    filled.map(([column, cell]) => {
      if (column === 'stock') return [column, /^\d+$/.test(cell.trim()) ? Number(cell) : cell];
      if (column === 'categories') return [column, listOf(cell)];
      if (column === 'images') return [column, listOf(cell).map((url) => ({ url }))];
      return [column, cell];
    }),
  );
}

function listOf(cell: string): string[] {
  return cell
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`;
  // A price may be an object or a text. If both forms fail, the error of the first form, the one of CSV files, is
  // reported.
  const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined;
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return `${issue.path.join('/')}: ${missing ? 'is required' : (inner?.message ?? issue.message)}`;
}
