import type { Segment } from '../facts/fact.ts';

/** From `start` on and before `end`. Both are whole quarters of an hour in UTC, as in every time zone of today. */
export interface Interval {
  readonly start: Date;
  readonly end: Date;
}

/** Measures by name; one that is not there is 0. */
export type Measures = Readonly<Record<string, number>>;
export type BySegment = Readonly<Partial<Record<Segment, Measures>>>;

/** The median of the values of each segment; none where there are no values. */
export type Medians = Readonly<Partial<Record<Segment, number>>>;

/** How many different people there were in each segment; 0 where nothing is said. */
export type PeopleSizes = Readonly<Partial<Record<Segment, number>>>;
