import type { Count, PeopleSet } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import { collectCells, type DayCell } from './cells.ts';
import { collectPeople, type PeopleAddition, type Unit } from './set-units.ts';
import type { Quarter } from './shop-days.ts';
import { codeOf } from './values.ts';

/** All that facts add to roll-ups. */
export interface Collected {
  add(at: Quarter, segment: Segment, counts: readonly Count[]): void;
  addPerson(at: Quarter, segment: Segment, sets: readonly PeopleSet[], person: number | null): void;
  sums(): readonly DayCell[];
  /** How often each value was counted: cells whose measures are the codes of the values. */
  values(): readonly DayCell[];
  people(): readonly PeopleAddition[];
}

/** `unitsOf` says to which sets of people a moment belongs. */
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
