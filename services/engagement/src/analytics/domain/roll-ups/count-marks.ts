import type { Count, PeopleSet } from '../facts/count.ts';
import { markableOf, type KeptFact } from './acts.ts';
import { countsOfMark, setsOfMark, type Mark } from './marks.ts';

/** What marks on a fact count for, at the moment and in the segment of the fact. */
export function countsOfMarks(
  fact: Pick<KeptFact, 'kind' | 'data'>,
  marks: readonly Mark[],
): { readonly counts: readonly Count[]; readonly sets: readonly PeopleSet[] } {
  const markable = markableOf(fact);
  if (!markable) return { counts: [], sets: [] };
  return { counts: marks.flatMap((mark) => countsOfMark(markable, mark)), sets: marks.flatMap(setsOfMark) };
}
