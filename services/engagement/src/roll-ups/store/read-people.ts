import { collectionOf } from '@storefront/mongo';
import type { Database } from '@storefront/mongo';
import type { PeopleSet } from '../../facts/domain/count.ts';
import type { Segment } from '../../facts/domain/fact.ts';
import { coverOf } from '../domain/cover.ts';
import type { Cover } from '../domain/cover.ts';
import { sizeOfUnion } from '../domain/people.ts';
import type { PeopleChunk } from '../domain/people.ts';
import type { PeopleCount, RollUps } from '../domain/roll-ups.ts';
import { quarterUnits, spanUnit } from '../domain/set-units.ts';
import type { Unit } from '../domain/set-units.ts';
import type { ShopDays } from '../domain/shop-days.ts';
import { partsOfPeopleId, peoplePrefix, rollUpPeople } from './collections.ts';
import { bytesOf } from './write-people.ts';

interface StoredChunk {
  readonly segment: Segment;
  readonly chunk: number;
  readonly people: PeopleChunk;
}

/** Reads each chunk once, however many intervals have it. */
export function openPeopleReads({
  database,
  shopDays,
}: {
  readonly database: Database;
  readonly shopDays: ShopDays;
}): Pick<RollUps, 'people'> {
  const collection = collectionOf(database, rollUpPeople);

  async function readUnits(
    set: PeopleSet,
    units: readonly Unit[],
  ): Promise<ReadonlyMap<string, readonly StoredChunk[]>> {
    const $or = rangesOf(units).map(({ length, first, last }) => ({
      _id: { $gte: peoplePrefix(set, { length, index: first }), $lt: peoplePrefix(set, { length, index: last + 1 }) },
    }));
    if ($or.length === 0) return new Map();
    const found = await collection.find({ $or }).toArray();
    return Map.groupBy(
      found.map(({ _id, people }) => ({ ...partsOfPeopleId(_id), unit: unitPart(_id), people: bytesOf(people) })),
      ({ unit }) => unit,
    );
  }

  return {
    async people({ set, of, segments }, intervals) {
      const wanted = { set, of };
      const covers = intervals.map((interval) => unitsOf(coverOf(interval, shopDays)));
      const stored = await readUnits(wanted, covers.flat());
      return covers.map((units) => {
        const chunks = units.flatMap((unit) => stored.get(unitPart(peoplePrefix(wanted, unit))) ?? []);
        return countIn(
          chunks.filter(({ segment }) => segments.includes(segment)),
          segments,
        );
      });
    },
  };
}

function unitsOf({ spans, quarters }: Cover): Unit[] {
  return [...spans.map(spanUnit), ...quarters.flatMap(quarterUnits)];
}

/** The length of the unit and its index, as an id has them. */
function unitPart(id: string): string {
  return id.split(' ').slice(2, 4).join(' ');
}

/** Units that follow each other are read together. */
function rangesOf(units: readonly Unit[]): { readonly length: Unit['length']; first: number; last: number }[] {
  const ranges: { readonly length: Unit['length']; first: number; last: number }[] = [];
  for (const [length, ofLength] of Map.groupBy(units, (unit) => unit.length)) {
    for (const index of new Set(ofLength.map((unit) => unit.index).sort((a, b) => a - b))) {
      const before = ranges.at(-1);
      if (before?.length === length && before.last === index - 1) before.last = index;
      else ranges.push({ length, first: index, last: index });
    }
  }
  return ranges;
}

function countIn(chunks: readonly StoredChunk[], segments: readonly Segment[]): PeopleCount {
  const size = (some: readonly StoredChunk[]) => {
    let sum = 0;
    for (const [, same] of Map.groupBy(some, ({ chunk }) => chunk))
      sum += sizeOfUnion(same.map(({ people }) => people));
    return sum;
  };
  const bySegment: Partial<Record<Segment, number>> = {};
  for (const each of segments) bySegment[each] = size(chunks.filter(({ segment }) => segment === each));
  return { bySegment, all: size(chunks) };
}
