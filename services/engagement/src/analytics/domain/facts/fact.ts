import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Person } from './person.ts';

/** Who a fact is about: a trade account, a retail user, or a visitor who is not logged in. */
export const segments = ['trade', 'retail', 'guest'] as const;
export type Segment = (typeof segments)[number];

/**
 * Something that happened and is counted. A fact is stored once, under the id of its event. A fact contains no name, no
 * email address and no postal address.
 */
export const storedFact = z.object({
  /** The id of the event. So an event that is delivered twice is the same fact. */
  id: z.string(),
  kind: z.string(),
  /** When the thing happened, not when the fact was stored. */
  at: z.date(),
  segment: z.enum(segments),
  /**
   * The number of the person who acted. Only the collection `people` leads from the number to the person, and only
   * until the person is erased. null where the person is unknown or must not be counted.
   */
  person: z.int().nullable(),
  data: z.unknown(),
});
export interface Fact<Data = unknown> extends StateOf<typeof storedFact> {
  readonly data: Data;
}

/**
 * A fact before it is stored. A draft has the person instead of the person's number, or null where the person is
 * unknown.
 */
export interface FactDraft<Data = unknown> extends Pick<Fact<Data>, 'at' | 'segment' | 'data'> {
  readonly by: Person | null;
}
