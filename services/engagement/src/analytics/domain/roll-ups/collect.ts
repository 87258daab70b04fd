import type { Count, PeopleSet } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import { collectCells, type DayCell } from './cells.ts';
import { collectPeople, type PeopleAddition, type Unit } from './set-units.ts';
import type { Quarter } from './shop-days.ts';
import { codeOf } from './values.ts';

/** Collects everything that facts add to roll-ups. */
export interface Collected {
  add(at: Quarter, segment: Segment, counts: readonly Count[]): void;
  addPerson(at: Quarter, segment: Segment, sets: readonly PeopleSet[], person: number | null): void;
  sums(): readonly DayCell[];
  /** How often each value was counted. The measures of these cells are the codes of the values. */
  values(): readonly DayCell[];
  people(): readonly PeopleAddition[];
}

/** `unitsOf` returns the units of time whose sets of people a moment belongs to. */
export function collect(unitsOf: (at: Quarter) => readonly Unit[]): Collected {
  const [sums, values, people] = [collectCells(), collectCells(), collectPeople(unitsOf)];
  return {
    add(at, segment, counts) {
      sums.add(at, segment, counts);
      values.add(
        at,
        segment,
        counts.flatMap(({ family, of, value }) =>
          value === undefined ? [] : { family, of, measures: { [codeOf(value)]: 1 } },
        ),
      );
    },
    addPerson(at, segment, sets, person) {
      if (person !== null) people.add(at, segment, sets, person);
    },
    sums: () => sums.cells(),
    values: () => values.cells(),
    people: () => people.additions(),
  };
}
