import { collectionOf, type Database } from '@storefront/mongo';
import { segments, type Segment } from '../../domain/facts/fact.ts';
import { splitInterval, type SplitInterval } from '../../domain/roll-ups/split-interval.ts';
import { createUnionCount, type PeopleChunk } from '../../domain/roll-ups/people.ts';
import type { Interval, PeopleSizes } from '../../domain/roll-ups/roll-ups.ts';
import type { RollUps, WantedPeople } from './reads.ts';
import { ofAllTime, quarterUnits, spanUnit, type Unit } from '../../domain/roll-ups/set-units.ts';
import type { ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { bytesOf, partsOfPeopleId, peoplePrefix, rollUpSets, unitId, unitIdOf } from './collections.ts';
import { openPeopleOfAllTime, type AllTime } from './people-of-all-time.ts';
import { openStoredSizes } from './people-sizes.ts';

interface StoredChunk {
  readonly segment: Segment;
  readonly chunk: number;
  readonly people: PeopleChunk;
}

interface RequestedPeople {
  readonly wanted: WantedPeople;
  readonly interval: Interval;
  readonly units: readonly Unit[];
}

/**
 * Reads numbers of people. Each chunk is read once, however many intervals contain it. No chunk is read for an interval
 * whose size is stored: a single span, or an interval with all days on which there was anybody.
 */
export function openPeopleReads({
  database,
  shopDays,
}: {
  readonly database: Database;
  readonly shopDays: ShopDays;
}): Pick<RollUps, 'people' | 'peopleTogether'> {
  const collection = collectionOf(database, rollUpSets);
  const sizes = openStoredSizes(database);
  const allTime = openPeopleOfAllTime(database);

  /** The sizes for all time, where the interval contains all days on which anybody was in the set. Otherwise null. */
  function allWithin(interval: Interval, found: AllTime | undefined): AllTime | null {
    const isWithin =
      found && shopDays.startOf(found.first) >= interval.start && shopDays.startOf(found.last + 1) <= interval.end;
    return isWithin ? found : null;
  }

  /** The chunks of all requested units, by unit id. */
  async function readUnits(
    requested: readonly RequestedPeople[],
  ): Promise<ReadonlyMap<string, readonly StoredChunk[]>> {
    const ofSets = Map.groupBy(requested, ({ wanted }) => wanted);
    const $or = [...ofSets].flatMap(([set, all]) =>
      rangesOf(all.flatMap(({ units }) => units)).map(({ length, first, last }) => ({
        _id: { $gte: peoplePrefix(set, { length, index: first }), $lt: peoplePrefix(set, { length, index: last + 1 }) },
      })),
    );
    if ($or.length === 0) return new Map();
    const found = await collection.find({ $or }).toArray();
    return Map.groupBy(
      found.map(({ _id, people }) => ({ ...partsOfPeopleId(_id), unit: unitIdOf(_id), people: bytesOf(people) })),
      ({ unit }) => unit,
    );
  }

  /** For each request, the chunks of its units in the wanted segments. */
  async function readChunks(requested: readonly RequestedPeople[]): Promise<StoredChunk[][]> {
    const stored = await readUnits(requested);
    return requested.map(({ wanted, units }) =>
      units
        .flatMap((unit) => stored.get(unitId(wanted, unit)) ?? [])
        .filter(({ segment }) => wanted.segments.includes(segment)),
    );
  }

  return {
    async people(wanted, intervals) {
      const splits = intervals.map((interval) => ({ interval, units: unitsOf(splitInterval(interval, shopDays)) }));
      const requested = wanted.map((each) => splits.map((split): RequestedPeople => ({ wanted: each, ...split })));
      const ids = new Map(requested.flat().map((each) => [each, onlyId(each)]));
      const [kept, ever] = await Promise.all([
        sizes.find([...new Set([...ids.values()].flatMap((id) => id ?? []))]),
        allTime.find([...ids.values()].includes(null) ? wanted : []),
      ]);
      const keptOf = (each: RequestedPeople) => {
        const id = ids.get(each) ?? null;
        if (id !== null) return kept.get(id) ?? {};
        return allWithin(each.interval, ever.get(unitId(each.wanted, ofAllTime)))?.sizes;
      };
      const others = requested.flat().filter((each) => keptOf(each) === undefined);
      const read = await readChunks(others);
      const sizeIn = sizeOfChunks();
      const counted = new Map(
        others.map((each, place) => [each, countBySegment(read[place] ?? [], each.wanted.segments, sizeIn)]),
      );
      return requested.map((row) => row.map((each) => keptOf(each) ?? counted.get(each) ?? {}));
    },

    async peopleTogether(wanted, interval) {
      const ever = allWithin(interval, (await allTime.find([wanted])).get(unitId(wanted, ofAllTime)));
      if (ever && wanted.segments.length === segments.length) return ever.together;
      const [chunks = []] = await readChunks([{ wanted, interval, units: unitsOf(splitInterval(interval, shopDays)) }]);
      return sizeOfChunks()(chunks);
    },
  };
}

function unitsOf({ spans, quarters }: SplitInterval): Unit[] {
  return [...spans.map(spanUnit), ...quarters.flatMap(quarterUnits)];
}

/** The id of the span where the units are a single span, because its size is stored. null otherwise. */
function onlyId({ wanted, units }: RequestedPeople): string | null {
  const [unit, ...others] = units;
  return unit && unit.length !== 'quarter' && others.length === 0 ? unitId(wanted, unit) : null;
}

/** Joins units that follow each other into ranges, so that they are read together. */
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

function countBySegment(
  chunks: readonly StoredChunk[],
  segments: readonly Segment[],
  sizeIn: (chunks: readonly StoredChunk[]) => number,
): PeopleSizes {
  const ofSegment = (each: Segment) => chunks.filter(({ segment }) => segment === each);
  return Object.fromEntries(segments.map((each) => [each, sizeIn(ofSegment(each))]));
}

/** Returns a function that counts the different people in some chunks. The chunks of one call must be of one set. */
function sizeOfChunks(): (chunks: readonly StoredChunk[]) => number {
  const sizeOfUnion = createUnionCount();
  return (chunks) => {
    let sum = 0;
    for (const same of Map.groupBy(chunks, ({ chunk }) => chunk).values())
      sum += sizeOfUnion(same.map(({ people }) => people));
    return sum;
  };
}
