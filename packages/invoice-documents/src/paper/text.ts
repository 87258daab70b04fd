import { paperFonts } from './font.ts';
import type { Weight } from './font.ts';

export interface Style {
  readonly weight: Weight;
  /** In points. */
  readonly size: number;
  readonly colour: string;
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

export function widthOf(text: string, { weight, size }: Style): number {
  return paperFonts()[weight].widthOf(text, size);
}

// Shown as nothing: marks of direction, soft hyphens, joiners, variants of pictures and other controls.
const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const replacement = '\ufffd';

/** The text as it can be printed: a character that the font does not have becomes U+FFFD; lines stay. */
export function printable(text: string): string {
  // Nearly all texts of tables.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const { regular, bold } = paperFonts();
  const clean = text
    .normalize('NFC')
    .replaceAll(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n')
    .replaceAll(/[\t\p{Zs}]/gu, ' ')
    .replaceAll(invisible, '');
  return Array.from(clean, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return character === '\n' || (regular.has(codePoint) && bold.has(codePoint)) ? character : replacement;
  }).join('');
}

/** The lines of a text in a column of this width: broken between words, and within a word that is wider than the column. */
export function wrap(text: string, style: Style, width: number): string[] {
  return printable(text)
    .split('\n')
    .flatMap((paragraph) => wrapParagraph(paragraph, style, width));
}

function wrapParagraph(paragraph: string, style: Style, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ').filter((word) => word !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, style) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, style, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return line === '' ? lines : [...lines, line];
}

/** The pieces of a word, none wider than the column. A letter stays with its accents, which have no width of their own. */
function breakWord(word: string, style: Style, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const letter of word) {
    const wide = widthOf(letter, style);
    if (piece !== '' && taken + wide > width) {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    piece += letter;
    taken += wide;
  }
  return [...pieces, piece];
}
