import { isUtf8 } from 'node:buffer';
import { FileRefused } from './file-refused.ts';

/** The encodings that are recognised. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
type Encoding = (typeof encodings)[number];

export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
  /**
   * Words of a file in windows-1252 by which a person sees whether it was recognised rightly: up to three. Nothing in such
   * a file says what it is.
   */
  readonly samples: readonly string[];
}

/**
 * Decodes a file: UTF-8 and UTF-16 with or without a byte order mark, and windows-1252 where its characters stand as in the
 * languages of Western Europe. Throws FileRefused for anything else, with the first line that can't be read.
 */
export function decodeFile(bytes: Uint8Array): Decoded {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return { text: decodeUtf16(bytes, utf16), encoding: utf16, samples: [] };
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes), encoding: 'utf-8', samples: [] };
  const text = new TextDecoder('windows-1252').decode(bytes);
  if (isDamagedUtf8(bytes) || implausible.test(text))
    throw new FileRefused(
      `Line ${firstWrongLine(bytes)} holds bytes that are not UTF-8, and the file does not look like Windows-1252 (Western Europe) either. ` +
        'Save it as UTF-8: in Excel that is "CSV UTF-8".',
    );
  return { text, encoding: 'windows-1252', samples: samplesOf(text) };
}

function utf16Of([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // A header begins with letters of ASCII, of which one byte is zero.
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return null;
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new FileRefused('The file begins as UTF-16 and holds bytes that are not. Save it again, as UTF-8.', {
      cause: error,
    });
  }
}

// What a text of another encoding, read as windows-1252, has and a text of Western Europe has not: codes without a
// character; signs within a word (but for apostrophes, hyphens and the Catalan dot); three letters with marks in a row;
// a capital with a mark after a small letter.
const marks = String.raw`\u0160\u0161\u0178\u017d\u017e\u0152\u0153\u0192\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff`;
const sign = String.raw`[\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b3\u00b5\u00b6\u00b8\u00b9\u00bb-\u00bf\u00d7\u00f7\u02c6\u02dc\u2018\u201a-\u2022\u2030\u2039\u203a\u20ac\u2122]`;
const implausible = new RegExp(
  [
    String.raw`[\u0080-\u009f]`,
    `[A-Za-z${marks}]${sign}[A-Za-z${marks}]`,
    `[${marks}]{3}`,
    String.raw`[a-z\u00df-\u00f6\u00f8-\u00ff][\u0160\u0178\u017d\u0152\u00c0-\u00d6\u00d8-\u00de]`,
  ].join('|'),
  'u',
);

/** Whether most bytes beyond ASCII are good UTF-8, so that a part of the file was cut or changed. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const replaced = new TextDecoder().decode(bytes);
  const wrong = replaced.split('\u{fffd}').length - 1;
  const good = replaced.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return good > wrong;
}

function samplesOf(text: string): string[] {
  const words = text.matchAll(/[\p{L}\p{M}\d'’-]*[^\p{ASCII}\s][\p{L}\p{M}\d'’-]*/gu);
  return [...new Set(words.take(20).map(([word]) => word.slice(0, 40)))].slice(0, 3);
}

function firstWrongLine(bytes: Uint8Array): number {
  const [lineFeed, carriageReturn] = [10, 13];
  let line = 1;
  let begin = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte !== lineFeed && (byte !== carriageReturn || bytes[at + 1] === lineFeed)) continue;
    if (!isUtf8(bytes.subarray(begin, at))) return line;
    line += 1;
    begin = at + 1;
  }
  return line;
}
