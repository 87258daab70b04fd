import type { Count } from '../facts/count.ts';
import { segments, type Segment } from '../facts/fact.ts';
import type { BySegment } from './roll-ups.ts';
import type { Quarter } from './shop-days.ts';

export type Sums = Partial<Record<Segment, Record<string, number>>>;

/**
 * The sums of some days. For a single day there are also the sums of each quarter of an hour in which something was
 * counted.
 */
export interface CellContent {
  readonly sums: Sums;
  readonly quarters: ReadonlyMap<number, Sums>;
}

/** The sums of one day and one subject. */
export interface DayCell extends CellContent {
  readonly family: Count['family'];
  readonly of: string;
  readonly day: number;
  readonly quarters: Map<number, Sums>;
}

/** Adds up the counts of facts. */
export interface CellSums {
  add(at: Quarter, segment: Segment, counts: readonly Count[]): void;
  /** A cell for each day and subject to which something was added. */
  cells(): readonly DayCell[];
}

export function collectCells(): CellSums {
  const found = new Map<string, DayCell>();

  function cellOf({ family, of }: Count, day: number): DayCell {
    const key = `${family} ${day} ${of}`;
    let cell = found.get(key);
    if (!cell) {
      cell = { family, of, day, sums: {}, quarters: new Map() };
      found.set(key, cell);
    }
    return cell;
  }

  return {
    add({ day, quarter }, segment, counts) {
      for (const count of counts) {
        const cell = cellOf(count, day);
        let sums = cell.quarters.get(quarter);
        if (!sums) cell.quarters.set(quarter, (sums = {}));
        const measures = { [segment]: count.measures };
        addSums(cell.sums, measures);
        addSums(sums, measures);
      }
    },
    cells: () => [...found.values()],
  };
}

/** Adds `more` to `sums`, or subtracts it where `factor` is -1. A measure that becomes 0 is removed. */
export function addSums(sums: Sums, more: BySegment, factor: 1 | -1 = 1): void {
  for (const segment of segments) {
    const measures = more[segment];
    if (!measures) continue;
    const to = (sums[segment] ??= {});
    for (const name in measures) {
      const sum = exact((to[name] ?? 0) + factor * (measures[name] ?? 0));
      if (sum === 0) delete to[name];
      else to[name] = sum;
    }
    if (isEmpty(to)) delete sums[segment];
  }
}

/** Stops at the first name instead of listing all names, because there may be hundreds. */
function isEmpty(measures: Readonly<Record<string, number>>): boolean {
  for (const _ in measures) return false;
  return true;
}

/**
 * Rounds to three decimals, which quantities have at most. Without rounding, the order of adding would change the
 * result.
 */
function exact(sum: number): number {
  return Number.isInteger(sum) ? sum : Math.round(sum * 1000) / 1000;
}

/** The sums of all parts together. */
export function totalOf(all: readonly BySegment[]): Sums {
  const total: Sums = {};
  for (const each of all) addSums(total, each);
  return total;
}

/** Adds the sums of both. Sums of 0 are left out. */
export function addContents(one: CellContent, other: CellContent): CellContent {
  const quarters = new Map<number, Sums>();
  for (const quarter of new Set([...one.quarters.keys(), ...other.quarters.keys()])) {
    const sums = totalOf([one.quarters.get(quarter) ?? {}, other.quarters.get(quarter) ?? {}]);
    if (Object.keys(sums).length > 0) quarters.set(quarter, sums);
  }
  return { sums: totalOf([one.sums, other.sums]), quarters };
}

export const emptyCell: CellContent = { sums: {}, quarters: new Map() };

/** The difference that must be added to `before` to get `after`. */
export function differenceOf(after: BySegment, before: BySegment): Sums {
  const difference = totalOf([after]);
  addSums(difference, before, -1);
  return difference;
}
