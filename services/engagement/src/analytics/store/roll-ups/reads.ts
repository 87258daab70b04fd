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

/**
 * The things with the most of the measure `by`, summed over the segments `of`. Things with equal sums are ranked by
 * name.
 */
export interface WantedThings {
  readonly by: string;
  readonly of: readonly Segment[];
  readonly limit: number;
  /** The measures to read. */
  readonly measures: readonly string[];
  /** Things that are read as well, but are not ranked. */
  readonly also: readonly string[];
}

/** The things whose names begin with a text, which ends with a space. */
export interface ThingsWith {
  readonly beginning: string;
}

/** What reports read: sums and sets of people that were made from facts. No facts are read. */
export interface RollUps {
  /**
   * The sums of each interval, in the order of the intervals. With `only`, measures that are not named may be left out.
   */
  sums(
    wanted: { readonly family: Family; readonly of: string; readonly only?: readonly string[] | undefined },
    intervals: readonly Interval[],
  ): Promise<BySegment[]>;
  /**
   * The sums of every thing of the family in one interval, by thing. With `some`, only the sums of those things. Things
   * without sums are left out.
   */
  sumsOfThings(
    family: Family,
    interval: Interval,
    some?: ThingsWith | WantedThings,
  ): Promise<ReadonlyMap<string, BySegment>>;
  /** The sums of all time before the moment. */
  sumsBefore(wanted: { readonly family: Family; readonly of: string }, moment: Date): Promise<BySegment>;
  /** For each of the wanted sets: the number of different people in each interval, by segment. */
  people(wanted: readonly WantedPeople[], intervals: readonly Interval[]): Promise<PeopleSizes[][]>;
  /**
   * The number of different people in the interval. Each person is counted once, also when the person is in several of
   * the segments.
   */
  peopleTogether(wanted: WantedPeople, interval: Interval): Promise<number>;
  /** For each of the wanted families and things: the median in each interval, by segment. */
  medians(wanted: readonly WantedMedian[], intervals: readonly Interval[]): Promise<Medians[][]>;
  /** The median of the values of all the segments together. null where there are no values. */
  medianTogether(wanted: WantedMedian, interval: Interval): Promise<number | null>;
  /** The end of the shop's day that contains the moment. */
  endOfDay(moment: Date): Date;
  /**
   * Returns the moment up to which reports are complete. Everything published before this moment is counted, except
   * events whose handling failed and is being repeated.
   */
  asOf(): Promise<Date>;
}
