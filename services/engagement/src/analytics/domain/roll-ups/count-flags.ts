import type { Count, PeopleSet } from '../facts/count.ts';
import { flaggableOf, type KeptFact } from './acts.ts';
import { countsOfFlag, setsOfFlag, type Flag } from './flags.ts';

/**
 * What the flags of a fact add to the sums and to the sets of people. They count at the moment and in the segment of
 * the fact.
 */
export function countsOfFlags(
  fact: Pick<KeptFact, 'kind' | 'data'>,
  flags: readonly Flag[],
): { readonly counts: readonly Count[]; readonly sets: readonly PeopleSet[] } {
  const flaggable = flaggableOf(fact);
  if (!flaggable) return { counts: [], sets: [] };
  return { counts: flags.flatMap((flag) => countsOfFlag(flaggable, flag)), sets: flags.flatMap(setsOfFlag) };
}
