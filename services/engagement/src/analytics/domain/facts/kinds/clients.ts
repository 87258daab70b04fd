import { z } from 'zod';
import { factKind } from '../kind.ts';
import { measuresOfSearch } from '../measures-of-search.ts';
import { otherTexts } from '../search-text.ts';

const nothing = z.object({});

/** What pages and apps of the shop send. */
export const clientFacts = {
  /** A product was looked at. */
  'product-viewed': factKind({
    data: z.object({ productId: z.string() }),
    countsOf: ({ data: { productId } }) => [{ family: 'productInterest', of: productId, measures: { views: 1 } }],
    isActivity: true,
    setsOf: () => [{ set: 'viewers', of: '' }],
  }),

  /** A category was looked at. No report counts it. */
  'category-viewed': factKind({ data: z.object({ categoryId: z.string() }), isActivity: true }),

  /** A text was searched for. */
  'search-performed': factKind({
    data: z.object({
      /** Folded, its spaces single. null where it is not kept. */
      words: z.string().nullable(),
      results: z.int(),
    }),
    // Among all searches, and among those whose text is not shown: a text that becomes shown moves its searches from these to itself.
    countsOf: ({ data: { results } }) =>
      ['', otherTexts].map((of) => ({ family: 'searches', of, measures: measuresOfSearch(results) })),
    isActivity: true,
  }),

  /** A cart changed. No report counts it. */
  'cart-updated': factKind({ data: nothing, isActivity: true }),

  /** A checkout began: a step of the funnel. */
  'checkout-started': factKind({ data: nothing, isActivity: true }),

  /** An event for purposes of the shop's own. No report counts it. */
  custom: factKind({
    data: z.object({
      /** null of an erased user, of whom nothing else is kept either. */
      name: z.string().nullable(),
      properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
    isActivity: true,
  }),

  /** A robot sent an event of any type. It has no person, and is in no figure about people. */
  'robot-event': factKind({
    data: nothing,
    countsOf: () => [{ family: 'robots', of: '', measures: { events: 1 } }],
  }),
};
