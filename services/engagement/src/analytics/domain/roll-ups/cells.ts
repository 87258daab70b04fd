import type { Count } from '../facts/count.ts';
import { segments, type Segment } from '../facts/fact.ts';
import type { BySegment } from './roll-ups.ts';
import type { Quarter } from './shop-days.ts';

export type Sums = Partial<Record<Segment, Record<string, number>>>;

/** The sums of a span of days, and those of the quarters of an hour in which there was something, where it is a single day. */
export interface CellContent {
  readonly sums: Sums;
  readonly quarters: ReadonlyMap<number, Sums>;
}

/** What one day has of one subject. */
export interface DayCell extends CellContent {
  readonly family: Count['family'];
  readonly of: string;
  readonly day: number;
  readonly quarters: Map<number, Sums>;
}

/** Adds up what facts count. */
export interface CellSums {
  add(at: Quarter, segment: Segment, counts: readonly Count[]): void;
  /** Each day and subject to which something was added. */
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

/** Adds to `sums`; `factor` -1 takes off instead. What comes to 0 is left out. */
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

/** Without a list of its names: there may be hundreds. */
function isEmpty(measures: Readonly<Record<string, number>>): boolean {
  for (const _ in measures) return false;
  return true;
}

/** Quantities have three decimals at most. Without the error of floating point the order of adding makes no difference. */
function exact(sum: number): number {
  return Number.isInteger(sum) ? sum : Math.round(sum * 1000) / 1000;
}

/** All of them together. */
export function totalOf(all: readonly BySegment[]): Sums {
  const total: Sums = {};
  for (const each of all) addSums(total, each);
  return total;
}

/** Both together, without sums of 0. */
export function addContents(one: CellContent, other: CellContent): CellContent {
  const quarters = new Map<number, Sums>();
  for (const quarter of new Set([...one.quarters.keys(), ...other.quarters.keys()])) {
    const sums = totalOf([one.quarters.get(quarter) ?? {}, other.quarters.get(quarter) ?? {}]);
    if (Object.keys(sums).length > 0) quarters.set(quarter, sums);
  }
  return { sums: totalOf([one.sums, other.sums]), quarters };
}

export const emptyCell: CellContent = { sums: {}, quarters: new Map() };

/** What is to be added to `before` so that it becomes `after`. */
export function differenceOf(after: BySegment, before: BySegment): Sums {
  const difference = totalOf([after]);
  addSums(difference, before, -1);
  return difference;
}
