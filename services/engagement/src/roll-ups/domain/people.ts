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
  return compact(bitmapOf(chunks, places));
}

/** Whether everybody who is in one of the places is in the chunk. */
export function holdsAll(chunk: PeopleChunk, places: Iterable<number>): boolean {
  const bitmap = bitmapOf([chunk]);
  for (const place of places) if ((byte(bitmap, place >> 3) & (1 << (place & 7))) === 0) return false;
  return true;
}

export function sizeOf(chunk: PeopleChunk): number {
  return isBitmap(chunk) ? countBits(chunk) : chunk.length / 2;
}

/** How many different people are in the chunks. */
export function sizeOfUnion(chunks: readonly PeopleChunk[]): number {
  const [only, ...others] = chunks;
  if (only === undefined) return 0;
  if (others.length === 0) return sizeOf(only);
  return countBits(bitmapOf(chunks));
}

function bitmapOf(chunks: readonly PeopleChunk[], places: Iterable<number> = []): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes);
  for (const chunk of chunks) addTo(bitmap, chunk);
  for (const place of places) set(bitmap, place);
  return bitmap;
}

function addTo(bitmap: Uint8Array, chunk: PeopleChunk): void {
  if (isBitmap(chunk)) for (let at = 0; at < bitmapBytes; at += 1) bitmap[at] = byte(bitmap, at) | byte(chunk, at);
  else for (let at = 0; at < chunk.length; at += 2) set(bitmap, byte(chunk, at) + 256 * byte(chunk, at + 1));
}

function compact(bitmap: Uint8Array): PeopleChunk {
  const size = countBits(bitmap);
  if (size * 2 >= bitmapBytes) return bitmap;
  const list = new Uint8Array(size * 2);
  let end = 0;
  for (let at = 0; at < bitmapBytes; at += 1) {
    for (let bits = byte(bitmap, at), place = at * 8; bits > 0; bits >>= 1, place += 1) {
      if ((bits & 1) === 0) continue;
      list[end] = place % 256;
      list[end + 1] = place >> 8;
      end += 2;
    }
  }
  return list;
}

function set(bitmap: Uint8Array, place: number): void {
  const at = place >> 3;
  bitmap[at] = byte(bitmap, at) | (1 << (place & 7));
}

function countBits(bitmap: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bitmapBytes; at += 1) for (let bits = byte(bitmap, at); bits > 0; bits &= bits - 1) count += 1;
  return count;
}

function isBitmap(chunk: PeopleChunk): boolean {
  return chunk.length === bitmapBytes;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
