import type { PeopleFamily, PeopleSet } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import { spanLengths, spanWith, type QuarterRange, type Span, type SpanLength } from './split-interval.ts';
import { chunkOf, placeOf } from './people.ts';
import type { DayIndex, Quarter } from './shop-days.ts';

/** What a set of people is of: a quarter of an hour, a span of days, or all time. */
export interface Unit {
  readonly length: 'quarter' | SpanLength | 'all';
  /** Of a quarter a number of its own, which is 1 more than that of the quarter before it on the same day. 0 of all time. */
  readonly index: number;
}

export const ofAllTime: Unit = { length: 'all', index: 0 };

/** Campaigns end, and reports of them mostly have all of their days: who came in all of that time need not be made of spans then. */
export const keptOfAllTime: readonly PeopleFamily[] = ['campaignCustomers'];

export function isKeptOfAllTime({ set }: PeopleSet): boolean {
  return keptOfAllTime.includes(set);
}

/** No day has as many quarters. */
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

/** People who belong to a set in one unit and segment, as far as their numbers are in one chunk. */
export interface PeopleAddition {
  readonly set: PeopleSet;
  readonly unit: Unit;
  /** Of a quarter or a single day. */
  readonly day: DayIndex | null;
  readonly segment: Segment;
  readonly chunk: number;
  readonly places: Set<number>;
}

/** Gathers who belongs to which sets, in the units that `unitsOf` gives. */
export interface PeopleAdditions {
  add(at: Quarter, segment: Segment, sets: readonly PeopleSet[], person: number): void;
  additions(): readonly PeopleAddition[];
}

/** The quarter, and every span that has its day. */
export function allUnits(at: Quarter): Unit[] {
  return [quarterUnit(at), ...spanLengths.map((days) => spanUnit(spanWith(at.day, days)))];
}

/** The quarter and its day. */
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
