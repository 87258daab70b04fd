import type { Family, PeopleFamily } from '../../domain/facts/count.ts';
import type { Segment } from '../../domain/facts/fact.ts';
import type { BySegment, Interval, Medians, PeopleSizes } from '../../domain/roll-ups/roll-ups.ts';

export interface WantedPeople {
  readonly set: PeopleFamily;
  readonly of: string;
  readonly segments: readonly Segment[];
}

export interface WantedMedian {
  readonly family: Family;
  readonly of: string;
  readonly segments: readonly Segment[];
}

/** The things that have most of a measure; of equal ones those with the first names. */
export interface WantedThings {
  readonly by: string;
  readonly of: readonly Segment[];
  readonly limit: number;
  /** The sums to be read. */
  readonly measures: readonly string[];
  /** Things that are read besides, and are never ranked. */
  readonly also: readonly string[];
}

/** What reports read: sums and sets that were made from facts. They are read without looking at a fact. */
export interface RollUps {
  /** The sums of each interval, in the order of the intervals; all that the family has, or at least those that are named. */
  sums(
    wanted: { readonly family: Family; readonly of: string; readonly only?: readonly string[] | undefined },
    intervals: readonly Interval[],
  ): Promise<BySegment[]>;
  /** The sums of every thing of the family in one interval, by the thing; or of some alone. None has only sums of 0. */
  sumsOfThings(family: Family, interval: Interval, some?: WantedThings): Promise<ReadonlyMap<string, BySegment>>;
  /** The sums of all time before the moment. */
  sumsBefore(wanted: { readonly family: Family; readonly of: string }, moment: Date): Promise<BySegment>;
  /** The different people of each of these, in each interval and each of its segments. */
  people(wanted: readonly WantedPeople[], intervals: readonly Interval[]): Promise<PeopleSizes[][]>;
  /** The different people of the interval in all of the segments, each once. */
  peopleTogether(wanted: WantedPeople, interval: Interval): Promise<number>;
  /** The medians of the values of each of these, in each interval and each of its segments. */
  medians(wanted: readonly WantedMedian[], intervals: readonly Interval[]): Promise<Medians[][]>;
  /** The median of the values of all of the segments; null where there is none. */
  medianTogether(wanted: WantedMedian, interval: Interval): Promise<number | null>;
  /** When the day of the shop ends in which the moment is. */
  endOfDay(moment: Date): Date;
  /** Everything that was published before this moment is counted, but for events that are being tried again. */
  asOf(): Promise<Date>;
}
