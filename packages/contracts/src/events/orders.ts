import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { idSchema } from '../ids.ts';
import { emailAddress, line, money, receivedLine, text } from '../http/common.ts';

/**
 * Published by an external order system, so the data is checked strictly. `source` is `orders`, `subject` is the
 * order's id, and `sequence` is 1. An order that is published several times counts once.
 */
export const orderPlaced = defineEvent(
  'orders.order-placed',
  'A checkout is done.',
  z.object({
    orderId: line(100),
    userId: idSchema('user').meta({ description: 'Who placed the order.' }),
    recipient: z
      .object({
        firstName: receivedLine(100),
        lastName: receivedLine(100),
        email: emailAddress.optional(),
        phone: receivedLine(32).optional().meta({ description: 'Best in E.164.' }),
        address: z
          .object({
            homeAddress: text(500),
            state: receivedLine(100).nullable().default(null),
            city: receivedLine(100),
            country: z.string().regex(/^[A-Z]{2}$/),
          })
          .optional(),
      })
      .meta({ description: 'Whom the order is for.' }),
    placedAt: z.iso.datetime(),
    tier: z.enum(['retail', 'trade']).default('retail'),
    totals: z
      .object({
        subtotal: money.optional().meta({ description: 'Of all lines, before discounts.' }),
        discount: money.optional().meta({ description: 'What was taken off, for shipping too.' }),
        shipping: money.optional().meta({ description: 'Before discounts.' }),
        tax: money.optional(),
        total: money.meta({ description: 'What is to be paid.' }),
      })
      .optional(),
    lines: z
      .array(
        z.object({
          productId: z.string().max(100),
          variantId: z.string().max(100).optional().meta({ description: 'The variant of the product that was sold.' }),
          quantity: z.int().min(1),
          unitPrice: money,
          description: receivedLine(200)
            .optional()
            .meta({ description: 'For the invoice; the SKU by default, or else the product id.' }),
          sku: receivedLine(64).optional().meta({ description: 'Of the variant.' }),
          taxRate: z.number().min(0).max(100).optional().meta({ description: "In per cent; the shop's by default." }),
        }),
      )
      .min(1)
      .max(1000)
      .optional(),
    paymentTerms: z
      .enum(['prepaid', 'invoice'])
      .optional()
      .meta({ description: '`invoice`: a trade account pays it later, by an invoice. Prices are without tax then.' }),
    reference: receivedLine(100).optional().meta({ description: "The buyer's own order number, for the invoice." }),
    redemptionId: idSchema('red').optional().meta({ description: 'The discounts that were redeemed for it.' }),
  }),
);
export type OrderPlaced = z.output<typeof orderPlaced.data>;
