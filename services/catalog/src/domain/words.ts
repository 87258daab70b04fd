import { stemmer } from 'stemmer';

const maxWords = 80;

/** Text for comparing: lower case, without accents; letters such as `ß` and `ø` become plain ones. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđð]/g, (letter) => plainLetters[letter] ?? letter);
}

const plainLetters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd' };

/**
 * The words by which texts are found: each once, folded and reduced to its stem, so that `Mugs` finds a mug. A text
 * index of MongoDB would do this too, but it can't return results in the order of a list: it would sort all of them for
 * each page.
 */
export function wordsOf(...texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) => fold(text ?? '').match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...new Set(words.map((word) => stemmer(word)))].slice(0, maxWords);
}
