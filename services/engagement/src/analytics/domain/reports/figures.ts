import type { Money } from '@storefront/money';
import type { Family, PeopleFamily } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import type { BySegment, Measures, Medians, PeopleSizes } from '../roll-ups/roll-ups.ts';
import type { NamedInterval } from './intervals.ts';
import type { OpenByAge } from './open-by-age.ts';

/** The sums of each family of a report. */
export type Sums = ReadonlyMap<Family, BySegment>;

/** The sums of one interval, and of one thing where the report is about things. */
export interface SumsOfInterval {
  readonly interval: NamedInterval;
  readonly sums: Sums;
}

/** Everything that a report reads for one interval. */
export interface Reading extends SumsOfInterval {
  /**
   * How many different people are in each set. For rows there is a number for each segment; for totals one number for
   * all requested segments together.
   */
  readonly people: ReadonlyMap<PeopleFamily, PeopleSizes | number>;
  /** The medians of the values: for rows one for each segment, for totals one for all requested segments together. */
  readonly medians: Medians | number | null;
  /**
   * The open amounts of invoices at the end of the interval, or now where the interval is not over. All are 0 where the
   * report does not need them.
   */
  readonly open: OpenByAge;
}

/** The figures of one row or of the totals, for the segments that the row or the totals are about. */
export interface Figures {
  /** One sum. 0 where nothing was counted. */
  readonly sum: (family: Family, measure: string) => number;
  /** One sum, as money in the currency of the report. */
  readonly amount: (family: Family, measure: string) => Money;
  /** That number of minor units, as money in the currency of the report. */
  readonly money: (amount: number) => Money;
  /** How many different people are in the set. */
  readonly people: (set: PeopleFamily) => number;
  /** The median of the values of the report's `mediansOf`. null where there are no values. */
  readonly median: number | null;
  /** The open amounts of invoices, as in `Reading`. */
  readonly open: OpenByAge;
}

/**
 * The figures of one segment, or of all requested segments together. Together, each person counts once. Amounts of
 * money are in `currency`.
 */
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

/** Adds up the sums of several intervals, or of several things. */
export function addSums(all: readonly BySegment[]): BySegment {
  const added: Partial<Record<Segment, Record<string, number>>> = {};
  for (const bySegment of all)
    for (const [segment, measures] of entriesOf(bySegment)) addTo((added[segment] ??= {}), measures);
  return added;
}

function addTo(sums: Record<string, number>, measures: Measures): void {
  for (const name in measures) sums[name] = (sums[name] ?? 0) + (measures[name] ?? 0);
}

// TypeScript does not know which keys a record has. This record has exactly the keys of its type.
function entriesOf(bySegment: BySegment): [Segment, Measures][] {
  return Object.entries(bySegment) as [Segment, Measures][];
}
