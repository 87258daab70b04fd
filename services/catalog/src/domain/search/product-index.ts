import { hash } from 'node:crypto';
import { catalogHttp, type PageOf, type Slice } from '@storefront/contracts';
import { RecentlyUsed } from '../recently-used.ts';
import { wordsOfProduct, wordsOfText, type QueryWord } from '../words.ts';
import { Categories } from './categories.ts';
import { NumberList, withRoom } from './columns.ts';
import { Dictionary } from './dictionary.ts';
import { countValues, facetOf, type CountedValue } from './facets.ts';
import { firstOf } from './first-of.ts';
import type { IndexedCategory, IndexedProduct } from './indexed-product.ts';
import { Matching } from './matching.ts';
import { orderBy } from './orders.ts';
import { Postings } from './postings.ts';
import { priceFacet } from './price-ranges.ts';
import { places, type Place } from './ranks.ts';
import { SortedTexts } from './sorted-texts.ts';

/** What a search looks for. All conditions have to be met. */
export interface IndexQuery {
  /** Only these products; null for all. */
  readonly ids: readonly string[] | null;
  readonly statuses: readonly catalogHttp.ProductStatus[];
  /** Null for no search by words. */
  readonly words: readonly QueryWord[] | null;
  /** In one of these categories, those below them included; null for any. */
  readonly categoryIds: readonly string[] | null;
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
  readonly inStock: boolean | undefined;
  /** The values of each attribute, of which a product must have one. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** Whether only visible categories are named, and found by their names. */
  readonly onlyVisible: boolean;
  readonly sort: catalogHttp.ProductSort;
  readonly facets: readonly string[];
}

interface FoundProduct {
  readonly id: string;
  /** The version of the product that the index knows. */
  readonly version: number;
}

export interface IndexAnswer extends PageOf<FoundProduct> {
  readonly count: number;
  readonly facets: catalogHttp.ProductFacet[];
}

/** An answer with the places of its products, whose versions may change without the answer. */
interface PlacedAnswer extends Omit<IndexAnswer, 'items'> {
  readonly places: readonly number[];
}

// An answer with ten facets of fifty values takes 50 KB, most take a tenth of it.
const mostAnswers = 200;
const statuses = catalogHttp.productStatus.options;
/** The status of a place that no product uses any more. */
const unused = statuses.length;
// As many as a number holds.
const digestBytes = 6;
const none = new Uint32Array(0);
const fieldBits = { category: 1, price: 2, inStock: 4, firstAttribute: 8, most: 8 } as const;

/**
 * Products and categories in memory, for searches with words, filters and counts. Each product has a place, a number, in all
 * columns. A product whose texts, categories or attributes change gets a new place, and the old one stays unused, so the
 * lists of places are only ever added to.
 */
export class ProductIndex {
  readonly #places = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #nameKeys: string[] = [];
  /** A digest of what can't be changed without a new place; one of 280 million million changes has that of before. */
  #digests = new Float64Array(64);
  #versions = new Float64Array(64);
  #statuses = new Uint8Array(64);
  #prices = new Float64Array(64);
  #inStock = new Uint8Array(64);
  #createdAt = new Float64Array(64);
  /** The names in order, and the ranks of those that were put in order, which are the first ones. */
  readonly #names = new SortedTexts();
  #nameRanks = new Uint32Array(64);
  #ranked = 0;
  #unusedPlaces = 0;
  /** Answers to searches since the last change that any search could show. */
  readonly #answers = new RecentlyUsed<PlacedAnswer>(mostAnswers);

  readonly #dictionary = new Dictionary();
  /** Of each word, category and value its products: four times the place, and where the word stands in the product. */
  readonly #wordPlaces = new Postings();
  readonly #categories = new Categories();
  readonly #categoryPlaces = new Postings();
  readonly #valueNumbers = new Map<string, number>();
  readonly #values: CountedValue[] = [];
  readonly #valuesOf = new Map<string, number[]>();
  readonly #valuePlaces = new Postings();
  /** The numbers of the categories of each place, and where they begin for each place; likewise of values of attributes. */
  readonly #categoryNumbers = new NumberList();
  #categoriesFrom = new Uint32Array(64);
  readonly #valuesOfPlaces = new NumberList();
  #valuesFrom = new Uint32Array(64);

  /** All places. */
  #all = new Uint32Array(64);

  // Reused by each search, so that none has to allocate them.
  readonly #matching = new Matching();
  #passed = new Uint8Array(64);
  readonly #nearly: Uint32Array[] = [];
  #hits = new Uint32Array(64);

  /** The number of products. */
  get size(): number {
    return this.#places.size;
  }

  /** Whether so many places are unused that a new index would be much smaller. */
  get isWasteful(): boolean {
    return this.#unusedPlaces > Math.max(10_000, this.size);
  }

  putProduct(product: IndexedProduct): void {
    const { id, texts, categoryIds, attributes, nameKey, createdAt } = product;
    const fixed = JSON.stringify([texts, categoryIds, attributes, nameKey, createdAt]);
    const digest = hash('sha1', fixed, 'buffer').readUIntBE(0, digestBytes);
    const [status, inStock] = [statuses.indexOf(product.status), Number(product.inStock)];
    let place = this.#places.get(id);
    const isPlaced = place !== undefined && this.#digests[place] === digest;
    if (place === undefined || !isPlaced) {
      this.removeProduct(id);
      place = this.#ids.length;
      this.#makeRoom(place + 1);
      this.#places.set(id, place);
      this.#all[place] = place;
      this.#ids.push(id);
      this.#digests[place] = digest;
      this.#addName(place, nameKey);
      this.#createdAt[place] = createdAt.getTime();
      this.#addWords(place, product);
      this.#addCategories(place, categoryIds);
      this.#addValues(place, attributes);
    }
    this.#versions[place] = product.version;
    // Most changes are of a stock that does not end, and change no answer.
    const isSame =
      isPlaced &&
      this.#statuses[place] === status &&
      this.#prices[place] === product.price &&
      this.#inStock[place] === inStock;
    if (isSame) return;
    this.#answers.clear();
    this.#statuses[place] = status;
    this.#prices[place] = product.price;
    this.#inStock[place] = inStock;
  }

  removeProduct(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#answers.clear();
    this.#places.delete(id);
    this.#statuses[place] = unused;
    this.#unusedPlaces += 1;
  }

  putCategory(category: IndexedCategory): void {
    this.#answers.clear();
    const words = wordsOfText(category.name).map((word) => this.#dictionary.add(word));
    this.#categories.put(category, words);
  }

  removeCategory(id: string): void {
    this.#answers.clear();
    this.#categories.remove(id);
  }

  /** A category, by id or slug, and all categories below it; empty where there is no such category. */
  branch(idOrSlug: string): readonly string[] {
    return this.#categories.branch(idOrSlug);
  }

  /** Finds a page of products. Where it is asked for facets, each ignores the filter of its own field. */
  search(query: IndexQuery, slice: Slice): IndexAnswer {
    const key = JSON.stringify([{ ...query, attributes: [...query.attributes] }, slice]);
    let answer = this.#answers.get(key);
    if (answer === undefined) this.#answers.set(key, (answer = this.#answerTo(query, slice)));
    const { places: shown, ...rest } = answer;
    const items = shown.map((place) => ({ id: this.#ids[place] as string, version: this.#versions[place] as number }));
    return { items, ...rest };
  }

  #answerTo(query: IndexQuery, slice: Slice): PlacedAnswer {
    const candidates = this.#candidatesOf(query);
    const bits = this.#markFilters(query);
    const own = query.facets.reduce((sum, field) => sum | (bits.get(field) ?? 0), 0);
    const { hits, nearly } = this.#filter(candidates, query, { required: sumOf(bits.values()), own });
    return {
      ...this.#page(hits, query.sort, slice),
      count: hits.length,
      facets: this.#facets(query, hits, (field) => nearly[numberOfBit(bits.get(field) ?? 0)] ?? none),
    };
  }

  /**
   * The places that pass all filters; and, by the numbers of the bits in `own`, those that only the filter of that field
   * leaves out.
   */
  #filter(
    candidates: Uint32Array,
    query: IndexQuery,
    { required, own }: { readonly required: number; readonly own: number },
  ): { readonly hits: Uint32Array; readonly nearly: readonly Uint32Array[] } {
    const [ofPlaces, prices, stock, marks, hits] = [
      this.#statuses,
      this.#prices,
      this.#inStock,
      this.#passed,
      this.#hits,
    ];
    const isAsked = Uint8Array.from([...statuses.map((status) => query.statuses.includes(status)), false], Number);
    const { minPrice = -Infinity, maxPrice = Infinity } = query;
    const wantedStock = Number(query.inStock);
    const nearly = this.#nearly;
    const nearlyCounts = new Uint32Array(fieldBits.most);
    for (let number = 0; number < nearlyCounts.length; number += 1)
      if ((own >>> number) & 1) nearly[number] = withRoom(nearly[number] ?? none, candidates.length);
    let count = 0;
    for (let index = 0; index < candidates.length; index += 1) {
      const place = candidates[index] as number;
      if (isAsked[ofPlaces[place] as number] === 0) continue;
      let failed = 0;
      if (required !== 0) {
        const price = prices[place] as number;
        const passed =
          (marks[place] as number) |
          (price >= minPrice && price <= maxPrice ? fieldBits.price : 0) |
          (stock[place] === wantedStock ? fieldBits.inStock : 0);
        failed = required & ~passed;
      }
      if (failed === 0) {
        hits[count] = place;
        count += 1;
      } else if ((failed & own) === failed && (failed & (failed - 1)) === 0) {
        const number = numberOfBit(failed);
        (nearly[number] as Uint32Array)[nearlyCounts[number] as number] = place;
        (nearlyCounts[number] as number) += 1;
      }
    }
    return {
      hits: hits.subarray(0, count),
      nearly: nearly.map((list, number) => list.subarray(0, nearlyCounts[number])),
    };
  }

  #makeRoom(length: number): void {
    this.#digests = withRoom(this.#digests, length);
    this.#versions = withRoom(this.#versions, length);
    this.#statuses = withRoom(this.#statuses, length);
    this.#prices = withRoom(this.#prices, length);
    this.#inStock = withRoom(this.#inStock, length);
    this.#createdAt = withRoom(this.#createdAt, length);
    this.#nameRanks = withRoom(this.#nameRanks, length);
    this.#categoriesFrom = withRoom(this.#categoriesFrom, length + 1);
    this.#valuesFrom = withRoom(this.#valuesFrom, length + 1);
    this.#passed = withRoom(this.#passed, length);
    this.#all = withRoom(this.#all, length);
    this.#hits = withRoom(this.#hits, length);
  }

  #addName(place: number, nameKey: string): void {
    this.#nameKeys.push(nameKey);
    this.#names.add(nameKey, place);
    if (this.#names.sorted === this.#ranked) return;
    this.#names.writeRanks(this.#nameRanks);
    this.#ranked = this.#names.sorted;
  }

  #addWords(place: number, { texts }: IndexedProduct): void {
    const words = wordsOfProduct(texts);
    const seen = new Set<string>();
    const add = (from: Place, list: readonly string[]) => {
      for (const word of list) {
        if (seen.has(word)) continue;
        seen.add(word);
        this.#wordPlaces.add(this.#dictionary.add(word), place * 4 + from);
      }
    };
    add(places.name, words.name);
    add(places.key, words.skus);
    add(places.key, words.texts);
    add(places.description, words.description);
  }

  #addCategories(place: number, ids: readonly string[]): void {
    for (const id of new Set(ids)) {
      const number = this.#categories.numberOf(id);
      this.#categoryPlaces.add(number, place * 4 + places.key);
      this.#categoryNumbers.add(number);
    }
    this.#categoriesFrom[place + 1] = this.#categoryNumbers.length;
  }

  #addValues(place: number, attributes: IndexedProduct['attributes']): void {
    const numbers = new Set(attributes.map(([name, value]) => this.#numberOfValue(name, value)));
    for (const number of numbers) {
      this.#valuePlaces.add(number, place * 4 + places.key);
      this.#valuesOfPlaces.add(number);
    }
    this.#valuesFrom[place + 1] = this.#valuesOfPlaces.length;
  }

  #numberOfValue(name: string, value: string): number {
    const key = valueKey(name, value);
    const known = this.#valueNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.#values.length;
    this.#valueNumbers.set(key, number);
    this.#values.push({ name, value });
    const ofName = this.#valuesOf.get(name);
    if (ofName) ofName.push(number);
    else this.#valuesOf.set(name, [number]);
    return number;
  }

  /** The places that may be found, each once, without regard to filters. */
  #candidatesOf({ words, ids, onlyVisible }: IndexQuery): Uint32Array {
    const named = ids && new Set(ids.flatMap((id) => this.#places.get(id) ?? []));
    if (words) {
      const matching = this.#matching.find(words, this.#ids.length, {
        dictionary: this.#dictionary,
        wordPlaces: this.#wordPlaces,
        categoryPlaces: this.#categoryPlaces,
        categoriesWithWord: (word) => this.#categories.withWord(word, onlyVisible),
      });
      return named ? matching.filter((place) => named.has(place)) : matching;
    }
    if (named) return Uint32Array.from(named);
    return this.#all.subarray(0, this.#ids.length);
  }

  /** Marks the places that pass the filters by category and attributes. Returns the bits of the filtered fields. */
  #markFilters({ categoryIds, minPrice, maxPrice, inStock, attributes }: IndexQuery): ReadonlyMap<string, number> {
    const passed = this.#passed;
    const bits = new Map<string, number>();
    if (categoryIds || attributes.size > 0) passed.fill(0, 0, this.#ids.length);
    const mark = (postings: Postings, key: number, bit: number) => {
      // As each place is in a list at most once, the hits of this search have room for every list.
      const length = postings.read(key, this.#hits, 0);
      for (let at = 0; at < length; at += 1) (passed[(this.#hits[at] as number) >>> 2] as number) |= bit;
    };
    if (categoryIds) {
      bits.set('category', fieldBits.category);
      for (const id of categoryIds) mark(this.#categoryPlaces, this.#categories.numberOf(id), fieldBits.category);
    }
    if (minPrice !== undefined || maxPrice !== undefined) bits.set('price', fieldBits.price);
    if (inStock !== undefined) bits.set('inStock', fieldBits.inStock);
    let bit: number = fieldBits.firstAttribute;
    for (const [name, values] of attributes) {
      bits.set(`attr.${name}`, bit);
      for (const value of values) {
        const number = this.#valueNumbers.get(valueKey(name, value));
        if (number !== undefined) mark(this.#valuePlaces, number, bit);
      }
      bit *= 2;
    }
    return bits;
  }

  #page(
    hits: Uint32Array,
    sort: catalogHttp.ProductSort,
    { limit, after }: Slice,
  ): Pick<PlacedAnswer, 'places' | 'next'> {
    const order = orderBy(sort, {
      ids: this.#ids,
      nameKeys: this.#nameKeys,
      nameRanks: this.#nameRanks,
      ranked: this.#ranked,
      prices: this.#prices,
      createdAt: this.#createdAt,
      ranks: this.#matching.ranks,
    });
    const further = after === undefined ? hits : hits.filter((place) => order.compareTo(place, after) > 0);
    const first = firstOf(further, limit + 1, order.compare);
    const shown = first.slice(0, limit);
    const last = first.length > limit ? shown.at(-1) : undefined;
    return { places: shown, next: last === undefined ? null : order.positionOf(last) };
  }

  #facets(
    { facets, onlyVisible }: IndexQuery,
    found: Uint32Array,
    nearlyFound: (field: string) => Uint32Array,
  ): catalogHttp.ProductFacet[] {
    const names = new Set(facets.filter((field) => field.startsWith('attr.')).map((field) => field.slice(5)));
    const values = names.size > 0 ? this.#countValues(found) : null;
    return facets.map((field) => {
      const nearly = nearlyFound(field);
      if (field === 'category') return this.#categoryFacet(found, nearly, onlyVisible);
      if (field === 'price') return priceFacet(this.#prices, [found, nearly]);
      if (field === 'inStock') return this.#stockFacet(found, nearly);
      const counts = nearly.length > 0 ? this.#countValues(nearly) : null;
      const name = field.slice(5);
      return facetOf(
        field,
        this.#valuesOf.get(name) ?? [],
        (number) => (values?.[number] ?? 0) + (counts?.[number] ?? 0),
        (number) => ({ value: this.#values[number]?.value ?? '', label: this.#values[number]?.value ?? '' }),
      );
    });
  }

  #countValues(list: Uint32Array): Uint32Array {
    return countValues(list, this.#valuesOfPlaces.values, this.#valuesFrom, this.#values.length);
  }

  #categoryFacet(found: Uint32Array, nearly: Uint32Array, onlyVisible: boolean): catalogHttp.ProductFacet {
    const ofPlaces = { numbers: this.#categoryNumbers.values, from: this.#categoriesFrom };
    const counts = this.#categories.count([found, nearly], ofPlaces, onlyVisible);
    return facetOf(
      'category',
      [...counts.keys()],
      (number) => counts.get(number) ?? 0,
      (number) => this.#categories.textsOf(number),
    );
  }

  #stockFacet(found: Uint32Array, nearly: Uint32Array): catalogHttp.ProductFacet {
    let inStock = 0;
    for (const list of [found, nearly])
      for (let index = 0; index < list.length; index += 1) inStock += this.#inStock[list[index] as number] as number;
    const counts = [found.length + nearly.length - inStock, inStock];
    const textOf = (number: number) => String(number === 1);
    return facetOf(
      'inStock',
      [0, 1],
      (number) => counts[number] ?? 0,
      (number) => ({ value: textOf(number), label: textOf(number) }),
    );
  }
}

function valueKey(name: string, value: string): string {
  return `${name}\0${value}`;
}

/** -1 for none. */
function numberOfBit(bit: number): number {
  return 31 - Math.clz32(bit);
}

function sumOf(bits: Iterable<number>): number {
  let sum = 0;
  for (const bit of bits) sum += bit;
  return sum;
}
