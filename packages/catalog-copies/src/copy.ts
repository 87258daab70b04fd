import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** The stored fields of a service's own copy of something in the catalog. `facts` are those that the service keeps of it. */
export const copyOf = <Facts extends z.ZodType>(facts: Facts) => ({
  id: z.string(),
  /** The catalog's version that this copy has; older events change nothing. */
  sequence: z.int(),
  /** Of a deleted product or category the last known facts; null where only its deletion is known. */
  facts: facts.nullable(),
  deleted: z.boolean(),
});

export interface Copy<Facts> {
  readonly id: string;
  readonly sequence: number;
  readonly facts: Facts | null;
  readonly deleted: boolean;
}

/** What one event of the catalog says: how something is at a version, or that it is deleted. */
export interface News<Facts> {
  readonly id: string;
  readonly sequence: number;
  readonly at: Date;
  /** Null where the event has none, as one of a deletion. */
  readonly facts: Facts | null;
  readonly deleted: boolean;
  /** A snapshot of the present state, and no change. */
  readonly isSnapshot: boolean;
}

/**
 * The copy after an event; null where the event changes nothing. The newest version wins, in whatever order and however
 * often events arrive. A snapshot of the version that the copy has corrects its facts. A deleted product or category keeps its
 * last facts.
 */
export function afterNews<Facts>(current: Copy<Facts> | null, news: News<Facts>): Copy<Facts> | null {
  const { id, sequence, deleted, isSnapshot } = news;
  if (current && (sequence < current.sequence || (sequence === current.sequence && !isSnapshot))) return null;
  const next = { id, sequence, facts: news.facts ?? current?.facts ?? null, deleted };
  const isKnown =
    current?.sequence === sequence && current.deleted === deleted && isDeepStrictEqual(current.facts, next.facts);
  return isKnown ? null : next;
}
