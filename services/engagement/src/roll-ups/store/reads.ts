import type { Family, PeopleFamily } from '../../facts/domain/count.ts';
import type { Segment } from '../../facts/domain/fact.ts';
import type { BySegment, Interval, PeopleSizes } from '../domain/roll-ups.ts';

export interface WantedPeople {
  readonly set: PeopleFamily;
  readonly of: string;
  readonly segments: readonly Segment[];
}

/** What reports read: sums and sets that were made from facts. They are read without looking at a fact. */
export interface RollUps {
  /** The sums of each interval, in the order of the intervals; all that the family has, or at least those that are named. */
  sums(
    wanted: { readonly family: Family; readonly of: string; readonly only?: readonly string[] | undefined },
    intervals: readonly Interval[],
  ): Promise<BySegment[]>;
  /** The sums of every thing of the family in one interval, by the thing. */
  sumsOfThings(family: Family, interval: Interval): Promise<ReadonlyMap<string, BySegment>>;
  /** The sums of all time before the moment. */
  sumsBefore(wanted: { readonly family: Family; readonly of: string }, moment: Date): Promise<BySegment>;
  /** The different people of each interval, in each of the segments. */
  people(wanted: WantedPeople, intervals: readonly Interval[]): Promise<PeopleSizes[]>;
  /** The different people of the interval in all of the segments, each once. */
  peopleTogether(wanted: WantedPeople, interval: Interval): Promise<number>;
  /** Everything that was told before this moment is counted, but what is being tried again. */
  asOf(): Promise<Date>;
}
