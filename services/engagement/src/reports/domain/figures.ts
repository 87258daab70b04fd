import type { Family, PeopleFamily } from '../../facts/domain/count.ts';
import type { Segment } from '../../facts/domain/fact.ts';
import type { BySegment, Measures, PeopleSizes } from '../../roll-ups/domain/roll-ups.ts';
import type { NamedInterval } from './intervals.ts';
import type { OwedByAge } from './owed.ts';

/** The sums of each family of a report. */
export type Sums = ReadonlyMap<Family, BySegment>;

/** Of one interval, and of one thing where the report is about things. */
export interface SumsOfInterval {
  readonly interval: NamedInterval;
  readonly sums: Sums;
}

/** All that roll-ups say of an interval. */
export interface Reading extends SumsOfInterval {
  /** How many different people are in each set: in each segment for rows, in all that are asked for together for totals. */
  readonly people: ReadonlyMap<PeopleFamily, PeopleSizes | number>;
  /** What is owed at the end of the interval, now where it is not over; nothing where the report does not look at it. */
  readonly owed: OwedByAge;
}

/** A reading of the segments that a row or the totals are about. */
export interface Figures {
  /** The sums of the family. */
  readonly of: (family: Family) => Measures;
  /** One sum; 0 where nothing was counted. */
  readonly sum: (family: Family, measure: string) => number;
  /** How many different people are in the set. */
  readonly people: (set: PeopleFamily) => number;
  /** As in `Reading`. */
  readonly owed: OwedByAge;
}

/** Of one segment, or of all that are asked for together, in which each person counts once. */
export function figuresOf(
  { sums, people, owed }: Omit<Reading, 'interval'>,
  asked: Segment | readonly Segment[],
): Figures {
  const segments = [asked].flat();
  const together = (bySegment: BySegment) => addMeasures(segments.map((segment) => bySegment[segment] ?? {}));
  return {
    of: (family) => together(sums.get(family) ?? {}),
    // One by one: a family may have hundreds of others, such as what is owed by the day on which it is due.
    sum: (family, measure) => segments.reduce((sum, segment) => sum + (sums.get(family)?.[segment]?.[measure] ?? 0), 0),
    people(set) {
      const counted = people.get(set) ?? 0;
      if (typeof counted === 'number') return counted;
      return (typeof asked === 'string' && counted[asked]) || 0;
    },
    owed,
  };
}

/** The sums of several intervals, or of several things, added up. */
export function addSums(all: readonly BySegment[]): BySegment {
  const added: Partial<Record<Segment, Record<string, number>>> = {};
  for (const bySegment of all)
    for (const [segment, measures] of entriesOf(bySegment)) addTo((added[segment] ??= {}), measures);
  return added;
}

function addMeasures(all: readonly Measures[]): Measures {
  const [first = {}, ...others] = all;
  if (others.length === 0) return first;
  const added: Record<string, number> = {};
  for (const measures of all) addTo(added, measures);
  return added;
}

function addTo(sums: Record<string, number>, measures: Measures): void {
  for (const name in measures) sums[name] = (sums[name] ?? 0) + (measures[name] ?? 0);
}

// The keys of a record are what its type says.
function entriesOf(bySegment: BySegment): [Segment, Measures][] {
  return Object.entries(bySegment) as [Segment, Measures][];
}
