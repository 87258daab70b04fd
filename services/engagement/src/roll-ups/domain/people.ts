/**
 * Some of the people whose numbers are in one chunk, by the low 16 bits of their numbers: a sorted list of 2 bytes each, or, where that
 * were as long, a bit for every number of the chunk. The length tells which of both it is.
 */
export type PeopleChunk = Uint8Array;

const chunkBits = 16;
const bitmapBytes = 2 ** chunkBits / 8;

/** In which chunk a person's number is. */
export function chunkOf(person: number): number {
  return Math.floor(person / 2 ** chunkBits);
}

/** The number within its chunk. */
export function placeOf(person: number): number {
  return person % 2 ** chunkBits;
}

export const noPeople: PeopleChunk = new Uint8Array(0);

/** Holds everybody who is in one of the chunks or places. */
export function unionOf(chunks: readonly PeopleChunk[], places: Iterable<number> = []): PeopleChunk {
  const more = [...places];
  const few = fewPlacesOf(chunks, more);
  return few ? listOf(few) : compact(bitmapOf(chunks, more));
}

/** Whether everybody who is in one of the places is in the chunk. */
export function holdsAll(chunk: PeopleChunk, places: Iterable<number>): boolean {
  const holds = isBitmap(chunk) ? isBitSet : isListed;
  for (const place of places) if (!holds(chunk, place)) return false;
  return true;
}

export function sizeOf(chunk: PeopleChunk): number {
  return isBitmap(chunk) ? countBits(wordsOf(chunk)) : chunk.length / 2;
}

/** How many different people are in the chunks. */
export function sizeOfUnion(chunks: readonly PeopleChunk[]): number {
  const [only, ...others] = chunks;
  if (only === undefined) return 0;
  if (others.length === 0) return sizeOf(only);
  return countBits(bitmapOf(chunks, []));
}

/** The different places, sorted; null where a bit for each number may be as short. */
function fewPlacesOf(chunks: readonly PeopleChunk[], places: readonly number[]): Uint16Array | null {
  if (chunks.some(isBitmap)) return null;
  const all = [...places];
  for (const chunk of chunks) for (let at = 0; at < chunk.length / 2; at += 1) all.push(listedAt(chunk, at));
  if (all.length * 2 >= bitmapBytes) return null;
  return Uint16Array.from(new Set(all)).sort();
}

function listOf(places: Uint16Array): PeopleChunk {
  const list = new Uint8Array(places.length * 2);
  for (const [at, place] of places.entries()) {
    list[2 * at] = place % 256;
    list[2 * at + 1] = place >> 8;
  }
  return list;
}

/** A bit for every number, as whole words, which are quicker to unite and to count than bytes. */
function bitmapOf(chunks: readonly PeopleChunk[], places: readonly number[]): Uint32Array {
  const words = new Uint32Array(bitmapBytes / 4);
  const bytes = new Uint8Array(words.buffer);
  for (const chunk of chunks) {
    if (isBitmap(chunk)) {
      const more = wordsOf(chunk);
      for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) | (more[at] ?? 0);
    } else for (let at = 0; at < chunk.length / 2; at += 1) set(bytes, listedAt(chunk, at));
  }
  for (const place of places) set(bytes, place);
  return words;
}

/** A copy: what the driver returns may begin anywhere in its memory, and words may not. */
function wordsOf(bitmap: PeopleChunk): Uint32Array {
  return new Uint32Array(new Uint8Array(bitmap).buffer);
}

function compact(words: Uint32Array): PeopleChunk {
  const bitmap = new Uint8Array(words.buffer);
  const size = countBits(words);
  if (size * 2 >= bitmapBytes) return bitmap;
  const places = new Uint16Array(size);
  let end = 0;
  for (let at = 0; at < bitmapBytes; at += 1)
    for (let bits = byte(bitmap, at), place = at * 8; bits > 0; bits >>= 1, place += 1)
      if ((bits & 1) === 1) places[end++] = place;
  return listOf(places);
}

function set(bitmap: Uint8Array, place: number): void {
  const at = place >> 3;
  bitmap[at] = byte(bitmap, at) | (1 << (place & 7));
}

function isBitSet(bitmap: PeopleChunk, place: number): boolean {
  return (byte(bitmap, place >> 3) & (1 << (place & 7))) !== 0;
}

function isListed(list: PeopleChunk, place: number): boolean {
  let [from, to] = [0, list.length / 2];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (listedAt(list, middle) < place) from = middle + 1;
    else to = middle;
  }
  return from < list.length / 2 && listedAt(list, from) === place;
}

function listedAt(list: PeopleChunk, at: number): number {
  return byte(list, 2 * at) + 256 * byte(list, 2 * at + 1);
}

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) count += bitsIn(words[at] ?? 0);
  return count;
}

/** In parallel: of each 2 bits, of each 4, of each byte, and then all of them. */
function bitsIn(word: number): number {
  const ofTwo = word - ((word >>> 1) & 0x55555555);
  const ofFour = (ofTwo & 0x33333333) + ((ofTwo >>> 2) & 0x33333333);
  return Math.imul((ofFour + (ofFour >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function isBitmap(chunk: PeopleChunk): boolean {
  return chunk.length === bitmapBytes;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
