import { isDeepStrictEqual } from 'node:util';

/** A service's own copy of something in the catalog. `Facts` is what the service keeps of it. */
export interface Copy<Facts> {
  readonly id: string;
  /** The catalog's version that this copy has; older events change nothing. */
  readonly sequence: number;
  /** Of a deleted one the last ones known; null where its deletion is all that is known. */
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
  /** The present state told again, and no change. */
  readonly toldAgain: boolean;
}

/**
 * The copy after an event; null where the event changes nothing. The newest version wins, in whatever order and however
 * often events arrive. What is told again of the version that the copy has puts its facts right. A deleted one keeps its
 * last facts.
 */
export function afterNews<Facts>(current: Copy<Facts> | null, news: News<Facts>): Copy<Facts> | null {
  const { id, sequence, deleted, toldAgain } = news;
  if (current && (sequence < current.sequence || (sequence === current.sequence && !toldAgain))) return null;
  const next = { id, sequence, facts: news.facts ?? current?.facts ?? null, deleted };
  const isKnown =
    current?.sequence === sequence && current.deleted === deleted && isDeepStrictEqual(current.facts, next.facts);
  return isKnown ? null : next;
}
