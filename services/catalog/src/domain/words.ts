import { stemmer } from 'stemmer';

const most = 80;

/** Text for comparing: lower case, without accents; `ß`, `ø` and their like in plain letters. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđð]/g, (letter) => plain[letter] ?? letter);
}

const plain: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd' };

/**
 * The words by which a text is found, each once, in their order: folded and cut to their stem, so that `Mugs` finds a
 * mug. A text index of the database would do this too, but it can't answer in the order of a list: it would sort all that
 * it found for each page.
 */
export function wordsOf(...texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) => fold(text ?? '').match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...new Set(words.map((word) => stemmer(word)))].slice(0, most);
}
