import { foldText } from './fold-text.ts';

// Accents of Latin, Greek and Cyrillic letters, and the vowels of Hebrew and Arabic, which are rarely written. In other
// scripts, marks must stay, because they make other letters or words. So U+3099 and U+309A, which make
// が of か, are not removed.
const accents = /[[\p{M}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309a]]/gv;

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  // The form of sigma at the end of a Greek word. In upper case both forms are the same letter.
  ς: 'σ',
};

/**
 * Makes the form in which texts are searched: like `foldText`, and also without accents and invisible characters.
 * Letters such as `ß` and `ø` become plain ones. The result does not depend on the locale.
 */
export function searchForm(text: string): string {
  return foldText(text)
    .normalize('NFD')
    .replaceAll(accents, '')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[ßæœøłđðς]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

/** The distinct words of a text in the form of `searchForm`: only letters and digits. */
export function searchWords(text: string): string[] {
  return [...new Set(searchForm(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])];
}
