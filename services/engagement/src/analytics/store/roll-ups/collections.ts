import {
  arrayOf,
  boolean,
  date,
  defineCollection,
  integer,
  mixed,
  number,
  optional,
  recordOf,
  text,
  type CollectionDefinition,
  type DocumentOf,
} from '@storefront/mongo';
import type { mongo } from 'mongoose';
import type { Count, Family, PeopleFamily, PeopleSet } from '../../domain/facts/count.ts';
import type { Segment } from '../../domain/facts/fact.ts';
import { monthsAfter } from '../../domain/facts/retention.ts';
import { otherTexts } from '../../domain/facts/search-text.ts';
import type { Sums } from '../../domain/roll-ups/cells.ts';
import type { Span } from '../../domain/roll-ups/split-interval.ts';
import type { Medians } from '../../domain/roll-ups/roll-ups.ts';
import type { Unit } from '../../domain/roll-ups/set-units.ts';

const measures = optional(recordOf(number()));

const asSums = { unsharded: 'sums, of which a transaction writes many; they grow with days, not with requests' };

// A rebuild looks for what a day has.
const foundByDay = { sharding: asSums, indexes: { of_day: { keys: { day: 1 }, sparse: true } } } as const;

/** The sums of one subject and thing in one span. Those of a day are kept by quarters of an hour, too. */
export const rollUpCells = defineCollection(
  'roll_up_cells',
  {
    trade: measures,
    retail: measures,
    guest: measures,
    q: optional(mixed<Record<string, Sums>>()),
    /** Of a text. */
    keptUntil: optional(date()),
  },
  { sharding: asSums, indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

/** The texts that were searched for. The id is the text. */
export const searchTexts = defineCollection(
  'search_texts',
  {
    /** Who searched for it: no more than it takes for it to be shown. */
    people: arrayOf(integer()),
    isShown: boolean(),
    /** When it was noted: the day of the shop. */
    day: integer(),
    keptUntil: date(),
  },
  {
    sharding: { unsharded: 'a transaction writes many; as many a day as the configuration says' },
    indexes: { of_day: { keys: { day: 1 } }, keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } },
  },
);

const packed = optional(mixed<mongo.Binary>());

/**
 * The values of one subject and thing in one span that are counted one by one, as `values.ts` packs them, and their medians. Those of a
 * day are kept by quarters of an hour, too.
 */
export const rollUpValues = defineCollection(
  'roll_up_values',
  {
    // First, so that the database finds it without a look at the others.
    median: mixed<Medians>(),
    trade: packed,
    retail: packed,
    guest: packed,
    q: optional(mixed<Record<string, Partial<Record<Segment, mongo.Binary>>>>()),
  },
  { sharding: asSums },
);

/** People of one set, unit and segment whose numbers are in one chunk. Those of all time are kept of some sets only. */
export const rollUpSets = defineCollection(
  'roll_up_sets',
  {
    people: mixed<mongo.Binary>(),
    /** Of a quarter of an hour, or a day. */
    day: optional(integer()),
  },
  foundByDay,
);

/**
 * How many people of one set are in each segment of a span of days or of all time: as many as are in `roll_up_sets`.
 */
export const rollUpSizes = defineCollection(
  'roll_up_sizes',
  {
    trade: optional(integer()),
    retail: optional(integer()),
    guest: optional(integer()),
    /** Of a single day. */
    day: optional(integer()),
    /** Of all time: in all segments, each once, and the first and last day on which anybody came. */
    together: optional(integer()),
    first: optional(integer()),
    last: optional(integer()),
  },
  foundByDay,
);

/** One document with the zone of the roll-ups, one about a rebuild that was broken off, and one that counts erasures of texts. */
export const rollUpState = defineCollection(
  'roll_up_state',
  {
    zone: optional(text()),
    begunAt: optional(date()),
    heartbeatAt: optional(date()),
    from: optional(integer()),
    to: optional(integer()),
    next: optional(integer()),
    askedFrom: optional(integer()),
    askedTo: optional(integer()),
    erasures: optional(integer()),
  },
  { sharding: asSums },
);

/** The document of `rollUpState` that counts erasures. */
export const textErasures = 'text-erasures';

export const rollUpCollections: readonly CollectionDefinition[] = [
  rollUpCells,
  rollUpValues,
  rollUpSets,
  rollUpSizes,
  rollUpState,
  searchTexts,
];

export type CellDocument = DocumentOf<typeof rollUpCells>;
export type ValuesDocument = DocumentOf<typeof rollUpValues>;

const dayMs = 24 * 60 * 60_000;
const numberOffset = 1_000_000_000;

/** So that ids sort as their numbers do, also for days before 1970. */
const numbered = (index: number) => String(index + numberOffset).padStart(10, '0');

export function cellPrefix(family: Family, { days, index }: Span): string {
  return `${family} ${days} ${numbered(index)} `;
}

/** Everything of the family and the span length before the index; the prefix of the index is the end. */
export function firstCellPrefix(family: Family, days: Span['days']): string {
  return `${family} ${days} `;
}

export function cellId({ family, of }: Pick<Count, 'family' | 'of'>, span: Span): string {
  return cellPrefix(family, span) + of;
}

/** What `cellId` was made of. */
export function partsOfCellId(
  id: string,
): Pick<Count, 'family' | 'of'> & { readonly index: number; readonly days: number } {
  const [, family, days, index, of = ''] = /^(\S+) (\S+) (\S+) (.*)$/s.exec(id) ?? [];
  return { family: family as Family, days: Number(days), index: Number(index) - numberOffset, of };
}

/** Until when the sums are kept; null for good. Those of a text are kept as long as the facts of the last day in them, to within a day. */
export function cellKeptUntil(id: string, factMonths: number): Date | null {
  const { family, days, index, of } = partsOfCellId(id);
  if (family !== 'searches' || of === '' || of === otherTexts) return null;
  return monthsAfter(new Date((index + 1) * days * dayMs), factMonths);
}

/** The first text after all that begin with the prefix, which ends with a space. */
export function afterPrefix(prefix: string): string {
  return `${prefix.slice(0, -1)}!`;
}

/** No part of it but the end has a space, so that the prefix of a set is that of no other one. */
export function setPrefix({ set, of }: PeopleSet): string {
  return `${set} ${encodeURIComponent(of)} `;
}

/** Of all units of that length. */
export function unitsPrefix(set: PeopleSet, length: Unit['length']): string {
  return `${setPrefix(set)}${length} `;
}

export function peoplePrefix(set: PeopleSet, { length, index }: Unit): string {
  return `${unitsPrefix(set, length)}${numbered(index)} `;
}

export function peopleId(set: PeopleSet, unit: Unit, segment: Segment, chunk: number): string {
  return `${peoplePrefix(set, unit)}${segment} ${chunk}`;
}

/** Of a set in a unit, and of its sizes: `peoplePrefix` without the space at its end. */
export function unitId(set: PeopleSet, unit: Unit): string {
  return peoplePrefix(set, unit).trimEnd();
}

/** The `unitId` of the set and unit that `peopleId` was made of. */
export function unitIdOf(id: string): string {
  return id.split(' ').slice(0, 4).join(' ');
}

/** What `peopleId` was made of, besides the set and the length of the unit. */
export function partsOfPeopleId(id: string): {
  readonly index: number;
  readonly segment: Segment;
  readonly chunk: number;
} {
  const [, , , index, segment, chunk] = id.split(' ');
  return { index: Number(index) - numberOffset, segment: segment as Segment, chunk: Number(chunk) };
}

export function bytesOf(binary: mongo.Binary): Uint8Array {
  return binary.value();
}

/** The set of an id of `peopleId` or `unitId`. */
export function setOfPeopleId(id: string): PeopleSet {
  const [set, of = ''] = id.split(' ');
  return { set: set as PeopleFamily, of: decodeURIComponent(of) };
}
