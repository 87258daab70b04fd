import { foldText } from './fold-text.ts';

// Accents of Latin, Greek and Cyrillic letters, and the vowels of Hebrew and Arabic, which are rarely written. In other scripts
// marks are letters: without them か would be が, and a word of Hindi or Thai another one. U+3099 and U+309A make が of か.
const accents = /[[\p{M}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309a]]/gv;

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  // The sigma at the end of a Greek word, which in upper case is the same as any other.
  ς: 'σ',
};

/**
 * The form in which texts are searched: as `foldText`, and without accents and invisible signs; letters such as `ß` and `ø` become
 * plain ones. It depends on no locale.
 */
export function searchForm(text: string): string {
  return foldText(text)
    .normalize('NFD')
    .replaceAll(accents, '')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[ßæœøłđðς]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}
