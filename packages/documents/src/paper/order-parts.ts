import type { PaperWords } from './words.ts';
import { printable, styleFor, styles } from './text.ts';
import type { Cell } from './table.ts';

/** A day as readers of the language write it: `26 November 2026` in English. */
export function shownDay(day: string, { tag }: PaperWords): string {
  const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
  return format.format(new Date(`${day}T00:00:00Z`));
}

/** The cell that says what was ordered: name, options and SKU, one below the other. */
export function goodsCell(
  { name, values, sku }: { readonly name: string; readonly values: readonly string[]; readonly sku: string },
  country: string,
): Cell[] {
  const options = values.join(', ');
  return [
    { text: name, style: styleFor(styles.cell, name, country) },
    ...(options === '' ? [] : [{ text: options, style: styleFor(styles.cell, options, country) }]),
    { text: sku, style: styleFor(styles.small, sku, country) },
  ];
}

export function plainCell(text: string): Cell[] {
  return [{ text: printable(text), style: styles.cell }];
}
