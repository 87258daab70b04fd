import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { money } from '../common.ts';

/** Why a campaign gave no discount. */
export const discountReason = z
  .enum([
    'not_started',
    'ended',
    'paused',
    'other_currency',
    'sign_in_required',
    'wrong_segment',
    'not_first_order',
    'used_up',
    'used_up_by_you',
    'minimum_subtotal',
    'minimum_quantity',
    'no_matching_items',
    'budget_exhausted',
    'excluded_by_other',
    'better_offer_applied',
  ])
  .meta({ description: 'Why it did not apply; null where it did.' });
export type DiscountReason = z.infer<typeof discountReason>;

export const codeStatus = z.enum(['applied', 'not_applied', 'unknown', 'ended', 'used_up']);

/** The answer of an evaluation. It is also part of error answers, so it is declared separately from the operations. */
export const evaluation = z
  .object({
    currency: z.string().meta({ description: 'ISO 4217; of all amounts here.' }),
    subtotal: money.meta({ description: 'All lines before discounts.' }),
    discount: money.meta({ description: 'What is taken off the lines.' }),
    shipping: money,
    shippingDiscount: money,
    total: money.meta({ description: 'What is left to pay, shipping included.' }),
    lines: z.array(
      z.object({
        lineId: z.string(),
        productId: idSchema('prod'),
        variantId: idSchema('var').nullable().meta({
          description: 'Also where the line named none. null where staff state the price and none of several variants.',
        }),
        sku: z.string().nullable().meta({ description: 'Of the variant; null where the catalog does not sell it.' }),
        quantity: z.int(),
        unitPrice: money,
        subtotal: money,
        discount: money,
        total: money,
        discounts: z.array(z.object({ campaignId: idSchema('camp'), amount: money })),
      }),
    ),
    campaigns: z
      .array(
        z.object({
          campaignId: idSchema('camp'),
          name: z.string(),
          code: z.string().nullable(),
          applied: z.boolean(),
          amount: money.meta({ description: 'What it took off in all.' }),
          reason: discountReason.nullable(),
          missing: money.nullable().meta({
            description: 'What the cart still needs to cost for `minimum_subtotal`; else null.',
          }),
          missingQuantity: z
            .int()
            .nullable()
            .meta({ description: 'How many items the cart still needs for `minimum_quantity`; else null.' }),
        }),
      )
      .meta({
        description:
          'The automatic campaigns that run and could apply, and those of the codes, by priority. An evaluation names others that ' +
          'run too, until 50 are named; a redemption does not.',
      }),
    codes: z.array(z.object({ code: z.string(), status: codeStatus, campaignId: idSchema('camp').nullable() })),
  })
  .meta({ id: 'Evaluation' });
export type EvaluationBody = z.infer<typeof evaluation>;

const euros = (amount: number) => ({ amount, currency: 'EUR' });

export const evaluationExample: EvaluationBody = {
  currency: 'EUR',
  subtotal: euros(1999),
  discount: euros(0),
  shipping: euros(0),
  shippingDiscount: euros(0),
  total: euros(1999),
  lines: [
    {
      lineId: '1',
      productId: 'prod_01h455vb4pex5vsknk084sn02q',
      variantId: 'var_01h455vb4pex5vsknk084sn02q',
      sku: 'TEAPOT-1',
      quantity: 1,
      unitPrice: euros(1999),
      subtotal: euros(1999),
      discount: euros(0),
      total: euros(1999),
      discounts: [],
    },
  ],
  campaigns: [
    {
      campaignId: 'camp_01h455vb4pex5vsknk084sn02q',
      name: 'Teapots in spring',
      code: 'SPRING26',
      applied: false,
      amount: euros(0),
      reason: 'used_up',
      missing: null,
      missingQuantity: null,
    },
  ],
  codes: [{ code: 'SPRING26', status: 'used_up', campaignId: 'camp_01h455vb4pex5vsknk084sn02q' }],
};
