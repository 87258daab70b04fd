import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import type { Font, Glyph } from 'fontkit';

export type Weight = 'regular' | 'bold';

/** What pdfkit wants of a glyph. */
type PlainGlyph = Pick<Glyph, 'id' | 'advanceWidth' | 'codePoints'>;

/** A font as documents use it: a glyph for each character, side by side. */
export interface PaperFont {
  /** For pdfkit, which embeds what is used of it. */
  readonly font: Font;
  /** Whether it has a glyph for the code point. */
  readonly has: (codePoint: number) => boolean;
  /** The width of a line of text in points. */
  readonly widthOf: (text: string, size: number) => number;
}

const require = createRequire(import.meta.url);
let fonts: Readonly<Record<Weight, PaperFont>> | undefined;

/** The fonts of all documents. Read and parsed at the first call, and kept: they never change. */
export function paperFonts(): Readonly<Record<Weight, PaperFont>> {
  fonts ??= {
    regular: open(require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')),
    bold: open(require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
  };
  return fonts;
}

function open(file: string): PaperFont {
  const font = create(readFileSync(file));
  if (!('layout' in font)) throw new TypeError(`${file} is a collection of fonts`);
  const glyphs = new Map<number, PlainGlyph>();
  // A glyph of fontkit's own remembers the letter for which it was taken first, or none, where it was taken as a part of another one.
  // The bytes of a document would depend on the documents before it.
  const glyphOf = (codePoint: number): PlainGlyph => {
    let glyph = glyphs.get(codePoint);
    if (glyph === undefined) {
      const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
      glyph = { id, advanceWidth, codePoints: [codePoint] };
      glyphs.set(codePoint, glyph);
    }
    return glyph;
  };
  // fontkit's own layout joins letters to ligatures and moves them closer. It takes 40 ms at the first use, and has the same memory.
  const layout = (text: string) => {
    const run = Array.from(text, (character) => glyphOf(character.codePointAt(0) ?? 0));
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: widthOf(run) };
  };
  const plain: Font = Object.create(font, { layout: { value: layout } });
  return {
    font: plain,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    widthOf: (text, size) => {
      let width = 0;
      for (const character of text) width += glyphOf(character.codePointAt(0) ?? 0).advanceWidth;
      return (width * size) / font.unitsPerEm;
    },
  };
}

function widthOf(glyphs: readonly PlainGlyph[]): number {
  return glyphs.reduce((width, { advanceWidth }) => width + advanceWidth, 0);
}
