import { withRoom } from './columns.ts';

const largestBlock = 4096;
// To copy more numbers at once is faster than one by one.
const longestLoop = 32;

/**
 * Lists of numbers by key, to which numbers are only added. All lists share one array: a list is a chain of blocks, each
 * twice as long as the block before it. So millions of entries in hundreds of thousands of lists need no object each.
 */
export class Postings {
  #pool = new Uint32Array(1024);
  /** Place 0 is never used, so that 0 can mean that there is no block. */
  #used = 1;
  #first = new Uint32Array(64);
  #next = new Uint32Array(64);
  #left = new Uint32Array(64);
  #lengths = new Uint32Array(64);

  add(key: number, value: number): void {
    if (key >= this.#left.length) this.#makeRoom(key + 1);
    if (this.#left[key] === 0) this.#addBlock(key);
    const at = this.#next[key] as number;
    this.#pool[at] = value;
    this.#next[key] = at + 1;
    (this.#left[key] as number) -= 1;
    (this.#lengths[key] as number) += 1;
  }

  lengthOf(key: number): number {
    return this.#lengths[key] ?? 0;
  }

  /** Writes the list into `to` from `at` on. Returns the place after its last number. */
  read(key: number, to: Uint32Array, at: number): number {
    let left = this.lengthOf(key);
    let from = this.#first[key] as number;
    let next = at;
    for (let size = 1; left > 0; size = nextSize(size)) {
      const count = Math.min(size, left);
      if (count > longestLoop) to.set(this.#pool.subarray(from, from + count), next);
      else for (let index = 0; index < count; index += 1) to[next + index] = this.#pool[from + index] as number;
      next += count;
      left -= count;
      if (left > 0) from = this.#pool[from + count] as number;
    }
    return next;
  }

  #makeRoom(keys: number): void {
    this.#first = withRoom(this.#first, keys);
    this.#next = withRoom(this.#next, keys);
    this.#left = withRoom(this.#left, keys);
    this.#lengths = withRoom(this.#lengths, keys);
  }

  // A block of n numbers has n + 1 places: the last one says where the next block begins.
  #addBlock(key: number): void {
    const length = this.#lengths[key] as number;
    let size = 1;
    for (let blocks = length; blocks >= size; size = nextSize(size)) blocks -= size;
    const block = this.#used;
    this.#used += size + 1;
    this.#pool = withRoom(this.#pool, this.#used);
    if (length === 0) this.#first[key] = block;
    else this.#pool[this.#next[key] as number] = block;
    this.#next[key] = block;
    this.#left[key] = size;
  }
}

function nextSize(size: number): number {
  return Math.min(size * 2, largestBlock);
}
