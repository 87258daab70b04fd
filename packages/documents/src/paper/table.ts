import { setImmediate } from 'node:timers/promises';
import type { Group, Mark, Row, Table } from './pages.ts';
import { cellPadding, gap, left, right, ruleAt, shadeOf, textAt, textEndingAt, width } from './parts.ts';
import { lineHeight, styles, widthOf, wrap, type Style } from './text.ts';

export interface Cell {
  readonly text: string;
  readonly style: Style;
}

/** A row of a table, before the widths of the columns are known. */
export interface Entry {
  /** The cells by column. A cell has one or more texts, one below the other. */
  readonly cells: readonly (readonly Cell[])[];
  /** The sum of the table up to and including this row; empty where none is carried over. */
  readonly sum: string;
}

export interface Column {
  readonly title: string;
  /**
   * `rest`: the column gets the remaining width, and its texts are broken into lines. The other columns are as wide as
   * their widest text; their texts are aligned left or right.
   */
  readonly fit: 'left' | 'right' | 'rest';
}

const gutter = 12;
const padding = 4;

/** The labels of the sums at the end of a page and at the beginning of the next one. */
interface Carry {
  readonly carried: string;
  readonly forward: string;
}

/** Makes a table over the whole width. Its last item is `totals`. Without `carry` no sums are carried over. */
export async function tableOf(
  columns: readonly Column[],
  entries: readonly Entry[],
  { carry, totals }: { readonly carry: Carry | null; readonly totals: readonly Row[] },
): Promise<Table> {
  const places = await placesOf(columns, entries);
  const headHeight = lineHeight(styles.head) + 2 * padding;
  const head: Row = {
    height: headHeight + 2,
    marks: [
      shadeOf(headHeight),
      ...places.map(({ title, x, end, fit }) =>
        fit === 'right' ? textEndingAt(title, styles.head, end, padding) : textAt(title, styles.head, x, padding),
      ),
    ],
  };
  const items: (Group & { readonly sum: string })[] = [];
  for (const { cells, sum } of entries) {
    items.push({ rows: rowsOf(cells, places), sum });
    // Other requests get their turn between the rows of a long document.
    await setImmediate();
  }
  const sumRow =
    (label: string) =>
    (sum: string): Row => ({
      height: lineHeight(styles.cell) + 2 * padding,
      marks: [
        textEndingAt(label, { ...styles.cell, colour: styles.label.colour }, sumLabelEnd(places), padding),
        textEndingAt(sum, styles.cell, right - cellPadding, padding),
      ],
    });
  return {
    head,
    items: [...items, { rows: totals, sum: items.at(-1)?.sum ?? '' }],
    carriedOver: carry ? sumRow(carry.carried) : () => gap(0),
    broughtForward: carry ? sumRow(carry.forward) : () => gap(0),
  };
}

interface Place extends Column {
  readonly x: number;
  readonly end: number;
}

/** Calculates where each column begins and ends. */
async function placesOf(columns: readonly Column[], entries: readonly Entry[]): Promise<Place[]> {
  const widths = columns.map(({ title, fit }) => (fit === 'rest' ? 0 : widthOf(title, styles.head)));
  const last = columns.length - 1;
  for (const [index, { cells, sum }] of entries.entries()) {
    // The last column must also be wide enough for the sums that are carried over.
    widths[last] = Math.max(widths[last] ?? 0, widthOf(sum, styles.cell));
    for (const [at, column] of columns.entries()) {
      if (column.fit === 'rest') continue;
      for (const { text, style } of cells[at] ?? []) widths[at] = Math.max(widths[at] ?? 0, widthOf(text, style));
    }
    if (index % 10 === 9) await setImmediate();
  }
  const taken = widths.reduce((sum, one) => sum + one, 0) + gutter * (columns.length - 1) + 2 * cellPadding;
  let x = left + cellPadding;
  return columns.map((column, at) => {
    const wide = column.fit === 'rest' ? width - taken : (widths[at] ?? 0);
    const place = { ...column, x, end: x + wide };
    x += wide + gutter;
    return place;
  });
}

/** Makes one row for each line of text, so that an entry that is higher than a page can be split. */
function rowsOf(cells: readonly (readonly Cell[])[], places: readonly Place[]): Row[] {
  const columns = places.map((place, at) =>
    (cells[at] ?? []).flatMap(({ text, style }) =>
      (place.fit === 'rest' ? wrap(text, style, place.end - place.x) : [text]).map((line) => ({ line, style, place })),
    ),
  );
  const count = Math.max(1, ...columns.map((lines) => lines.length));
  return Array.from({ length: count }, (_, index): Row => {
    const [isFirst, isLast] = [index === 0, index === count - 1];
    const texts = columns.flatMap((lines) => lines[index] ?? []);
    const top = isFirst ? padding : 0;
    const height = top + Math.max(lineHeight(styles.cell), ...texts.map(({ style }) => lineHeight(style)));
    const marks = texts.map(({ line, style, place }): Mark =>
      place.fit === 'right' ? textEndingAt(line, style, place.end, top) : textAt(line, style, place.x, top),
    );
    return isLast ? { height: height + padding, marks: [...marks, ruleAt(height + padding - 0.5)] } : { height, marks };
  });
}

/** The labels of sums end at the right edge of the last but one column. */
function sumLabelEnd(places: readonly Place[]): number {
  return places.at(-2)?.end ?? right;
}
