import { withRoom } from './columns.ts';
import type { IndexedCategory } from './indexed-product.ts';

interface Known {
  readonly category: IndexedCategory;
  /** The numbers of the words of its name. */
  readonly words: readonly number[];
}

/** The categories of a product index. Each id has a number; a product may have the id before its category is known. */
export class Categories {
  readonly #numbers = new Map<string, number>();
  readonly #known: (Known | null)[] = [];
  readonly #bySlug = new Map<string, string>();
  readonly #below = new Map<string, Set<string>>();
  readonly #byWord = new Map<number, Set<number>>();
  /** Of a category its own number and those of all above it, where they were needed since the last change. */
  #upwards: (readonly number[] | undefined)[] = [];
  // Zero between two calls of `count`.
  #alone = new Uint32Array(64);
  #totals = new Uint32Array(64);

  numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#known.length;
    this.#numbers.set(id, number);
    this.#known.push(null);
    this.#upwards = [];
    return number;
  }

  put(category: IndexedCategory, words: readonly number[]): void {
    this.remove(category.id);
    const number = this.numberOf(category.id);
    this.#known[number] = { category, words };
    this.#upwards = [];
    this.#bySlug.set(category.slug, category.id);
    for (const id of category.path) setOf(this.#below, id).add(category.id);
    for (const word of words) setOf(this.#byWord, word).add(number);
  }

  remove(id: string): void {
    const number = this.numberOf(id);
    const known = this.#known[number];
    if (!known) return;
    const { category, words } = known;
    this.#known[number] = null;
    this.#upwards = [];
    if (this.#bySlug.get(category.slug) === id) this.#bySlug.delete(category.slug);
    for (const above of category.path) this.#below.get(above)?.delete(id);
    for (const word of words) this.#byWord.get(word)?.delete(number);
  }

  branch(idOrSlug: string): readonly string[] {
    const id = this.#bySlug.get(idOrSlug) ?? idOrSlug;
    const number = this.#numbers.get(id);
    return number === undefined || !this.#known[number] ? [] : [id, ...(this.#below.get(id) ?? [])];
  }

  /** The numbers of the categories with this word in their name. */
  withWord(word: number, onlyVisible: boolean): readonly number[] {
    const numbers = [...(this.#byWord.get(word) ?? [])];
    return onlyVisible ? numbers.filter((number) => this.#known[number]?.category.visible) : numbers;
  }

  /**
   * How many of the places are in each category, or in one below it. The numbers of the categories of a place stand in
   * `numbers`, from `from[place]` up to the beginning of the next place. Leaves out categories that may not be named.
   */
  count(
    lists: readonly Uint32Array[],
    { numbers, from }: { readonly numbers: Uint32Array; readonly from: Uint32Array },
    onlyVisible: boolean,
  ): ReadonlyMap<number, number> {
    this.#alone = withRoom(this.#alone, this.#known.length);
    this.#totals = withRoom(this.#totals, this.#known.length);
    const [alone, totals] = [this.#alone, this.#totals];
    const counted: number[] = [];
    const add = (number: number, count: number) => {
      if (totals[number] === 0) counted.push(number);
      (totals[number] as number) += count;
    };
    // Most products have one category, so these are first counted by it, and then for all categories above it at once.
    const single: number[] = [];
    const branches: number[] = [];
    for (const places of lists) {
      for (let index = 0; index < places.length; index += 1) {
        const begin = from[places[index] as number] as number;
        const end = from[(places[index] as number) + 1] as number;
        if (end - begin === 1) {
          const number = numbers[begin] as number;
          if (alone[number] === 0) single.push(number);
          (alone[number] as number) += 1;
          continue;
        }
        branches.length = 0;
        for (let at = begin; at < end; at += 1)
          for (const number of this.#above(numbers[at] as number))
            if (!branches.includes(number)) branches.push(number);
        for (const number of branches) add(number, 1);
      }
    }
    for (const number of single) {
      for (const above of this.#above(number)) add(above, alone[number] as number);
      alone[number] = 0;
    }
    const counts = new Map<number, number>();
    for (const number of counted) {
      const known = this.#known[number];
      if (known && (known.category.visible || !onlyVisible)) counts.set(number, totals[number] as number);
      totals[number] = 0;
    }
    return counts;
  }

  textsOf(number: number): { readonly value: string; readonly label: string } {
    const { id = '', name = '' } = this.#known[number]?.category ?? {};
    return { value: id, label: name };
  }

  #above(number: number): readonly number[] {
    const path = this.#known[number]?.category.path ?? [];
    return (this.#upwards[number] ??= [number, ...path.flatMap((id) => this.#numbers.get(id) ?? [])]);
  }
}

function setOf<Key, Value>(sets: Map<Key, Set<Value>>, key: Key): Set<Value> {
  let set = sets.get(key);
  if (set === undefined) sets.set(key, (set = new Set()));
  return set;
}
