import type { PeopleFamily, PeopleSet } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import { spanLengths, spanWith, type QuarterRange, type Span, type SpanLength } from './split-interval.ts';
import { chunkOf, placeOf } from './people.ts';
import type { DayIndex, Quarter } from './shop-days.ts';

/** The time that a set of people is for: a quarter of an hour, a span of days, or all time. */
export interface Unit {
  readonly length: 'quarter' | SpanLength | 'all';
  /**
   * The number of the unit. No two units of the same length have the same index. For quarters the index grows by 1 from
   * each quarter of a day to the next. For all time the index is 0.
   */
  readonly index: number;
}

export const ofAllTime: Unit = { length: 'all', index: 0 };

/**
 * The sets of people that are also kept for all time. A campaign ends, and reports about a campaign mostly contain all
 * of its days. With the people of all time, such a report need not combine the people of many spans.
 */
export const keptOfAllTime: readonly PeopleFamily[] = ['campaignCustomers'];

export function isKeptOfAllTime({ set }: PeopleSet): boolean {
  return keptOfAllTime.includes(set);
}

/** Greater than the number of quarters of any day. */
const perDay = 128;

function quarterUnit({ day, quarter }: Quarter): Unit {
  return { length: 'quarter', index: day * perDay + quarter };
}

export function spanUnit({ days, index }: Span): Unit {
  return { length: days, index };
}

export function quarterUnits({ day, from, to }: QuarterRange): Unit[] {
  return Array.from({ length: to - from }, (_, at) => quarterUnit({ day, quarter: from + at }));
}

/** The people to add to a set, for one unit, segment and chunk. */
export interface PeopleAddition {
  readonly set: PeopleSet;
  readonly unit: Unit;
  /** The day of a quarter or of a single day; null for other units. */
  readonly day: DayIndex | null;
  readonly segment: Segment;
  readonly chunk: number;
  readonly places: Set<number>;
}

/** Collects which people belong to which sets, in the units that `unitsOf` returns. */
export interface PeopleAdditions {
  add(at: Quarter, segment: Segment, sets: readonly PeopleSet[], person: number): void;
  additions(): readonly PeopleAddition[];
}

/** The units for the quarter and for every span that contains its day. */
export function allUnits(at: Quarter): Unit[] {
  return [quarterUnit(at), ...spanLengths.map((days) => spanUnit(spanWith(at.day, days)))];
}

/** The units for the quarter and for its day. */
export function unitsOfDay(at: Quarter): Unit[] {
  return [quarterUnit(at), spanUnit(spanWith(at.day, 1))];
}

function dayOf({ length }: Unit, { day }: Quarter): DayIndex | null {
  return length === 'quarter' || length === 1 ? day : null;
}

export function collectPeople(unitsOf: (at: Quarter) => readonly Unit[]): PeopleAdditions {
  const found = new Map<string, PeopleAddition>();
  return {
    add(at, segment, sets, person) {
      const chunk = chunkOf(person);
      for (const set of sets) {
        for (const unit of unitsOf(at)) {
          const key = `${set.set} ${segment} ${chunk} ${unit.length} ${unit.index} ${set.of}`;
          let addition = found.get(key);
          if (!addition)
            found.set(key, (addition = { set, unit, day: dayOf(unit, at), segment, chunk, places: new Set() }));
          addition.places.add(placeOf(person));
        }
      }
    },
    additions: () => [...found.values()],
  };
}
