import { ordersEvents, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { FactDraft } from '../fact.ts';
import { factKind, from, user } from '../kind.ts';
import { measuresOfSearch, otherTexts } from '../search-text.ts';

const nothing = z.object({});

/** Facts about events that pages and apps of the shop send. The orders service states some of them, too. */
export const clientFacts = {
  /** Somebody looked at a product. */
  'product-viewed': factKind({
    data: z.object({ productId: z.string() }),
    countsOf: ({ data: { productId } }) => [{ family: 'productInterest', of: productId, measures: { views: 1 } }],
    isActivity: true,
    setsOf: () => [{ set: 'viewers', of: '' }],
  }),

  /** Somebody looked at a category. No report counts these facts. */
  'category-viewed': factKind({ data: z.object({ categoryId: z.string() }), isActivity: true }),

  /** Somebody searched for a text. */
  'search-performed': factKind({
    data: z.object({
      /**
       * The searched text, in the form in which texts are compared and with single spaces. null where the text is not
       * kept.
       */
      words: z.string().nullable(),
      results: z.int(),
    }),
    // Each search counts among all searches and among the searches whose text is not shown. When a report begins to
    // show a text, the searches for the text move to a sum of their own.
    countsOf: ({ data: { results } }) =>
      ['', otherTexts].map((of) => ({ family: 'searches', of, measures: measuresOfSearch(results) })),
    isActivity: true,
  }),

  /**
   * A cart changed. This is the first step of a funnel, which counts people: a change that the orders service states as
   * well counts once.
   */
  'cart-updated': factKind({
    data: nothing,
    events: [from(ordersEvents.cartUpdated, ofShopper)],
    isActivity: true,
    setsOf: () => [{ set: 'carted', of: '' }],
  }),

  /**
   * A checkout began. This is a step of the funnel, which counts people: a checkout that the orders service states as well
   * counts once.
   */
  'checkout-started': factKind({
    data: nothing,
    events: [from(ordersEvents.checkoutStarted, ofShopper)],
    isActivity: true,
  }),

  /** An event that the shop defined for its own purposes. No report counts these facts. */
  custom: factKind({
    data: z.object({
      /** The name of the event. null when the user was erased; the properties of the event are then erased, too. */
      name: z.string().nullable(),
      properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
    isActivity: true,
  }),

  /** A robot sent an event, of any type. The fact has no person, so robots are in no figure about people. */
  'robot-event': factKind({
    data: nothing,
    countsOf: () => [{ family: 'robots', of: '', measures: { events: 1 } }],
  }),
};

function ofShopper({
  time,
  data: { userId, tier },
}: Pick<EventOf<typeof ordersEvents.cartUpdated>, 'time' | 'data'>): FactDraft<z.infer<typeof nothing>> {
  return { at: new Date(time), segment: tier, by: user(userId), data: {} };
}
