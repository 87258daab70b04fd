import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { receivedLine } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

const common = {
  id: z
    .uuid()
    .transform((id) => id.toLowerCase())
    .meta({
      format: 'uuid',
      description: 'A UUID of the client. Sent again under the same id, an event counts once.',
      examples: ['0198c0de-7d2a-7c1b-9f35-2b8f0a4c6e11'],
    }),
  at: z.iso.datetime({ offset: true }).meta({
    description: 'When it happened: with a token at most 30 days ago, without one at most a day.',
    examples: ['2026-11-23T09:30:00.000Z'],
  }),
};

/** The name of an event, or of one of its properties, as programs write it. */
const name = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, { error: 'must be a letter, then letters, digits, _ or -' });
const maxProperties = 10;

/** A search text as the person typed it. Tabs and line ends become spaces. */
const query = z
  .string()
  .max(800)
  .transform((text) => text.replaceAll(/\s+/g, ' '))
  .pipe(receivedLine(200));

/** An event as a client sends it. */
export const analyticsEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('product-viewed'), ...common, productId: idSchema('prod') }),
  z.strictObject({ type: z.literal('category-viewed'), ...common, categoryId: idSchema('cat') }),
  z.strictObject({
    type: z.literal('search-performed'),
    ...common,
    query,
    results: z.int().min(0).max(1_000_000_000).meta({ description: 'How many there were.' }),
  }),
  z.strictObject({ type: z.literal('cart-updated'), ...common }),
  z.strictObject({ type: z.literal('checkout-started'), ...common }),
  z.strictObject({
    type: z.literal('custom'),
    ...common,
    name,
    properties: z
      .record(name, z.union([z.string().max(200), z.number(), z.boolean()]))
      .refine((properties) => Object.keys(properties).length <= maxProperties, {
        error: `must be ${maxProperties} at most`,
      })
      .default({})
      .meta({ maxProperties }),
  }),
]);
export type AnalyticsEvent = z.output<typeof analyticsEvent>;

/** Why an event of a client was rejected. */
export const analyticsRejection = z.enum([
  'unknown_type',
  'invalid_fields',
  'in_the_future',
  'too_old',
  'personal_data',
  'unknown_product',
  'unknown_category',
  'too_many',
]);
export type AnalyticsRejection = z.infer<typeof analyticsRejection>;

const example = { id: '0198c0de-7d2a-7c1b-9f35-2b8f0a4c6e11', at: '2026-11-23T09:30:00.000Z' };

const analyticsEvents = z
  .strictObject({
    anonymousId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{16,64}$/, { error: 'must be 16 to 64 letters, digits, _ or -' })
      .optional()
      .meta({
        description:
          'A random id of the visitor, such as one that the shop keeps in the browser. With a token it is ignored.',
        examples: ['0198c0de7d2a7c1b9f352b8f0a4c6e11'],
      }),
    // Each event is checked separately later, so that a wrong event does not make the others fail.
    events: z
      .array(z.unknown())
      .min(1)
      .max(100)
      .meta({
        description:
          'Each has `id`, `type` and `at`, and by its type: `product-viewed` `productId`; `category-viewed` `categoryId`; ' +
          '`search-performed` `query` and `results`; `cart-updated` and `checkout-started` nothing; `custom` a `name` and ' +
          'up to ten flat `properties`. `cart-updated` and `checkout-started` of users are known where the orders service has the ' +
          'carts; sent as well, they count once.',
      }),
  })
  .meta({
    id: 'AnalyticsEvents',
    examples: [
      {
        anonymousId: '0198c0de7d2a7c1b9f352b8f0a4c6e11',
        events: [{ ...example, type: 'search-performed', query: 'green tea', results: 12 }],
      },
    ],
  });

const analyticsResult = z
  .object({
    accepted: z.int().meta({ description: 'How many were taken.' }),
    duplicates: z.int().meta({ description: 'How many were taken before, by their ids.' }),
    rejected: z
      .array(
        z.object({
          index: z.int().meta({ description: 'Its place among the events, from 0.' }),
          code: analyticsRejection,
        }),
      )
      .meta({
        description:
          '`unknown_type`; `invalid_fields`; `in_the_future`: more than a day; `too_old`: more than 30 days, without a token more ' +
          'than a day; `personal_data`: an email address, a phone number or the number of a payment card in a property; ' +
          '`unknown_product`, `unknown_category`: not in the catalog, or so new that its event has not arrived, so send it again ' +
          'some seconds later; `too_many`: more than there may be a day.',
      }),
  })
  .meta({ id: 'AnalyticsResult', examples: [{ accepted: 1, duplicates: 0, rejected: [] }] });

const yes = z.string().max(16).optional();

export const analyticsEventOperations = operationsOf(
  operation({
    id: 'recordAnalyticsEvents',
    method: 'POST',
    path: '/v1/analytics/events',
    access: 'public',
    optionalToken: true,
    tags: ['analytics'],
    summary: 'Send events of visitors',
    description:
      'For statistics. Events are of the user of the token, or else of `anonymousId`; with `Sec-GPC: 1` or `DNT: 1` they are ' +
      'counted and are nobody’s. No address is kept. An event that is wrong refuses itself alone. What somebody searched for is ' +
      'not kept where it has an email address, a phone number or the number of a payment card: such a search is counted without ' +
      'its text. Those of robots, by their `User-Agent`, are counted apart. Browsers may send it as a page ends: ' +
      '`navigator.sendBeacon` sends JSON as `text/plain`.',
    headers: z.object({
      'sec-gpc': yes.meta({ description: '`1`: the visitor does not want to be known again.', examples: ['1'] }),
      dnt: yes.meta({ description: 'The older form of `Sec-GPC`.', examples: ['1'] }),
    }),
    body: analyticsEvents,
    alsoAsText: true,
    responses: { 202: { description: 'Taken, but for those that it names.', body: analyticsResult } },
  }),
);
