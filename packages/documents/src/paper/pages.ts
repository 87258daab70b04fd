import type { Style } from './text.ts';

/** Something to draw. Its place is in points from the left and upper edge of its row or its page. */
export type Mark =
  | { readonly kind: 'text'; readonly x: number; readonly y: number; readonly text: string; readonly style: Style }
  | {
      readonly kind: 'area';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly colour: string;
    }
  | {
      readonly kind: 'code';
      readonly x: number;
      readonly y: number;
      readonly size: number;
      /** The modules of a QR code, row by row; true is dark. */
      readonly modules: readonly (readonly boolean[])[];
    };

/** Marks that stay together on one page. A row must be lower than a page. */
export interface Row {
  readonly height: number;
  readonly marks: readonly Mark[];
}

/** Rows that stay together on one page, unless they are higher than a page. */
export interface Group {
  readonly rows: readonly Row[];
}

export interface Table {
  /** The head of the table, repeated on each page. */
  readonly head: Row;
  readonly items: readonly (Group & {
    /** The sum of the table up to and including this item. It is carried over if a page ends after the item. */
    readonly sum: string;
  })[];
  /**
   * `carriedOver` is the row with the sum at the end of a page, `broughtForward` the one below the head of the next
   * page. Both have the same height.
   */
  readonly carriedOver: (sum: string) => Row;
  readonly broughtForward: (sum: string) => Row;
}

/** The usable part of a page: its upper and lower limit, in points from the upper edge of the page. */
export interface Frame {
  readonly top: number;
  readonly bottom: number;
}

// A sum of heights depends on their order by less than this, in points. A group that has room would else leave its last row.
const rounding = 0.001;

/** Spreads the parts over pages, in their order. Returns the marks of each page, with their places on the page. */
export function paginate(parts: readonly (Group | Table)[], frame: Frame): Mark[][] {
  let page: Mark[] = [];
  const pages = [page];
  let y = frame.top;
  const heightOf = (rows: readonly Row[]) => rows.reduce((height, row) => height + row.height, 0);
  const hasRoom = (height: number) => y + height <= frame.bottom + rounding;
  const place = (row: Row) => {
    for (const mark of row.marks) page.push({ ...mark, y: mark.y + y });
    y += row.height;
  };
  const turn = () => {
    page = [];
    pages.push(page);
    y = frame.top;
  };

  const placeGroup = ({ rows }: Group) => {
    const height = heightOf(rows);
    if (!hasRoom(height) && height <= frame.bottom - frame.top) turn();
    for (const row of rows) {
      if (!hasRoom(row.height)) turn();
      place(row);
    }
  };

  const placeTable = ({ head, items, carriedOver, broughtForward }: Table) => {
    const carryHeight = carriedOver('').height;
    const mostOfItem = frame.bottom - frame.top - head.height - 2 * carryHeight;
    /**
     * The height that must be free before an item begins: that of the whole item, or of its first row if the item is
     * higher than a page.
     */
    const beginningOf = ({ rows }: Group) => {
      const height = heightOf(rows);
      return height <= mostOfItem ? height : (rows[0]?.height ?? 0);
    };
    const [first] = items;
    if (first && !hasRoom(head.height + beginningOf(first) + carryHeight)) turn();
    place(head);
    let sum: string | undefined;
    const turnTable = () => {
      if (sum !== undefined) place(carriedOver(sum));
      turn();
      place(head);
      if (sum !== undefined) place(broughtForward(sum));
    };
    for (const [index, item] of items.entries()) {
      // After the last item no sum is carried over, so no room is reserved for it.
      const isEnd = index === items.length - 1 && hasRoom(heightOf(item.rows));
      const reserve = isEnd ? 0 : carryHeight;
      if (!hasRoom(beginningOf(item) + reserve)) turnTable();
      for (const row of item.rows) {
        if (!hasRoom(row.height + reserve)) turnTable();
        place(row);
      }
      sum = item.sum;
    }
  };

  for (const part of parts)
    if ('head' in part) placeTable(part);
    else placeGroup(part);
  return pages;
}
