import type { Segment } from '../facts/fact.ts';

/**
 * A time from `start` on and before `end`. Both are whole quarters of an hour in UTC. In every time zone of today they
 * are whole quarters, too.
 */
export interface Interval {
  readonly start: Date;
  readonly end: Date;
}

/** Measures by name. A measure that is missing is 0. */
export type Measures = Readonly<Record<string, number>>;
export type BySegment = Readonly<Partial<Record<Segment, Measures>>>;

/** The median of the values of each segment. A segment without values is left out. */
export type Medians = Readonly<Partial<Record<Segment, number>>>;

/** How many different people there were in each segment. A segment that is missing has 0. */
export type PeopleSizes = Readonly<Partial<Record<Segment, number>>>;
