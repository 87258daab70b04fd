/**
 * The first `count` of the numbers in `list`, in order. Keeps the best ones in a heap with the last of them at the top, so
 * that of a long list most numbers are only compared once. The list is gone through in large steps, because one that is in the
 * opposite order would otherwise change the heap with each number.
 */
export function firstOf(
  list: ArrayLike<number>,
  count: number,
  compare: (one: number, other: number) => number,
): number[] {
  const { length } = list;
  const heap: number[] = [];
  const step = stepThrough(length);
  for (let done = 0, index = 0; done < length; done += 1, index = (index + step) % length) {
    const value = list[index] as number;
    if (heap.length < count) {
      heap.push(value);
      rise(heap, compare);
    } else if (compare(value, heap[0] as number) < 0) {
      heap[0] = value;
      sink(heap, compare);
    }
  }
  return heap.sort(compare);
}

/** A step of about 0.618 times the length, with which each index comes up once. */
function stepThrough(length: number): number {
  let step = Math.max(1, Math.floor(length * 0.618));
  while (greatestCommonDivisor(length, step) > 1) step += 1;
  return step;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

function rise(heap: number[], compare: (one: number, other: number) => number): void {
  let at = heap.length - 1;
  const value = heap[at] as number;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (compare(heap[above] as number, value) >= 0) break;
    heap[at] = heap[above] as number;
    at = above;
  }
  heap[at] = value;
}

function sink(heap: number[], compare: (one: number, other: number) => number): void {
  const value = heap[0] as number;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && compare(heap[below + 1] as number, heap[below] as number) > 0) below += 1;
    if (compare(heap[below] as number, value) <= 0) break;
    heap[at] = heap[below] as number;
    at = below;
  }
  heap[at] = value;
}
