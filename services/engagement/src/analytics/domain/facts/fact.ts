import type { Person } from './person.ts';

/** Who a fact is about: a trade account, a retail user, or a visitor who is not logged in. */
export const segments = ['trade', 'retail', 'guest'] as const;
export type Segment = (typeof segments)[number];

/** One thing that happened and counts, stored once under the id of its event. It holds no name, no mail and no address. */
export interface Fact<Data = unknown> {
  /** The id of its event, so that an event that is delivered again is the same fact. */
  readonly id: string;
  readonly kind: string;
  /** When it happened. */
  readonly at: Date;
  readonly segment: Segment;
  /**
   * The number of the person who did it. Only the collection `people` leads from the number to the person, until the person is erased.
   * null where the person is unknown, or must not be counted.
   */
  readonly person: number | null;
  readonly data: Data;
}

/** A fact before it is stored: its person has no number yet, and is null where unknown. */
export interface FactDraft<Data = unknown> extends Pick<Fact<Data>, 'at' | 'segment' | 'data'> {
  readonly by: Person | null;
}
