import { z } from 'zod';
import { commonErrors } from '../../errors/common.ts';
import { engagementErrors } from '../../errors/engagement.ts';
import { idSchema } from '../../ids.ts';
import { currencyPattern, line, money, page, pageQuery, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { discountCode } from './campaign-codes.ts';
import { evaluation } from './evaluation.ts';

const byStaff = 'Only staff may state it.';
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

const cartLine = z.strictObject({
  lineId: line(64)
    .optional()
    .meta({
      description: 'Names the line in the answer; each line has its own. Its number, from 1, where it is left out.',
      examples: ['1'],
    }),
  productId: idSchema('prod'),
  variantId: idSchema('var')
    .optional()
    .meta({
      description:
        'The variant of the product. May be left out where only one is for sale, which the line is about then.',
      examples: ['var_01h455vb4pex5vsknk084sn02q'],
    }),
  quantity: z.int().min(1).max(10_000),
  unitPrice: money.optional().meta({ description: `The price of the catalog where it is left out. ${byStaff}` }),
});

const cart = {
  currency: z
    .string()
    .regex(currencyPattern)
    .optional()
    .meta({
      description: "ISO 4217, of all money of the cart; the shop's currency where it is left out.",
      examples: ['EUR'],
    }),
  lines: z
    .array(cartLine)
    .min(1)
    .max(100)
    .refine((lines) => new Set(lines.map(({ lineId }, at) => lineId ?? String(at + 1))).size === lines.length, {
      error: 'must not name two lines by the same lineId',
    }),
  shipping: money
    .optional()
    .meta({ description: 'What shipping costs.', examples: [{ amount: 495, currency: 'EUR' }] }),
  codes: z
    .array(discountCode)
    .max(10)
    .refine((codes) => new Set(codes).size === codes.length, { error: 'must not name a code twice' })
    .default([])
    .meta({ description: 'What the shopper typed.', examples: [['SPRING26']] }),
  segment: z
    .enum(['retail', 'trade'])
    .optional()
    .meta({ description: `Whose prices and campaigns count. ${byStaff}` }),
  userId: idSchema('user')
    .optional()
    .meta({ description: `Who the shopper is. ${byStaff}` }),
};

const exampleCart = {
  lines: [{ productId: 'prod_01h455vb4pex5vsknk084sn02q', quantity: 2 }],
  shipping: { amount: 495, currency: 'EUR' },
  codes: ['SPRING26'],
};

export const cartToEvaluate = z
  .strictObject({
    ...cart,
    at: time.optional().meta({
      format: 'date-time',
      description: `The time to evaluate for; now where it is left out. ${byStaff}`,
    }),
  })
  .meta({ id: 'CartToEvaluate', examples: [exampleCart] });
export type CartToEvaluate = z.output<typeof cartToEvaluate>;

const orderRef = line(100).meta({ description: 'The order, as the order system calls it.', examples: ['order-1042'] });

export const cartToRedeem = z
  .strictObject({
    orderRef,
    ...cart,
    hold: z
      .strictObject({ seconds: z.int().min(1).max(3600) })
      .optional()
      .meta({
        description:
          'Holds the discounts for so long; unless they are confirmed meanwhile they return by themselves. Only staff ' +
          'may leave it out, and confirm at once.',
      }),
    expectedDiscount: money.optional().meta({
      description:
        'What the shopper has seen, shipping included: `discount` and `shippingDiscount` of the evaluation together.',
    }),
  })
  .meta({ id: 'CartToRedeem', examples: [{ orderRef: 'order-1042', ...exampleCart, hold: { seconds: 900 } }] });
export type CartToRedeem = z.output<typeof cartToRedeem>;

export const redemptionStatus = z.enum(['held', 'confirmed', 'released']);

export const redemption = z
  .object({
    id: idSchema('red'),
    orderRef: z.string(),
    userId: z.string().nullable().meta({ description: 'null for an order without an account.' }),
    segment: z.enum(['retail', 'trade']),
    status: redemptionStatus,
    heldUntil: timestamp.nullable().meta({
      description:
        'When the hold ends; null where the status is not `held`, and where its order ends it: placed or cancelled.',
    }),
    confirmedAt: timestamp.nullable(),
    releasedAt: timestamp.nullable(),
    placedFor: z
      .string()
      .nullable()
      .meta({ description: 'The order that was placed with it; null as long as none is known.' }),
    placedAt: timestamp.nullable(),
    retakenAt: timestamp.nullable().meta({
      description: 'When it was taken again, because an order named it that was placed after it had been given back.',
    }),
    beyondLimits: z
      .array(idSchema('camp'))
      .meta({ description: 'The campaigns of which a limit was passed when it was taken again.' }),
    campaigns: z.array(z.object({ campaignId: idSchema('camp'), code: z.string().nullable(), amount: money })).meta({
      description:
        'What counts for each campaign: less than in `evaluation` where the order that was placed states less.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
    evaluation,
  })
  .meta({ id: 'Redemption' });
export type RedemptionBody = z.infer<typeof redemption>;

const redemptionParams = z.strictObject({ id: idSchema('red') });
export const redemptionQuery = z.strictObject({
  ...pageQuery,
  campaign: idSchema('camp')
    .optional()
    .meta({ description: `Only those of this campaign. ${byStaff}` }),
  user: idSchema('user')
    .optional()
    .meta({ description: `Only those of this user. ${byStaff}` }),
});
export const redemptionPage = page(redemption).meta({ id: 'RedemptionPage' });

export const releasedRedemptions = z
  .object({
    released: z.int().meta({ description: 'How many were given back.' }),
    hasMore: z.boolean().meta({ description: 'There are more: send the request again.' }),
  })
  .meta({ id: 'ReleasedRedemptions' });

const tags = ['discounts'];

export const discountOperations = operationsOf(
  operation({
    id: 'evaluateDiscounts',
    method: 'POST',
    path: '/v1/discounts/evaluate',
    access: 'public',
    roles: ['marketing'],
    scope: 'promotions:read',
    optionalToken: true,
    tags,
    summary: 'Work out the discounts of a cart',
    description:
      'Says for each campaign whether it applied, why not, and what is missing. Prices and categories are those of the catalog. ' +
      'It stores nothing. Too many codes that do not exist, by one user or from one network, are 429 for all codes; ' +
      'staff may try any number.',
    body: cartToEvaluate,
    responses: { 200: evaluation },
    errors: [commonErrors.roleRequired, engagementErrors.tooManyUnknownCodes],
  }),
  operation({
    id: 'redeemDiscounts',
    method: 'POST',
    path: '/v1/discounts/redemptions',
    access: 'user',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    tags,
    summary: 'Redeem the discounts of an order',
    description:
      'Evaluates the cart and takes what applies: all of it or nothing. The same order and cart again get the same answer. ' +
      'Users hold it until their order is placed, for three orders at once and for six hours a day without an order; of a ' +
      'product no more than there is in stock. Staff may also confirm at once.',
    body: cartToRedeem,
    responses: {
      201: { description: 'Redeemed.', body: redemption, headers: { Location: 'The path of the redemption.' } },
      200: { description: 'It was redeemed before.', body: redemption },
    },
    errors: [
      commonErrors.roleRequired,
      engagementErrors.orderAlreadyRedeemed,
      engagementErrors.discountChanged,
      engagementErrors.noDiscountApplies,
      engagementErrors.tooManyUnknownCodes,
      engagementErrors.tooManyRedemptions,
      engagementErrors.tooManyOpenHolds,
      engagementErrors.heldTooLong,
    ],
  }),
  operation({
    id: 'listRedemptions',
    method: 'GET',
    path: '/v1/discounts/redemptions',
    access: 'user',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    tags,
    summary: 'List redemptions',
    description: 'Newest first; those of the caller, all for staff.',
    query: redemptionQuery,
    responses: { 200: redemptionPage },
    errors: [commonErrors.roleRequired],
  }),
  operation({
    id: 'getRedemption',
    method: 'GET',
    path: '/v1/discounts/redemptions/{id}',
    access: 'user',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    tags,
    summary: 'Read a redemption',
    description: 'One of somebody else looks absent, but for staff.',
    params: redemptionParams,
    responses: { 200: redemption },
  }),
  operation({
    id: 'confirmRedemption',
    method: 'POST',
    path: '/v1/discounts/redemptions/{id}/confirm',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    tags,
    summary: 'Confirm a redemption that is held',
    description:
      'One that is confirmed already stays so. What users hold is confirmed by the order that is placed. What is held for an ' +
      'order that has been sent can not be confirmed here.',
    params: redemptionParams,
    responses: { 200: redemption },
    errors: [engagementErrors.redemptionReleased, engagementErrors.redemptionHeldForOrder],
  }),
  operation({
    id: 'releaseRedemption',
    method: 'DELETE',
    path: '/v1/discounts/redemptions/{id}',
    access: 'user',
    roles: ['marketing'],
    scope: 'promotions:write',
    tags,
    summary: 'Give a redemption back',
    description:
      'Limits, budgets and codes have it back at once; again it changes nothing. Users give back what is held, staff ' +
      'also what is confirmed. An order that names it when it is placed takes it again. What is held for an order that has been ' +
      'sent comes back when the order is cancelled, and not here.',
    params: redemptionParams,
    responses: { 200: redemption },
    errors: [engagementErrors.redemptionNotHeld, engagementErrors.redemptionHeldForOrder],
  }),
  operation({
    id: 'releaseRedemptionsOfUser',
    method: 'DELETE',
    path: '/v1/discounts/redemptions',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    tags,
    summary: 'Give back all redemptions of a user',
    description:
      'Those that are held or confirmed, up to 1,000 by one request; those with which an order was placed, or for which one has ' +
      'been sent, stay. Again it changes nothing.',
    query: z.strictObject({ user: idSchema('user') }),
    responses: { 200: releasedRedemptions },
  }),
);
