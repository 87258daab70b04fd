import type { Weight } from './font.ts';
import { faceOf, piecesOf, widthOfPiece } from './pieces.ts';
import { hanOf, isEastAsian, isRightToLeft, isThai, type Han } from './scripts.ts';

export interface Style {
  readonly weight: Weight;
  /** In points. */
  readonly size: number;
  readonly colour: string;
  /** Whose forms of Chinese characters: simplified ones where it is left out. */
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

/** The height of a line of text in points: that of the font, from its highest letter to its lowest. */
export function lineHeight({ size }: Style): number {
  return size * 1.362;
}

/** How far below the upper edge of a line its letters stand, in points. */
export function baselineOf({ size }: Style): number {
  return size * 1.069;
}

/** The style with the forms of Chinese characters that the text has, which comes from that country. */
export function styleFor(style: Style, text: string, country: string): Style {
  return isEastAsian(text) ? { ...style, han: hanOf(text, country) } : style;
}

export function widthOf(text: string, { weight, size, han = 'sc' }: Style): number {
  return piecesOf(text, han).reduce((width, piece) => width + widthOfPiece(piece, weight, size), 0);
}

// Shown as nothing: marks of direction, soft hyphens, joiners, variants of pictures and other controls. Between letters that join,
// a joiner says how.
const invisible =
  /(?!\n)(?!(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{M}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}]))[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const replacement = '\ufffd';

/** The text as it can be printed: a character that no font has becomes U+FFFD; lines stay. */
export function printable(text: string, { han = 'sc' }: Pick<Style, 'han'> = {}): string {
  // Nearly all texts of tables.
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
 * The lines of a text in a column of this width: broken between words, between East Asian characters, and within a word that is wider
 * than the column. Every line of a text that is read from right to left says so by a mark at its beginning, which is not seen.
 */
export function wrap(text: string, style: Style, width: number): string[] {
  return printable(text, style)
    .split('\n')
    .flatMap((paragraph) => {
      const lines = wrapParagraph(paragraph, style, width);
      return isRightToLeft(paragraph) ? lines.map((line) => directionOf(paragraph) + line) : lines;
    });
}

/** The mark of the direction of the first letter, which is that of the paragraph. */
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

// Not before what closes, and signs that belong to the character before them; not after what opens.
const betweenEastAsian =
  /(?<![\p{Ps}\p{Pi}])(?=[^\p{Pe}\p{Pf}\p{Po}\p{Lm}\p{M}\p{N}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ])(?:(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Pe}\p{Pf}\p{Po}ー々])|(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]))/u;
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' });

/** The parts of a word between which a line may end: Thai has words without spaces between them, East Asian texts have no words. */
function partsOf(word: string): string[] {
  if (isThai(word)) return Array.from(thaiWords.segment(word), ({ segment }) => segment);
  return isEastAsian(word) ? word.split(betweenEastAsian) : [word];
}

const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The pieces of a word, none wider than the column. A letter stays with its accents and with what it is written as one with. */
function breakWord(word: string, style: Style, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const { segment } of clusters.segment(word)) {
    // By itself no letter is narrower than where it joins others.
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
