import type { Dictionary, Fit } from './dictionary.ts';
import { withRoom } from './columns.ts';
import type { Postings } from './postings.ts';
import type { QueryWord } from '../words.ts';
import { matchOf, noMatch, places, rankOfMatch } from './ranks.ts';

/** The lists of places that a word of a query matches, by how well it fits. Their entries also say where the word stands. */
interface WordLists {
  readonly lists: readonly { readonly postings: Postings; readonly key: number; readonly fit: Fit }[];
  readonly entries: number;
}

export interface SearchedLists {
  readonly dictionary: Dictionary;
  readonly wordPlaces: Postings;
  readonly categoryPlaces: Postings;
  /** The categories with this word in their name. */
  readonly categoriesWithWord: (word: number) => readonly number[];
}

/**
 * Finds the places that match all words of a query. Holds arrays that each search uses again, so its answer is valid until the
 * next call.
 */
export class Matching {
  #candidates = new Uint32Array(64);
  #matches = new Uint8Array(64);
  #ranks = new Float64Array(64);
  #entries = new Uint32Array(64);

  /** The rank of each place that was found last. */
  get ranks(): Float64Array {
    return this.#ranks;
  }

  /** `size` is the number of places. Each is returned at most once, in no order. */
  find(words: readonly QueryWord[], size: number, lists: SearchedLists): Uint32Array {
    this.#candidates = withRoom(this.#candidates, size);
    this.#matches = withRoom(this.#matches, size);
    this.#ranks = withRoom(this.#ranks, size);
    const [candidates, matches, ranks] = [this.#candidates, this.#matches, this.#ranks];
    // The rarest word first, so that the lists of the others need not be read where nothing is left.
    const rarestFirst = words.map((word) => listsOf(word, lists)).toSorted((one, other) => one.entries - other.entries);
    let count = 0;
    for (const [at, word] of rarestFirst.entries()) {
      if (at > 0 && count === 0) break;
      matches.fill(noMatch, 0, size);
      const length = this.#read(word);
      if (at === 0) count = begin(this.#entries, length, { candidates, matches, ranks });
      else note(this.#entries, length, matches);
      count = keepMatching(candidates, count, { matches, ranks });
    }
    return candidates.subarray(0, count);
  }

  /** Reads all lists into one: four bits of each entry say how well it matches. Returns its length. */
  #read({ lists, entries }: WordLists): number {
    this.#entries = withRoom(this.#entries, entries);
    const read = this.#entries;
    let length = 0;
    for (const { postings, key, fit } of lists) {
      const from = length;
      length = postings.read(key, read, from);
      const best = matchOf(fit, places.name);
      for (let at = from; at < length; at += 1) {
        const entry = read[at] as number;
        read[at] = (entry >>> 2) * 16 + best + (entry & 3);
      }
    }
    return length;
  }
}

function listsOf(
  word: QueryWord,
  { dictionary, wordPlaces, categoryPlaces, categoriesWithWord }: SearchedLists,
): WordLists {
  const lists: WordLists['lists'][number][] = [];
  let entries = 0;
  const add = (postings: Postings, key: number, fit: Fit) => {
    lists.push({ postings, key, fit });
    entries += postings.lengthOf(key);
  };
  dictionary.fitting(word, (number, fit) => {
    add(wordPlaces, number, fit);
    for (const category of categoriesWithWord(number)) add(categoryPlaces, category, fit);
  });
  return { lists, entries };
}

interface Arrays {
  readonly candidates: Uint32Array;
  readonly matches: Uint8Array;
  readonly ranks: Float64Array;
}

function begin(entries: Uint32Array, length: number, { candidates, matches, ranks }: Arrays): number {
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    const entry = entries[at] as number;
    const place = entry >>> 4;
    const match = entry & 15;
    const before = matches[place] as number;
    if (before === noMatch) {
      candidates[count] = place;
      ranks[place] = 0;
      count += 1;
    }
    if (match < before) matches[place] = match;
  }
  return count;
}

function note(entries: Uint32Array, length: number, matches: Uint8Array): void {
  for (let at = 0; at < length; at += 1) {
    const entry = entries[at] as number;
    const place = entry >>> 4;
    const match = entry & 15;
    if (match < (matches[place] as number)) matches[place] = match;
  }
}

function keepMatching(candidates: Uint32Array, count: number, { matches, ranks }: Omit<Arrays, 'candidates'>): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const place = candidates[index] as number;
    const match = matches[place] as number;
    if (match === noMatch) continue;
    (ranks[place] as number) += rankOfMatch[match] as number;
    candidates[kept] = place;
    kept += 1;
  }
  return kept;
}
