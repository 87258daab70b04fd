import { defineCollection, type CollectionDefinition, type DocumentOf } from '@storefront/mongo';
import type { mongo } from 'mongoose';
import { z } from 'zod';
import type { Count, Family, PeopleFamily, PeopleSet } from '../../domain/facts/count.ts';
import type { Segment } from '../../domain/facts/fact.ts';
import { monthsAfter } from '../../domain/facts/retention.ts';
import { otherTexts } from '../../domain/facts/search-text.ts';
import type { Sums } from '../../domain/roll-ups/cells.ts';
import type { Span } from '../../domain/roll-ups/split-interval.ts';
import type { Medians } from '../../domain/roll-ups/roll-ups.ts';
import type { Unit } from '../../domain/roll-ups/set-units.ts';

const measures = z.record(z.string(), z.number()).optional();

const asSums = { unsharded: 'sums, of which a transaction writes many; they grow with days, not with requests' };

// A rebuild reads everything of a day with the index `of_day`.
const foundByDay = { sharding: asSums, indexes: { of_day: { keys: { day: 1 }, sparse: true } } } as const;

/**
 * The sums of one subject and thing in one span of days. For a single day, `q` has the sums of each quarter of an hour,
 * too.
 */
export const rollUpCells = defineCollection(
  'roll_up_cells',
  {
    trade: measures,
    retail: measures,
    guest: measures,
    q: z.custom<Record<string, Sums>>().optional(),
    /** Only sums of a searched text expire. */
    keptUntil: z.date().optional(),
  },
  { sharding: asSums, indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

/** The searched texts. The id is the text. */
export const searchTexts = defineCollection(
  'search_texts',
  {
    /** The numbers of people who searched for the text, at most as many as are needed to show it. */
    people: z.array(z.int()),
    isShown: z.boolean(),
    /** The day of the shop on which the text was first noted. */
    day: z.int(),
    keptUntil: z.date(),
  },
  {
    sharding: { unsharded: 'a transaction writes many; as many a day as the configuration says' },
    indexes: { of_day: { keys: { day: 1 } }, keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } },
  },
);

const packed = z.custom<mongo.Binary>().optional();

/**
 * The values of one subject and thing in one span, packed as in `values.ts`, and their medians. For a single day, `q`
 * has the values of each quarter of an hour, too.
 */
export const rollUpValues = defineCollection(
  'roll_up_values',
  {
    // The first field, so that the database finds the median without reading the other fields.
    median: z.custom<Medians>(),
    trade: packed,
    retail: packed,
    guest: packed,
    q: z.custom<Record<string, Partial<Record<Segment, mongo.Binary>>>>().optional(),
  },
  { sharding: asSums },
);

/**
 * The people of one set, unit and segment whose numbers are in one chunk. People of all time are kept for some sets
 * only; see `isKeptOfAllTime`.
 */
export const rollUpSets = defineCollection(
  'roll_up_sets',
  {
    people: z.custom<mongo.Binary>(),
    /** Set for a quarter of an hour and for a single day. */
    day: z.int().optional(),
  },
  foundByDay,
);

/**
 * How many people of one set are in each segment of a span of days or of all time. The numbers always match the people
 * in `roll_up_sets`.
 */
export const rollUpSizes = defineCollection(
  'roll_up_sizes',
  {
    trade: z.int().optional(),
    retail: z.int().optional(),
    guest: z.int().optional(),
    /** Set for a single day. */
    day: z.int().optional(),
    /**
     * Set for all time: the number of people in all segments together, each counted once, and the first and last day on
     * which anybody was added.
     */
    together: z.int().optional(),
    first: z.int().optional(),
    last: z.int().optional(),
  },
  foundByDay,
);

/**
 * One document with the time zone of the roll-ups, one about an interrupted rebuild, and one that counts erasures of
 * texts.
 */
export const rollUpState = defineCollection(
  'roll_up_state',
  {
    zone: z.string().optional(),
    begunAt: z.date().optional(),
    heartbeatAt: z.date().optional(),
    from: z.int().optional(),
    to: z.int().optional(),
    next: z.int().optional(),
    askedFrom: z.int().optional(),
    askedTo: z.int().optional(),
    erasures: z.int().optional(),
  },
  { sharding: asSums },
);

/** The id of the document in `rollUpState` that counts erasures of texts. */
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

/** Writes an index so that ids sort in the order of their numbers, also for days before 1970. */
const numbered = (index: number) => String(index + numberOffset).padStart(10, '0');

export function cellPrefix(family: Family, { days, index }: Span): string {
  return `${family} ${days} ${numbered(index)} `;
}

/**
 * The start of all ids of the family and span length. A search from here to the prefix of an index finds everything
 * before that index.
 */
export function firstCellPrefix(family: Family, days: Span['days']): string {
  return `${family} ${days} `;
}

export function cellId({ family, of }: Pick<Count, 'family' | 'of'>, span: Span): string {
  return cellPrefix(family, span) + of;
}

/** The parts that `cellId` put into the id. */
export function partsOfCellId(
  id: string,
): Pick<Count, 'family' | 'of'> & { readonly index: number; readonly days: number } {
  const [, family, days, index, of = ''] = /^(\S+) (\S+) (\S+) (.*)$/s.exec(id) ?? [];
  return { family: family as Family, days: Number(days), index: Number(index) - numberOffset, of };
}

/**
 * Until when the sums are kept, or null where they never expire. Sums of a searched text are kept as long as the facts
 * of their last day, with an error of up to a day.
 */
export function cellKeptUntil(id: string, factMonths: number): Date | null {
  const { family, days, index, of } = partsOfCellId(id);
  if (family !== 'searches' || of === '' || of === otherTexts) return null;
  return monthsAfter(new Date((index + 1) * days * dayMs), factMonths);
}

/** The first text that sorts after all texts with the prefix. The prefix must end with a space. */
export function afterPrefix(prefix: string): string {
  return `${prefix.slice(0, -1)}!`;
}

/** The start of all ids of a set. Its parts contain no spaces, so no id of another set begins with it. */
export function setPrefix({ set, of }: PeopleSet): string {
  return `${set} ${encodeURIComponent(of)} `;
}

/** The start of all ids of a set in units of this length. */
export function unitsPrefix(set: PeopleSet, length: Unit['length']): string {
  return `${setPrefix(set)}${length} `;
}

export function peoplePrefix(set: PeopleSet, { length, index }: Unit): string {
  return `${unitsPrefix(set, length)}${numbered(index)} `;
}

export function peopleId(set: PeopleSet, unit: Unit, segment: Segment, chunk: number): string {
  return `${peoplePrefix(set, unit)}${segment} ${chunk}`;
}

/** The id of a set in a unit, under which its size is stored: `peoplePrefix` without the space at the end. */
export function unitId(set: PeopleSet, unit: Unit): string {
  return peoplePrefix(set, unit).trimEnd();
}

/** The `unitId` of the set and unit in an id from `peopleId`. */
export function unitIdOf(id: string): string {
  return id.split(' ').slice(0, 4).join(' ');
}

/** The parts that `peopleId` put into the id, without the set and the length of the unit. */
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

/** The set in an id from `peopleId` or `unitId`. */
export function setOfPeopleId(id: string): PeopleSet {
  const [set, of = ''] = id.split(' ');
  return { set: set as PeopleFamily, of: decodeURIComponent(of) };
}
