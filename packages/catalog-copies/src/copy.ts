import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** The stored fields of a service's own copy of a category or product. `facts` are the data that this service needs. */
export const copyOf = <Facts extends z.ZodType>(facts: Facts) => ({
  id: z.string(),
  /** The catalog's version of the copied data. Events with an older version change nothing. */
  sequence: z.int(),
  /** The copied data. After a deletion these are the last known data; null if only the deletion is known. */
  facts: facts.nullable(),
  deleted: z.boolean(),
});

export interface Copy<Facts> {
  readonly id: string;
  readonly sequence: number;
  readonly facts: Facts | null;
  readonly deleted: boolean;
}

/** The content of one catalog event: the data of a category or product at a version, or its deletion. */
export interface News<Facts> {
  readonly id: string;
  readonly sequence: number;
  readonly at: Date;
  /** Null if the event contains no data, for example an event of a deletion. */
  readonly facts: Facts | null;
  readonly deleted: boolean;
  /** True if the event is a snapshot: it repeats the current state and reports no change. */
  readonly isSnapshot: boolean;
}

/**
 * Returns the copy after an event; null if the event changes nothing. The newest version wins, in whatever order and
 * however often events arrive. A snapshot with the same version as the copy corrects the copy's facts. A deleted
 * product or category keeps its last facts.
 */
export function afterNews<Facts>(current: Copy<Facts> | null, news: News<Facts>): Copy<Facts> | null {
  const { id, sequence, deleted, isSnapshot } = news;
  if (current && (sequence < current.sequence || (sequence === current.sequence && !isSnapshot))) return null;
  const next = { id, sequence, facts: news.facts ?? current?.facts ?? null, deleted };
  const isKnown =
    current?.sequence === sequence && current.deleted === deleted && isDeepStrictEqual(current.facts, next.facts);
  return isKnown ? null : next;
}
