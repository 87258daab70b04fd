import type { Count, PeopleSet } from '../facts/count.ts';
import { flaggableOf, type KeptFact } from './acts.ts';
import { countsOfFlag, setsOfFlag, type Flag } from './flags.ts';

/** What flags on a fact count for, at the moment and in the segment of the fact. */
export function countsOfFlags(
  fact: Pick<KeptFact, 'kind' | 'data'>,
  flags: readonly Flag[],
): { readonly counts: readonly Count[]; readonly sets: readonly PeopleSet[] } {
  const flaggable = flaggableOf(fact);
  if (!flaggable) return { counts: [], sets: [] };
  return { counts: flags.flatMap((flag) => countsOfFlag(flaggable, flag)), sets: flags.flatMap(setsOfFlag) };
}
