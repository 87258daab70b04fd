import type { Money } from '@storefront/money';
import type { Family, PeopleFamily } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import type { BySegment, Measures, Medians, PeopleSizes } from '../roll-ups/roll-ups.ts';
import type { NamedInterval } from './intervals.ts';
import type { OpenByAge } from './open-by-age.ts';

/** The sums of each family of a report. */
export type Sums = ReadonlyMap<Family, BySegment>;

/** Of one interval, and of one thing where the report is about things. */
export interface SumsOfInterval {
  readonly interval: NamedInterval;
  readonly sums: Sums;
}

/** All that roll-ups say of an interval. */
export interface Reading extends SumsOfInterval {
  /** How many different people are in each set: in each segment for rows, in all requested segments together for totals. */
  readonly people: ReadonlyMap<PeopleFamily, PeopleSizes | number>;
  /** The medians of the values of each segment for rows, of all segments together for totals. */
  readonly medians: Medians | number | null;
  /** What is open of invoices at the end of the interval, now where it is not over; nothing where the report does not look at it. */
  readonly open: OpenByAge;
}

/** A reading of the segments that a row or the totals are about. */
export interface Figures {
  /** One sum; 0 where nothing was counted. */
  readonly sum: (family: Family, measure: string) => number;
  /** One sum of money. */
  readonly amount: (family: Family, measure: string) => Money;
  /** So many minor units of the currency of the report. */
  readonly money: (amount: number) => Money;
  /** How many different people are in the set. */
  readonly people: (set: PeopleFamily) => number;
  /** Of the values of the report's `mediansOf`; null where there is none. */
  readonly median: number | null;
  /** As in `Reading`. */
  readonly open: OpenByAge;
}

/** Of one segment, or of all requested segments together, in which each person counts once. Money is in that currency. */
export function figuresOf(
  { sums, people, medians, open }: Omit<Reading, 'interval'>,
  requested: Segment | readonly Segment[],
  currency: string,
): Figures {
  const segments = [requested].flat();
  const sum: Figures['sum'] = (family, measure) =>
    segments.reduce((total, segment) => total + (sums.get(family)?.[segment]?.[measure] ?? 0), 0);
  const money: Figures['money'] = (amount) => ({ amount, currency });
  return {
    sum,
    amount: (family, measure) => money(sum(family, measure)),
    money,
    people(set) {
      const counted = people.get(set) ?? 0;
      if (typeof counted === 'number') return counted;
      return (typeof requested === 'string' && counted[requested]) || 0;
    },
    median: medians === null || typeof medians === 'number' ? medians : medianIn(medians, requested),
    open,
  };
}

function medianIn(medians: Medians, requested: Segment | readonly Segment[]): number | null {
  return typeof requested === 'string' ? (medians[requested] ?? null) : null;
}

/** The sums of several intervals, or of several things, added up. */
export function addSums(all: readonly BySegment[]): BySegment {
  const added: Partial<Record<Segment, Record<string, number>>> = {};
  for (const bySegment of all)
    for (const [segment, measures] of entriesOf(bySegment)) addTo((added[segment] ??= {}), measures);
  return added;
}

function addTo(sums: Record<string, number>, measures: Measures): void {
  for (const name in measures) sums[name] = (sums[name] ?? 0) + (measures[name] ?? 0);
}

// The keys of a record are what its type says.
function entriesOf(bySegment: BySegment): [Segment, Measures][] {
  return Object.entries(bySegment) as [Segment, Measures][];
}
