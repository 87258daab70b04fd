import { defineCollection, type DocumentOf } from '@storefront/mongo';
import { z } from 'zod';
import { storedFact } from '../domain/facts/fact.ts';
import type { FactKindName } from '../domain/facts/kinds.ts';

/** The kind of facts that count again on later days. */
export const countsLater = 'invoice-balance-changed' satisfies FactKindName;

/** The kind of facts that contain a searched text. */
export const holdsSearchText = 'search-performed' satisfies FactKindName;

/** All facts. */
export const facts = defineCollection(
  'facts',
  {
    ...storedFact.shape,
    /** true until the fact is counted, then removed. */
    pending: z.boolean().optional(),
    flags: z.array(z.string()).optional(),
    /** When the event of the fact was published. For an event of a client: when the service received the event. */
    publishedAt: z.date(),
    keptUntil: z.date(),
  },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['pending'], because: 'one instance at a time counts what has come' },
        { by: ['person'], because: 'a fact can change what follows from others of the person; exports' },
        { by: ['at'], because: 'sums are made again' },
        { by: ['data.dueOn'], because: 'sums are made again' },
        { by: ['data.words'], because: 'what a text counts for follows from who else has searched for it' },
      ],
    },
    indexes: {
      pending: { keys: { pending: 1, publishedAt: 1 }, partialFilterExpression: { pending: true } },
      of_person: { keys: { person: 1, kind: 1, at: 1 } },
      at_1: { keys: { at: 1 } },
      // Finds facts that count again on a later day, when an invoice becomes overdue or reaches the next age.
      due: { keys: { 'data.dueOn': 1 }, partialFilterExpression: { kind: countsLater } },
      of_text: { keys: { 'data.words': 1 }, partialFilterExpression: { kind: holdsSearchText } },
      keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
    },
  },
);
export type FactDocument = DocumentOf<typeof facts>;
