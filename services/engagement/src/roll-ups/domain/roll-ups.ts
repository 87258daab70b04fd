import type { Family, PeopleFamily } from '../../facts/domain/count.ts';
import type { Segment } from '../../facts/domain/fact.ts';

/** From `start` on and before `end`. Both are whole quarters of an hour in UTC, as in every time zone of today. */
export interface Interval {
  readonly start: Date;
  readonly end: Date;
}

/** Measures by name; one that is not there is 0. */
export type Measures = Readonly<Record<string, number>>;
export type BySegment = Readonly<Partial<Record<Segment, Measures>>>;

/** How many different people there were: in each segment, and in the asked segments together. */
export interface PeopleCount {
  readonly bySegment: Readonly<Partial<Record<Segment, number>>>;
  readonly all: number;
}

/** What reports read: sums and sets that were made from facts. They are read without looking at a fact. */
export interface RollUps {
  /** The sums of each interval, in the order of the intervals. */
  sums(wanted: { readonly family: Family; readonly of: string }, intervals: readonly Interval[]): Promise<BySegment[]>;
  /** The sums of every thing of the family in one interval, by the thing. */
  sumsOfThings(family: Family, interval: Interval): Promise<ReadonlyMap<string, BySegment>>;
  /** The sums of all time before each moment. */
  sumsBefore(wanted: { readonly family: Family; readonly of: string }, moments: readonly Date[]): Promise<BySegment[]>;
  /** The different people of each interval. */
  people(
    wanted: { readonly set: PeopleFamily; readonly of: string; readonly segments: readonly Segment[] },
    intervals: readonly Interval[],
  ): Promise<PeopleCount[]>;
  /** Everything that was told before this moment is counted, but what is being tried again. */
  asOf(): Promise<Date>;
}
