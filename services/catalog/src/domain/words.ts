import { searchForm } from '@storefront/contracts';
import { stemmer } from 'stemmer';

const mostOfDescription = 80;

// Scripts written without spaces between words, with what they share with others, such as the ー of kana.
const unspaced = String.raw`\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const inWords = String.raw`\p{L}\p{M}\p{N}`;
const words = new RegExp(`([[${inWords}]&&[${unspaced}]]+)|[[${inWords}]--[${unspaced}]]+`, 'gv');

/**
 * The words by which a product is found: all of its name and SKU, and the first 80 of its description; each once, in the
 * form of searches and reduced to its stem, so that `Mugs` finds a mug. Of scripts without spaces between words these are
 * each character and each two neighbours. A text index of MongoDB would find words too, but it can't return results in the
 * order of a list: it would sort all of them for each page.
 */
export function wordsOfProduct(product: {
  readonly name: string;
  readonly sku: string;
  readonly description: string | null;
}): string[] {
  const every = (characters: readonly string[]) =>
    characters.flatMap((character, at) => (at === 0 ? [character] : [character, `${characters[at - 1]}${character}`]));
  const described = new Set(wordsOf(product.description ?? '', every));
  return [
    ...new Set([
      ...wordsOf(product.name, every),
      ...wordsOf(product.sku, every),
      ...[...described].slice(0, mostOfDescription),
    ]),
  ];
}

/**
 * The words that a product must have to be found. Of scripts without spaces these are each two neighbours, or a character
 * alone; like other words, they need not be beside one another in the product.
 */
export function wordsOfQuery(query: string): string[] {
  const pairs = (characters: readonly string[]) =>
    characters.length === 1
      ? [...characters]
      : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  return [...new Set(wordsOf(query, pairs))];
}

function wordsOf(text: string, ofUnspaced: (characters: readonly string[]) => string[]): string[] {
  return [...searchForm(text).matchAll(words)].flatMap(([word, characters]) =>
    characters === undefined ? [stemmer(word)] : ofUnspaced(Array.from(characters)),
  );
}
