import { stemOf, type QueryWord } from '../words.ts';
import { isOneEditAway } from './one-edit.ts';
import { SortedTexts } from './sorted-texts.ts';

/** How a word of a product fits a word of a query, from the best. */
export const fits = { whole: 0, beginning: 1, typo: 2 } as const;
export type Fit = (typeof fits)[keyof typeof fits];

const onlyLetters = /^[\p{L}\p{M}]{4,}$/u;

/** All words of all products, each with a number. Words are never removed. */
export class Dictionary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  /** By their stems, the words that are not the stem itself. */
  readonly #byStem = new Map<string, number[]>();
  readonly #inOrder = new SortedTexts();
  /** Words of letters alone, read from their end: for words in which the wrong letter stands in the first half. */
  readonly #fromTheEnd = new SortedTexts();

  get size(): number {
    return this.#words.length;
  }

  /** Returns the number of a word, which is added if it is new. */
  add(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#words.length;
    this.#words.push(word);
    this.#numbers.set(word, number);
    const stem = stemOf(word);
    if (stem !== word) {
      const same = this.#byStem.get(stem);
      if (same) same.push(number);
      else this.#byStem.set(stem, [number]);
    }
    this.#inOrder.add(word, number);
    if (onlyLetters.test(word)) this.#fromTheEnd.add(reversed(word), number);
    return number;
  }

  /** Calls `found` with each word that fits, at least once, and with its best fit first. */
  fitting(word: QueryWord, found: (number: number, fit: Fit) => void): void {
    for (const number of this.#byStem.get(word.stem) ?? []) found(number, fits.whole);
    const same = this.#numbers.get(word.stem);
    if (same !== undefined && stemOf(word.stem) === word.stem) found(same, fits.whole);
    if (word.findsLonger) this.#inOrder.beginningWith(word.text, (number) => found(number, fits.beginning));
    if (word.findsTypos) this.#withTypo(word.text, (number) => found(number, fits.typo));
  }

  /**
   * One wrong letter leaves either the first half of a word as it is, or the second; only a swap of the two letters in the
   * middle changes both.
   */
  #withTypo(text: string, found: (number: number) => void): void {
    const middle = Math.floor(text.length / 2);
    const check = (number: number) => {
      const word = this.#words[number] as string;
      if (isOneEditAway(text, word) && onlyLetters.test(word)) found(number);
    };
    this.#inOrder.beginningWith(text.slice(0, middle), check);
    this.#fromTheEnd.beginningWith(reversed(text.slice(middle)), check);
    const swapped = this.#numbers.get(
      `${text.slice(0, middle - 1)}${text[middle]}${text[middle - 1]}${text.slice(middle + 1)}`,
    );
    if (swapped !== undefined) check(swapped);
  }
}

// In UTF-16 units, as `isOneEditAway` counts.
function reversed(word: string): string {
  let text = '';
  for (let at = word.length - 1; at >= 0; at -= 1) text += word[at];
  return text;
}
