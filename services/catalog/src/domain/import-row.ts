import { catalogHttp } from '@storefront/contracts';
import { z } from 'zod';
import { toMinorUnits } from './pricing.ts';

/** A row that can be tried: what it gives of a product, its categories still by id or slug. */
export interface ImportRow {
  readonly sku: string;
  readonly given: Omit<catalogHttp.ProductChange, 'sku' | 'categoryIds'>;
  /** Undefined where the row says nothing of categories. */
  readonly categories: readonly string[] | undefined;
}

/** Why a row is not taken, a sentence for each reason. */
export interface RefusedRow {
  readonly sku: string | null;
  readonly reasons: readonly string[];
}

const { sku, categoryIds: _categoryIds, price, tradePrice, ...fields } = catalogHttp.productFields;

/**
 * Reads one row of a file: an object of a JSON file with the API's fields, or the cells of a CSV file by their column.
 * In a cell, categories (slugs or ids) and pictures are separated by `|`; prices are in major units, `19.99`, in the
 * shop's currency. An empty cell says nothing: the product keeps what it has.
 */
export function readRow(row: unknown, currency: string): ImportRow | RefusedRow {
  const parsed = rowSchema(currency).safeParse(isCells(row) ? readCells(row) : row);
  if (parsed.success) {
    const { sku, categories, ...given } = parsed.data;
    return { sku, given, categories };
  }
  const named = (row as { sku?: unknown } | null)?.sku;
  return { sku: typeof named === 'string' ? named : null, reasons: parsed.error.issues.map(sentence) };
}

function rowSchema(currency: string) {
  const amount = z
    .string()
    .transform((words, context) => {
      const money = toMinorUnits(words, currency);
      if (money === undefined)
        context.addIssue({ code: 'custom', message: `must be an amount in ${currency}, such as 19.99` });
      return money;
    })
    .pipe(price);
  const ofShop = <Schema extends z.ZodType<z.output<typeof price> | null>>(schema: Schema) =>
    schema.refine((given) => given === null || given.currency === currency, { error: `must be in ${currency}` });
  return z.strictObject({
    sku,
    ...z.object(fields).partial().shape,
    price: z.union([amount, ofShop(price)]).optional(),
    tradePrice: z.union([amount, ofShop(tradePrice)]).optional(),
    categories: z.array(z.string().min(1).max(100)).max(20).optional(),
  });
}

type Cells = Record<string, string>;

function isCells(row: unknown): row is Cells {
  return typeof row === 'object' && row !== null && Object.values(row).every((cell) => typeof cell === 'string');
}

// A JSON row of texts alone reads the same: numbers and lists may stand there as text as well.
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
  // A price may be written in two ways: the first is the one that a file has.
  const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined;
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return `${issue.path.join('/')}: ${missing ? 'is required' : (inner?.message ?? issue.message)}`;
}
