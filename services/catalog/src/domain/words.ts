import { searchForm } from '@storefront/contracts';
import { stemmer } from 'stemmer';

const mostOfTexts = 200;
const mostOfDescription = 80;

// Scripts that have no spaces between words, with characters that several scripts share, such as the ー of kana.
const unspaced = String.raw`\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const inWords = String.raw`\p{L}\p{M}\p{N}`;
const words = new RegExp(`([[${inWords}]&&[${unspaced}]]+)|[[${inWords}]--[${unspaced}]]+`, 'gv');

/** Most texts have only these characters, whose search form is lower case: several times as fast. */
const ascii = /^[\n\r\t -~]*$/;
const asciiWords = /[0-9a-z]+/g;

/** The texts by which a product is found, from the one that counts most. */
export interface SearchedTexts {
  readonly name: string;
  /** Its SKU, and those of its parts. */
  readonly skus: readonly string[];
  /** The texts of its attributes. */
  readonly texts: readonly string[];
  readonly description: string | null;
}

/** Words in the search form, each once in a list. */
export interface WordsOfProduct {
  readonly name: readonly string[];
  readonly skus: readonly string[];
  readonly texts: readonly string[];
  readonly description: readonly string[];
}

/**
 * The words by which a product is found: all of its name and SKUs, the first 200 of its attributes, and the first 80 of its
 * description. In scripts without spaces between words, every character and every two neighbouring characters count as
 * words.
 */
export function wordsOfProduct({ name, skus, texts, description }: SearchedTexts): WordsOfProduct {
  return {
    name: wordsOfText(name),
    skus: [...new Set(skus.flatMap(wordsOfText))],
    texts: [...new Set(texts.flatMap(wordsOfText))].slice(0, mostOfTexts),
    description: wordsOfText(description ?? '').slice(0, mostOfDescription),
  };
}

/** The words of a text, each once, with every character and every pair of scripts without spaces. */
export function wordsOfText(text: string): string[] {
  if (ascii.test(text)) return [...new Set(text.toLowerCase().match(asciiWords))];
  return [
    ...new Set(
      split(text, (characters) =>
        characters.flatMap((character, at) =>
          at === 0 ? [character] : [character, `${characters[at - 1]}${character}`],
        ),
      ).map(({ text: word }) => word),
    ),
  ];
}

/** A word of a query. A product is found if it has this word, or one that is taken for it. */
export interface QueryWord {
  readonly text: string;
  /** Words with the same stem count as the same word: `mugs` finds a mug. */
  readonly stem: string;
  /** Whether it also finds words that begin with it. Not where every part of a text is a word anyway. */
  readonly findsLonger: boolean;
  /** Whether it also finds words in which one letter is another. */
  readonly findsTypos: boolean;
}

/**
 * The words of a query; a product must have all of them to be found. In scripts without spaces these are every two
 * neighbouring characters, or a single character. Like other words, they need not be next to each other in the product.
 */
export function wordsOfQuery(query: string): QueryWord[] {
  const pairs = (characters: readonly string[]) =>
    characters.length === 1
      ? [...characters]
      : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  const found = split(query, pairs).map(({ text, isSpaced }) => ({
    text,
    stem: stemOf(text),
    findsLonger: isSpaced,
    findsTypos: isSpaced && isTolerant(text),
  }));
  return [...new Map(found.map((word) => [word.text, word])).values()];
}

/** The stem of a word in the search form. Only words with Latin letters have another stem than the word itself. */
export function stemOf(word: string): string {
  return /[a-z]/.test(word) ? stemmer(word) : word;
}

const fiveLetters = /^[\p{L}\p{M}]{5,}$/u;

/** Whether a word of a query is long enough to forgive a wrong letter. Numbers are never taken for others. */
function isTolerant(word: string): boolean {
  return fiveLetters.test(word);
}

interface Word {
  readonly text: string;
  readonly isSpaced: boolean;
}

function split(text: string, ofUnspaced: (characters: readonly string[]) => string[]): Word[] {
  return [...searchForm(text).matchAll(words)].flatMap(([word, characters]): Word[] =>
    characters === undefined
      ? [{ text: word, isSpaced: true }]
      : ofUnspaced(Array.from(characters)).map((part) => ({ text: part, isSpaced: false })),
  );
}
