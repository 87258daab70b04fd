/** Of whom a fact is: a trade account, a retail user, or somebody who is not logged in. */
export const segments = ['trade', 'retail', 'guest'] as const;
export type Segment = (typeof segments)[number];

/**
 * One thing that happened and counts. It is stored once, however often it is told, and never changes. It holds no name, no mail and no
 * address.
 */
export interface Fact<Data = unknown, Kind extends string = string> {
  /** The id of the event that told it, so that the same event is the same fact. */
  readonly id: string;
  readonly kind: Kind;
  /** When it happened. */
  readonly at: Date;
  readonly segment: Segment;
  /**
   * The number of the person who did it. Who has the number is known to the store of people alone, until the person is erased. null
   * where nobody is known, or the person must not be counted.
   */
  readonly person: number | null;
  readonly data: Data;
}

/** A fact as a kind states it: of a user, of an anonymous visitor, or of nobody. */
export interface StatedFact<Data = unknown> {
  readonly at: Date;
  readonly segment: Segment;
  readonly by: { readonly userId: string } | { readonly anonymousId: string } | null;
  readonly data: Data;
}
