import type { Weight } from './font.ts';
import { faceOf, piecesOf, widthOfPiece } from './pieces.ts';
import { hanOf, isEastAsian, isRightToLeft, isThai, type Han } from './scripts.ts';

export interface Style {
  readonly weight: Weight;
  /** In points. */
  readonly size: number;
  readonly colour: string;
  /** The variant of Chinese characters; simplified by default. */
  readonly han?: Han;
}

const [ink, grey] = ['#1a1a1a', '#5c5c5c'];
export const styles = {
  title: { weight: 'bold', size: 19, colour: ink },
  name: { weight: 'bold', size: 10.5, colour: ink },
  normal: { weight: 'regular', size: 9, colour: ink },
  strong: { weight: 'bold', size: 9, colour: ink },
  label: { weight: 'regular', size: 9, colour: grey },
  cell: { weight: 'regular', size: 8.5, colour: ink },
  head: { weight: 'bold', size: 8, colour: ink },
  small: { weight: 'regular', size: 7.5, colour: grey },
  sum: { weight: 'bold', size: 10.5, colour: ink },
} as const satisfies Record<string, Style>;

/** The height of a line of text in points: the height of the font from its highest to its lowest letter. */
export function lineHeight({ size }: Style): number {
  return size * 1.362;
}

/** The distance from the upper edge of a line to its base line, in points. */
export function baselineOf({ size }: Style): number {
  return size * 1.069;
}

/** The style with the right variant of Chinese characters for a text from this country. */
export function styleFor(style: Style, text: string, country: string): Style {
  return isEastAsian(text) ? { ...style, han: hanOf(text, country) } : style;
}

export function widthOf(text: string, { weight, size, han = 'sc' }: Style): number {
  return piecesOf(text, han).reduce((width, piece) => width + widthOfPiece(piece, weight, size), 0);
}

// Characters that are shown as nothing: marks of direction, soft hyphens, joiners, variation selectors and other
// controls. A joiner between letters that can join is not included, because it decides how they join.
const invisible =
  /(?!\n)(?!(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{M}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}]))[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const replacement = '\ufffd';

/** The text as it can be printed. A character that no font has becomes U+FFFD. Line breaks stay. */
export function printable(text: string, { han = 'sc' }: Pick<Style, 'han'> = {}): string {
  // Nearly all texts in tables are plain ASCII and need no further steps.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const clean = text
    .normalize('NFC')
    .replaceAll(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n')
    .replaceAll(/[\t\p{Zs}]/gu, ' ')
    .replaceAll(invisible, '');
  return Array.from(clean, (character) =>
    character === '\n' || faceOf(character, han) !== null ? character : replacement,
  ).join('');
}

/**
 * Breaks a text into lines for a column of this width: between words, between East Asian characters, and within a word
 * that is wider than the column. If a paragraph has letters that are written from right to left, each of its lines
 * begins with an invisible mark of the paragraph's direction.
 */
export function wrap(text: string, style: Style, width: number): string[] {
  return printable(text, style)
    .split('\n')
    .flatMap((paragraph) => {
      const lines = wrapParagraph(paragraph, style, width);
      return isRightToLeft(paragraph) ? lines.map((line) => directionOf(paragraph) + line) : lines;
    });
}

/** The mark of direction for a paragraph. Its first letter decides the direction. */
function directionOf(paragraph: string): string {
  const [letter = ''] = /\p{L}/u.exec(paragraph) ?? [];
  return isRightToLeft(letter) ? '\u200f' : '\u200e';
}

function wrapParagraph(paragraph: string, style: Style, width: number): string[] {
  const lines: string[] = [];
  const space = widthOf(' ', style);
  let line = '';
  let taken = 0;
  for (const word of paragraph.split(' ').filter((word) => word !== '')) {
    for (const [index, part] of partsOf(word).entries()) {
      const wide = widthOf(part, style);
      const between = index === 0 && line !== '' ? ' ' : '';
      const longer = taken + (between === '' ? 0 : space) + wide;
      if (longer <= width) {
        line += between + part;
        taken = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      const pieces = wide <= width ? [part] : breakWord(part, style, width);
      line = pieces.pop() ?? '';
      taken = widthOf(line, style);
      lines.push(...pieces);
    }
  }
  return line === '' ? lines : [...lines, line];
}

// Where a line may end between East Asian characters: not before closing brackets or signs that belong to the character
// before them, and not after opening brackets.
const betweenEastAsian =
  /(?<![\p{Ps}\p{Pi}])(?=[^\p{Pe}\p{Pf}\p{Po}\p{Lm}\p{M}\p{N}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ])(?:(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Pe}\p{Pf}\p{Po}ー々])|(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]))/u;
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' });

/**
 * Splits a word at the places where a line may end. Thai has words without spaces between them; East Asian texts may be
 * broken between most characters.
 */
function partsOf(word: string): string[] {
  if (isThai(word)) return Array.from(thaiWords.segment(word), ({ segment }) => segment);
  return isEastAsian(word) ? word.split(betweenEastAsian) : [word];
}

const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits a word into pieces that fit the column. A letter and its accents stay together, and so do characters that are
 * written as one.
 */
function breakWord(word: string, style: Style, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const { segment } of clusters.segment(word)) {
    // The letter is measured alone. Where letters join, they are never wider.
    const wide = widthOf(segment, style);
    if (piece !== '' && taken + wide > width) {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    piece += segment;
    taken += wide;
  }
  return [...pieces, piece];
}
