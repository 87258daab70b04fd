/** What is wrong with a row, or strange about it. */
export interface RowFault {
  /** The column; null if it concerns the row as a whole. */
  readonly column: string | null;
  /** What the cell says, cut to 50 characters; null if there is none. */
  readonly value: string | null;
  /** What is wrong, with the value: `"12a" is not a whole number, 0 or more`. */
  readonly message: string;
}

/** Where a row is, and what its file says there. */
export interface RowSource {
  /** The line or lines, or the product of a JSON file: `line 7`, `lines 7 to 9`, `product 3`, `product 3, variant 1`. */
  readonly place: string;
  /** The number of its last line; of a JSON file the number of the product or variant in it. */
  readonly end: number;
  /** As far as it can be read. */
  readonly sku: string | null;
  /** The SKU of the product of which the row is a variant, as far as it can be read; null for the row of a product. */
  readonly variantOf: string | null;
  /** The cells as they are in the file, by the columns of the file. A row that can't be read may have more of them. */
  readonly cells: readonly string[];
}

/** A row of a file: its values by column, or the faults because of which it can't be read. */
export type FileRow = RowSource &
  ({ readonly values: Readonly<Record<string, unknown>> } | { readonly faults: readonly RowFault[] });

const shownOfValue = 50;

/** Makes a fault. `says` follows the value in its sentence. */
export function fault(column: string | null, value: unknown, says: string): RowFault {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const short = text.length > shownOfValue ? `${text.slice(0, shownOfValue)}…` : text;
  return { column, value: short, message: `${typeof value === 'string' ? JSON.stringify(short) : short} ${says}` };
}

/** A fault of a cell without a value, or of a whole row. */
export function missing(column: string | null, message: string): RowFault {
  return { column, value: null, message };
}

/** The fault as a person reads it: `line 7 (MUG-1), stock: "12a" is not a whole number, 0 or more`. */
export function faultInWords({ place, sku }: Pick<RowSource, 'place' | 'sku'>, { column, message }: RowFault): string {
  return `${place}${sku === null ? '' : ` (${sku})`}${column === null ? '' : `, ${column}`}: ${message}`;
}
