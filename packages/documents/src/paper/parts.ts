import type { billingEvents } from '@storefront/contracts';
import { countryInAddress, nameOfCountry } from '@storefront/countries';
import { paper } from './draw.ts';
import { paginate, type Frame, type Group, type Mark, type Row, type Table } from './pages.ts';
import { lineHeight, printable, styleFor, styles, widthOf, wrap, type Style } from './text.ts';
import { paperWords, type PaperWords } from './words.ts';

export const left = 51;
export const right = paper.width - left;
export const width = right - left;
const frame: Frame = { top: 48, bottom: paper.height - 62 };
/** The left edge of the second of two columns. */
const middle = left + 272;

const [hairline, shade] = ['#c4c4c4', '#f1f1f1'];

/** A line of text with its horizontal position, in points from the left edge of the page. */
interface Line {
  readonly text: string;
  readonly style: Style;
  readonly x: number;
}

export function gap(height: number): Row {
  return { height, marks: [] };
}

/** A horizontal line over the whole width, `y` points below the upper edge of its row or page. */
export function ruleAt(y: number): Mark {
  return { kind: 'area', x: left, y, width, height: 0.5, colour: hairline };
}

/** A grey area behind the texts of a row, from `from` to the right edge. */
export function shadeOf(height: number, from = left): Mark {
  return { kind: 'area', x: from, y: 0, width: right - from, height, colour: shade };
}

export function textAt(text: string, style: Style, x: number, y: number): Mark {
  return { kind: 'text', x, y, text, style };
}

/** A text that ends at `x`. */
export function textEndingAt(text: string, style: Style, x: number, y: number): Mark {
  return textAt(text, style, x - widthOf(text, style), y);
}

/** A text over the whole width, in as many lines as needed. */
export function paragraph(text: string, style: Style): Row[] {
  return wrap(text, style, width).map((line) => ({
    height: lineHeight(style) + 1,
    marks: [textAt(line, style, left, 0)],
  }));
}

/**
 * Two columns side by side. They are combined row by row, so that both can continue on the next page. A row without texts
 * is a blank line.
 */
export function beside(one: readonly (readonly Line[])[], other: readonly (readonly Line[])[]): Row[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const lines = [...(one[index] ?? []), ...(other[index] ?? [])];
    const styled = lines.length === 0 ? [styles.normal] : lines.map(({ style }) => style);
    const height = Math.max(...styled.map(lineHeight));
    return {
      height: height + 1,
      // Lines of different size are moved so that their lower edges are level.
      marks: lines.map(({ text, style, x }) => textAt(text, style, x, (height - lineHeight(style)) * 0.78)),
    };
  });
}

/** A text in a column, in as many lines as its width requires. */
export function column(text: string, style: Style, x: number, columnWidth: number): Line[][] {
  return wrap(text, style, columnWidth).map((line) => [{ text: line, style, x }]);
}

/**
 * Pairs of a label and a value. A value may need several lines; `country` decides which forms its Chinese characters
 * have. Pairs without a value are left out.
 */
export function pairs(
  entries: readonly (readonly [label: string, value: string | null])[],
  country: string,
  x: number,
  columnWidth: number,
): Line[][] {
  const given = entries.filter(([, value]) => value !== null);
  const indent = Math.max(...given.map(([label]) => widthOf(label, styles.label))) + 14;
  return given.flatMap(([label, value]) => {
    const style = styleFor(styles.normal, value ?? '', country);
    return wrap(value ?? '', style, columnWidth - indent).map((line, index) => [
      ...(index === 0 ? [{ text: label, style: styles.label, x }] : []),
      { text: line, style, x: x + indent },
    ]);
  });
}

/** The name and the address of a business. The country is added if the address does not name it. */
function partyOf(party: billingEvents.DocumentParty, { tag }: PaperWords, x: number, columnWidth: number): Line[][] {
  const { businessName, address, country } = party;
  const lines = address.trimEnd().split('\n');
  // Many addresses already name the country, in various ways.
  const isNamed = countryInAddress(address) === country;
  const all = [...lines, ...(isNamed ? [] : [nameOfCountry(country, tag)])].join('\n');
  const styled = (style: Style) => styleFor(style, `${businessName}\n${address}`, country);
  return [
    ...column(businessName, styled(styles.name), x, columnWidth),
    ...column(all, styled(styles.normal), x, columnWidth),
  ];
}

interface Opening {
  readonly title: string;
  readonly seller: billingEvents.DocumentParty;
  /** At least one. */
  readonly recipients: readonly { readonly label: string; readonly party: billingEvents.DocumentParty }[];
  readonly facts: readonly (readonly [label: string, value: string | null])[];
  readonly words?: PaperWords;
}

/** The upper part of the first page: seller, recipients, title and the main facts of the document. */
export function opening({ title, seller, recipients, facts, words = paperWords.en }: Opening): Group {
  const columnWidth = middle - left - 20;
  const wholeOf = (party: billingEvents.DocumentParty) => [
    ...partyOf(party, words, left, columnWidth),
    ...(party.vatNumber === null
      ? []
      : column(`${words.vatNumber} ${party.vatNumber}`, styles.normal, left, columnWidth)),
  ];
  const from = wholeOf(seller);
  const to = recipients.flatMap(({ label, party }, index) => [
    ...(index === 0 ? [] : [[]]),
    ...column(label, styles.label, left, columnWidth),
    ...wholeOf(party),
  ]);
  return {
    rows: [
      ...beside(from, column(title, styles.title, middle, right - middle)),
      gap(24),
      ...beside(to, pairs(facts, recipients[0]?.party.country ?? '', middle, right - middle)),
      gap(24),
    ],
  };
}

/** The space between the edge of a table and its texts, in points. */
export const cellPadding = 5;
/** The left edge of the block of sums, which is at the right edge of the page. */
const sumsLeft = right - 268;

/**
 * A label, and an amount that ends at the right edge of the tables. The label begins at `x` and may need several lines.
 */
export function amountRow(
  label: string,
  amount: string,
  style: Style,
  x = sumsLeft + cellPadding,
  end = right - cellPadding,
): Row {
  const room = end - x - widthOf(amount, style) - 12;
  const lines = wrap(label, style, room);
  return {
    height: lineHeight(style) * lines.length + 5,
    marks: [
      ...lines.map((line, index) => textAt(line, style, x, 2 + index * lineHeight(style))),
      textEndingAt(amount, style, end, 2),
    ],
  };
}

/** The row with the total, below several amounts. */
export function totalRow(label: string, amount: string): Row {
  const { height, marks } = amountRow(label, amount, styles.sum);
  return {
    height: height + 9,
    marks: [shadeOf(height + 5, sumsLeft), ...marks.map((mark) => ({ ...mark, y: mark.y + 3 }))],
  };
}

/** Puts the parts on pages. Each page has a foot with the name of the document and the page number. */
export function pagesOf(parts: readonly (Group | Table)[], name: string, words: PaperWords = paperWords.en): Mark[][] {
  const pages = paginate(parts, frame);
  const y = paper.height - 42;
  return pages.map((page, index) => [
    ...page,
    ruleAt(y - 6),
    textAt(printable(name), styles.small, left, y),
    textEndingAt(words.page(index + 1, pages.length), styles.small, right, y),
  ]);
}
