import { searchForm } from '@storefront/contracts';
import { stemmer } from 'stemmer';

const mostOfDescription = 80;

// Scripts that have no spaces between words, with characters that several scripts share, such as the ー of kana.
const unspaced = String.raw`\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const inWords = String.raw`\p{L}\p{M}\p{N}`;
const words = new RegExp(`([[${inWords}]&&[${unspaced}]]+)|[[${inWords}]--[${unspaced}]]+`, 'gv');

/**
 * The words by which a product is found: all words of its name and SKU, and the first 80 of its description, each once.
 * They are in the search form and reduced to their stem, so that `Mugs` finds a mug. In scripts without spaces between
 * words, every character and every two neighbouring characters count as words. A text index of MongoDB is not used,
 * because it can't return results in the order of a list and would sort all of them for each page.
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
 * The words of a query; a product must have all of them to be found. In scripts without spaces these are every two
 * neighbouring characters, or a single character. Like other words, they need not be next to each other in the product.
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
