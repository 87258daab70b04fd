/**
 * A part of a set of people, as bytes. It has the people whose numbers are in one chunk, by the low 20 bits of their
 * numbers. The first byte names the form: a sorted list of numbers of 3 bytes each, or, where the list would not be
 * shorter, one bit for every number up to the greatest. An empty set has no bytes.
 */
export type PeopleChunk = Uint8Array;

// A report reads each set of each span. Fewer chunks are read faster, and up to a million people there is only one
// chunk.
const chunkSize = 2 ** 20;
const [listKind, bitmapKind] = [0, 1];
const entryBytes = 3;

/** The index of the chunk that contains a person's number. */
export function chunkOf(person: number): number {
  return Math.floor(person / chunkSize);
}

/** A person's number within its chunk. */
export function placeOf(person: number): number {
  return person % chunkSize;
}

export const noPeople: PeopleChunk = new Uint8Array(0);

/** The chunk with all people of the given chunks and places. The same people always give the same bytes. */
export function unionOf(chunks: readonly PeopleChunk[], places: Iterable<number> = []): PeopleChunk {
  const more = [...places];
  if (chunks.some(isBitmap)) return fromBits(bitsOf(chunks, more));
  const all = distinct(Uint32Array.from([...chunks.flatMap((list) => [...placesIn(list)]), ...more]).sort());
  const greatest = all.at(-1);
  if (greatest === undefined) return noPeople;
  return isListShorter(all.length, greatest) ? listOf(all) : fromBits(bitsOf([], all));
}

/** Whether the chunk contains all of the places. */
export function holdsAll(chunk: PeopleChunk, places: Iterable<number>): boolean {
  const holds = isBitmap(chunk) ? isBitSet : isListed;
  for (const place of places) if (!holds(chunk, place)) return false;
  return true;
}

export function sizeOf(chunk: PeopleChunk): number {
  return isBitmap(chunk) ? countBits(chunk.subarray(1)) : lengthOf(chunk);
}

/**
 * Returns a function that counts the different people of several chunks. The function keeps its memory for the next
 * count, because a report counts dozens of unions of up to 128 KiB each. Do not use one function for two counts at
 * once.
 */
export function createUnionCount(): (chunks: readonly PeopleChunk[]) => number {
  let kept = new Uint8Array(0);
  return (chunks) => {
    const [only = noPeople, ...others] = chunks;
    if (others.length === 0) return sizeOf(only);
    const length = bytesForBits(chunks, []);
    if (kept.length < length) kept = new Uint8Array(length);
    const bits = kept.subarray(0, length).fill(0);
    setBits(bits, chunks, []);
    return countBits(bits);
  };
}

function distinct(sorted: Uint32Array): Uint32Array {
  return sorted.filter((place, at) => at === 0 || place !== sorted[at - 1]);
}

function isListShorter(size: number, greatest: number): boolean {
  return size * entryBytes < (greatest >> 3) + 1;
}

function listOf(places: Uint32Array): PeopleChunk {
  const list = new Uint8Array(1 + places.length * entryBytes);
  list[0] = listKind;
  for (const [index, place] of places.entries()) {
    const at = 1 + index * entryBytes;
    list[at] = place >> 16;
    list[at + 1] = place >> 8;
    list[at + 2] = place;
  }
  return list;
}

/** One bit for each number, up to the greatest number. */
function bitsOf(chunks: readonly PeopleChunk[], places: Iterable<number>): Uint8Array {
  const bits = new Uint8Array(bytesForBits(chunks, places));
  setBits(bits, chunks, places);
  return bits;
}

function bytesForBits(chunks: readonly PeopleChunk[], places: Iterable<number>): number {
  let greatest = -1;
  for (const chunk of chunks) greatest = Math.max(greatest, greatestIn(chunk));
  for (const place of places) greatest = Math.max(greatest, place);
  return (greatest >> 3) + 1;
}

function setBits(bits: Uint8Array, chunks: readonly PeopleChunk[], places: Iterable<number>): void {
  const set = (place: number) => (bits[place >> 3] = byte(bits, place >> 3) | (1 << (place & 7)));
  for (const chunk of chunks)
    if (isBitmap(chunk)) addBits(bits, chunk);
    else for (let at = 0; at < lengthOf(chunk); at += 1) set(listedAt(chunk, at));
  for (const place of places) set(place);
}

/** The greatest place in the chunk, or for a bitmap the place of the last bit of its last byte. -1 in an empty set. */
function greatestIn(chunk: PeopleChunk): number {
  if (isBitmap(chunk)) return (chunk.length - 1) * 8 - 1;
  return chunk.length === 0 ? -1 : listedAt(chunk, lengthOf(chunk) - 1);
}

/** Adds the bits four bytes at a time. A `DataView` can read and write four bytes at any position in memory. */
function addBits(bits: Uint8Array, bitmap: PeopleChunk): void {
  const [to, from] = [viewOf(bits), viewOf(bitmap)];
  const length = bitmap.length - 1;
  let at = 0;
  for (; at + 4 <= length; at += 4) to.setUint32(at, to.getUint32(at) | from.getUint32(at + 1));
  for (; at < length; at += 1) bits[at] = byte(bits, at) | byte(bitmap, at + 1);
}

/** Makes a chunk of bits. The last byte must have at least one bit set. */
function fromBits(bits: Uint8Array): PeopleChunk {
  const size = countBits(bits);
  if (!isListShorter(size, bits.length * 8 - 1)) {
    const bitmap = new Uint8Array(1 + bits.length);
    bitmap[0] = bitmapKind;
    bitmap.set(bits, 1);
    return bitmap;
  }
  const places = new Uint32Array(size);
  let end = 0;
  for (let at = 0; at < bits.length; at += 1)
    for (let left = byte(bits, at), place = at * 8; left > 0; left >>= 1, place += 1)
      if ((left & 1) === 1) places[end++] = place;
  return listOf(places);
}

function isBitSet(bitmap: PeopleChunk, place: number): boolean {
  return (byte(bitmap, 1 + (place >> 3)) & (1 << (place & 7))) !== 0;
}

function isListed(list: PeopleChunk, place: number): boolean {
  let [from, to] = [0, lengthOf(list)];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (listedAt(list, middle) < place) from = middle + 1;
    else to = middle;
  }
  return from < lengthOf(list) && listedAt(list, from) === place;
}

/** The number of people in a list. */
function lengthOf(list: PeopleChunk): number {
  return list.length === 0 ? 0 : (list.length - 1) / entryBytes;
}

function listedAt(list: PeopleChunk, index: number): number {
  const at = 1 + index * entryBytes;
  return (byte(list, at) << 16) | (byte(list, at + 1) << 8) | byte(list, at + 2);
}

function placesIn(list: PeopleChunk): Uint32Array {
  return Uint32Array.from({ length: lengthOf(list) }, (_, at) => listedAt(list, at));
}

function countBits(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  let [count, at] = [0, 0];
  for (; at + 4 <= bytes.length; at += 4) count += bitsIn(view.getInt32(at));
  for (; at < bytes.length; at += 1) count += bitsIn(byte(bytes, at));
  return count;
}

/**
 * Counts all bits of a word in parallel: first in groups of 2 bits, then of 4 bits, then of 8 bits, and last of the
 * whole word.
 */
function bitsIn(word: number): number {
  const ofTwo = word - ((word >>> 1) & 0x55555555);
  const ofFour = (ofTwo & 0x33333333) + ((ofTwo >>> 2) & 0x33333333);
  return Math.imul((ofFour + (ofFour >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function isBitmap(chunk: PeopleChunk): boolean {
  return chunk[0] === bitmapKind;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
