import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font, type Glyph, type Subset } from 'fontkit';
import { isRightToLeft, joins, type Face } from './scripts.ts';

export type Weight = 'regular' | 'bold';

const require = createRequire(import.meta.url);

/**
 * The package of each font, and the beginning of its file names. Each East Asian font has the Chinese characters in the
 * forms of its country.
 */
const faces: Readonly<Record<Face, readonly [file: string, manifest: string]>> = {
  sans: ['NotoSans', require.resolve('@expo-google-fonts/noto-sans/package.json')],
  arabic: ['NotoSansArabic', require.resolve('@expo-google-fonts/noto-sans-arabic/package.json')],
  hebrew: ['NotoSansHebrew', require.resolve('@expo-google-fonts/noto-sans-hebrew/package.json')],
  thai: ['NotoSansThai', require.resolve('@expo-google-fonts/noto-sans-thai/package.json')],
  sc: ['NotoSansSC', require.resolve('@expo-google-fonts/noto-sans-sc/package.json')],
  tc: ['NotoSansTC', require.resolve('@expo-google-fonts/noto-sans-tc/package.json')],
  jp: ['NotoSansJP', require.resolve('@expo-google-fonts/noto-sans-jp/package.json')],
  kr: ['NotoSansKR', require.resolve('@expo-google-fonts/noto-sans-kr/package.json')],
};

const weights = { regular: '400Regular', bold: '700Bold' } as const;

/** The fields of a glyph that pdfkit reads. */
type PlainGlyph = Pick<Glyph, 'id' | 'advanceWidth' | 'codePoints'>;

/** Glyphs in their order from left to right. Widths and offsets are in units of the font. */
interface Run {
  readonly glyphs: readonly PlainGlyph[];
  readonly positions: readonly {
    readonly xAdvance: number;
    readonly yAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }[];
  readonly advanceWidth: number;
}

/** A font for documents. */
export interface PaperFont {
  /** The font for pdfkit, which embeds only the used glyphs. */
  readonly font: Font;
  /** Whether the font has a glyph for the code point. */
  readonly has: (codePoint: number) => boolean;
  /** The width of a text in points. All of the text must have the same direction. */
  readonly widthOf: (text: string, size: number) => number;
}

/** The private fields of fontkit's `Subset`: the glyph ids of the font that it contains, and their places by id. */
interface OpenSubset extends Omit<Subset, 'includeGlyph'> {
  includeGlyph: (glyph: Glyph | number) => number;
  readonly glyphs: number[];
  readonly mapping: Record<number, number>;
}

/** The largest number of glyphs that a font can have. */
const idsOfFont = 65_536;

const fonts = new Map<string, PaperFont>();

/**
 * Returns a font for documents. It is read and parsed when a document first needs it, and then stays in memory. A font
 * with Chinese characters takes 10 MB, and about 30 ms to load.
 */
export function paperFont(face: Face, weight: Weight): PaperFont {
  const [name, manifest] = faces[face];
  const folder = weights[weight];
  const file = join(dirname(manifest), folder, `${name}_${folder}.ttf`);
  let font = fonts.get(file);
  if (font === undefined) {
    font = open(file);
    fonts.set(file, font);
  }
  return font;
}

/** The largest number of words whose layout a font remembers: about as many as a long document has. */
const mostWords = 2000;

function open(file: string): PaperFont {
  const font = create(readFileSync(file));
  if (!('layout' in font)) throw new TypeError(`${file} is a collection of fonts`);
  const characters = new Map<number, PlainGlyph>();
  const ids = new Map<string, number>();
  /**
   * A glyph for these letters. Its new id depends on the glyph and the letters: if different letters share a glyph,
   * they stay different when text is copied from the PDF.
   */
  const glyphFor = ({ id, advanceWidth }: Glyph, codePoints: number[]): PlainGlyph => {
    const key = `${id} ${codePoints.join(' ')}`;
    const known = ids.get(key) ?? id + (ids.size + 1) * idsOfFont;
    ids.set(key, known);
    return { id: known, advanceWidth, codePoints };
  };
  // fontkit's own glyph objects must not be used directly: such an object remembers only the letter for which it was
  // first requested, or none if it was requested as a part of another glyph. So the bytes of a document would depend on
  // earlier documents.
  const glyphOf = (codePoint: number): PlainGlyph => {
    let glyph = characters.get(codePoint);
    if (glyph === undefined) {
      glyph = glyphFor(font.glyphForCodePoint(codePoint), [codePoint]);
      characters.set(codePoint, glyph);
    }
    return glyph;
  };
  const shaper: Font = Object.create(font, {
    getGlyph: {
      value: (id: number, codePoints: number[] = []) =>
        Object.create(font.getGlyph(id), { codePoints: { value: codePoints } }) as Glyph,
    },
  });
  // In most scripts the letters simply stand side by side. Ligatures and kerning are left out.
  const plain = (characters: readonly string[]): Run => {
    const run = characters.map((character) => glyphOf(character.codePointAt(0) ?? 0));
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: run.reduce((width, { advanceWidth }) => width + advanceWidth, 0) };
  };
  // Joins letters and places marks by fontkit's own layout. The first use of a script takes up to 200 ms.
  const shape = (text: string): Run => {
    const direction = isRightToLeft(text) ? 'rtl' : 'ltr';
    try {
      const { glyphs, positions } = shaper.layout(text, undefined, undefined, undefined, direction);
      return {
        glyphs: glyphs.map((glyph) => glyphFor(glyph, glyph.codePoints)),
        positions: positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
          xAdvance,
          yAdvance,
          xOffset,
          yOffset,
        })),
        advanceWidth: positions.reduce((width, { xAdvance }) => width + xAdvance, 0),
      };
    } catch {
      // The layout fails for a few rare letters, if the font does not say where to place a mark. Then the letters are
      // not joined.
      const characters = Array.from(text);
      return plain(direction === 'rtl' ? characters.toReversed() : characters);
    }
  };
  const words = new Map<string, Run>();
  const shaped = (text: string): Run => {
    const run = words.get(text) ?? shape(text);
    if (words.size >= mostWords) words.clear();
    words.set(text, run);
    return run;
  };
  const layout = (text: string) => {
    const { glyphs, positions, advanceWidth } = joins(text) ? shaped(text) : plain(Array.from(text));
    // Copies, because pdfkit changes the positions.
    return { glyphs: [...glyphs], positions: positions.map((position) => ({ ...position })), advanceWidth };
  };
  const subset = () => {
    const made = font.createSubset() as unknown as OpenSubset;
    made.includeGlyph = (glyph) => {
      const id = typeof glyph === 'number' ? glyph : glyph.id;
      made.mapping[id] ??= made.glyphs.push(id % idsOfFont) - 1;
      return made.mapping[id];
    };
    return made;
  };
  return {
    font: Object.create(font, { layout: { value: layout }, createSubset: { value: subset } }) as Font,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    widthOf: (text, size) => {
      const scale = size / font.unitsPerEm;
      if (joins(text)) return shaped(text).advanceWidth * scale;
      let width = 0;
      for (const character of text) width += glyphOf(character.codePointAt(0) ?? 0).advanceWidth;
      return width * scale;
    },
  };
}
