import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { idSchema } from '../ids.ts';
import { emailAddress, line, money, receivedLine, text } from '../http/common.ts';

/** In minor units of the order's currency. */
const amount = z.int().min(0);
const segment = z.enum(['trade', 'retail', 'guest']).meta({ description: 'Whose order it is, for statistics.' });
const variantLine = { lineId: z.string(), productId: z.string(), variantId: z.string(), quantity: z.int().min(1) };

/**
 * The events from here to `orderCancelled` are published by the orders service alone. They ask account, catalog, engagement and billing
 * for their part of an order. The order is the subject. Each type is delivered by itself, so a later one may overtake an
 * earlier one; and each may be published again if no answer came. The answer to a repetition is the same as before.
 */
export const recipientRequested = defineEvent(
  'orders.recipient-requested',
  "An order was sent to one of its buyer's addresses, or to a saved recipient: account says where that is.",
  z.object({
    userId: z.string(),
    saved: z.object({ kind: z.enum(['address', 'customer']), id: z.string() }),
  }),
);

export type RecipientRequested = z.infer<typeof recipientRequested.data>;

export const orderRequested = defineEvent(
  'orders.order-requested',
  'An order was sent: catalog reserves all of its lines, or none.',
  z.object({
    tier: z.enum(['retail', 'trade']),
    currency: z.string(),
    lines: z.array(z.object(variantLine)),
  }),
);
export type OrderRequested = z.infer<typeof orderRequested.data>;

export const discountRequested = defineEvent(
  'orders.discount-requested',
  'The lines of an order are reserved: engagement holds the discounts that apply to them.',
  z.object({
    userId: z.string().nullable(),
    tier: z.enum(['retail', 'trade']),
    currency: z.string(),
    codes: z.array(z.string()),
    lines: z.array(z.object({ ...variantLine, unitPrice: amount })),
    shipping: amount.meta({ description: 'What shipping costs.' }),
  }),
);

export const paymentRequested = defineEvent(
  'orders.payment-requested',
  'The total of an order is known. `card`: billing opens a page on which it is paid. `invoice`: billing counts it as owed by the trade account from now on.',
  z.object({
    paymentId: idSchema('pay').meta({ description: 'Of this attempt; another attempt has another id.' }),
    userId: z.string().nullable(),
    method: z.enum(['card', 'invoice']),
    currency: z.string(),
    amount,
    returnUrl: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .meta({ description: "Where the provider's page leads back to, with the parameters `order` and `payment`." }),
  }),
);

export const paymentClosingRequested = defineEvent(
  'orders.payment-closing-requested',
  'The order is not to be paid any more: billing closes the page, and says what came.',
  z.object({ reason: z.enum(['unpaid', 'cancelled', 'erased']) }),
);

export const orderCancelled = defineEvent(
  'orders.order-cancelled',
  'The order is over: whatever is reserved, held or owed for it is given back, its invoice is credited, and all money that came or still comes is refunded. After it, no other event of the order has an effect.',
  z.object({
    userId: z.string().nullable(),
    from: z.enum(['pending', 'awaiting-payment', 'closing', 'placed']),
    reason: z.string(),
    segment,
    currency: z.string(),
    sold: z
      .object({
        subtotal: amount,
        discount: amount,
        total: amount,
        lines: z.array(
          z.object({ productId: z.string(), variantId: z.string(), quantity: z.int().min(1), unitPrice: amount }),
        ),
      })
      .nullable()
      .meta({ description: 'What `order-placed` stated; null for an order that was never placed.' }),
  }),
);
export type OrderCancelled = z.infer<typeof orderCancelled.data>;

export const orderRefunded = defineEvent(
  'orders.order-refunded',
  'Money of an order went back.',
  z.object({
    userId: z.string().nullable(),
    segment,
    currency: z.string(),
    amount: z.int().meta({ description: 'What went back since the event before. Below 0 where a refund has failed.' }),
  }),
);

/** What a logged-in user does on the way to an order, for statistics. A guest has no id under which it could count. */
const shopper = z.object({ userId: z.string(), tier: z.enum(['retail', 'trade']) });

export const cartUpdated = defineEvent(
  'orders.cart-updated',
  'A logged-in user changed the lines of a cart. At most one for each cart and quarter of an hour.',
  shopper,
);

export const cartLeft = defineEvent(
  'orders.cart-left',
  'The subject, a user, has left a cart for a day: what is in it, at the prices of now. At most one for each user in 7 days.',
  z.object({
    currency: z.string(),
    lines: z.array(
      z.object({
        productId: z.string(),
        variantId: z.string(),
        name: z.string(),
        sku: z.string(),
        quantity: z.int().min(1),
        unitPrice: amount,
      }),
    ),
    subtotal: amount,
  }),
);
export type CartLeft = z.infer<typeof cartLeft.data>;

export const checkoutStarted = defineEvent('orders.checkout-started', 'A logged-in user sent an order.', shopper);

export const orderShipped = defineEvent(
  'orders.order-shipped',
  'Pieces of a placed order have left the shop: catalog counts them no longer, nor as reserved.',
  z.object({
    shipmentId: idSchema('shpm').meta({ description: 'A shipment counts once.' }),
    userId: z.string().nullable(),
    segment,
    lines: z.array(z.object(variantLine)),
  }),
);

export const orderDelivered = defineEvent(
  'orders.order-delivered',
  'All that was shipped of a placed order has arrived, for statistics.',
  z.object({ userId: z.string().nullable(), segment }),
);

export const orderReduced = defineEvent(
  'orders.order-reduced',
  'A part of a placed order was cancelled, or refunded: catalog gives the pieces back, and billing refunds what was paid beyond `keep`, and credits what was invoiced beyond it.',
  z.object({
    changeId: idSchema('och').meta({ description: 'A change counts once.' }),
    lines: z.array(z.object(variantLine)).meta({ description: 'The pieces that are cancelled; none for a refund.' }),
    currency: z.string(),
    keep: amount.meta({ description: 'What the shop may keep of the money of the order from now on; it only falls.' }),
    charged: z
      .object({
        quantities: z.array(z.int().min(0)).meta({ description: 'Of each line, in the order of `order-placed`.' }),
        shipping: z.boolean(),
      })
      .meta({ description: 'What is neither cancelled nor refunded from now on.' }),
  }),
);
export const orderReturned = defineEvent(
  'orders.order-returned',
  'Pieces of a placed order have come back: where they can be sold again, catalog counts them again.',
  z.object({
    returnId: idSchema('ret').meta({ description: 'A return counts once.' }),
    lines: z.array(z.object(variantLine)).meta({ description: 'The pieces that have come.' }),
    restocked: z.boolean().meta({ description: 'Whether they can be sold again.' }),
    userId: z.string().nullable(),
    segment,
    currency: z.string(),
  }),
);
export type OrderReturned = z.infer<typeof orderReturned.data>;

export type OrderReduced = z.infer<typeof orderReduced.data>;

export type OrderShipped = z.infer<typeof orderShipped.data>;

const rate = z.number().min(0).max(100);

const orderMoney = z.object({ subtotal: amount, discount: amount, shipping: amount, tax: amount, total: amount });

export const orderProgressed = defineEvent(
  'orders.order-progressed',
  'Something of an order has happened that its buyer is told by mail. The event has everything that the mail says.',
  z.object({
    kind: z.enum([
      'confirmed',
      'payment-failed',
      'cancelled',
      'shipped',
      'delivered',
      'reduced',
      'refunded',
      'returned',
    ]),
    number: z.string().nullable().meta({ description: 'null for an order that was never placed.' }),
    userId: z.string().nullable().meta({ description: 'null for a guest.' }),
    email: z.string().nullable().meta({ description: "A guest's; a user's is known." }),
    locale: z.string().nullable(),
    name: z.string(),
    currency: z.string(),
    lines: z
      .array(z.object({ name: z.string(), sku: z.string(), quantity: z.int(), unitPrice: amount }))
      .meta({ description: 'Of `shipped`, `delivered`, `reduced`, `refunded` and `returned` only what it is about.' }),
    tracking: z
      .object({ carrier: z.string().nullable(), number: z.string().nullable(), url: z.string().nullable() })
      .nullable()
      .meta({ description: 'Of `shipped`: where the parcel can be followed.' }),
    refund: amount.nullable().meta({ description: 'Of `reduced` and `refunded`: what goes back to the buyer.' }),
    totals: orderMoney,
    taxIncluded: z.boolean(),
    payment: z.enum(['card', 'invoice', 'none']),
    orderSecret: z.string().nullable().meta({
      description:
        'With which a guest reads the order: 43 characters, encrypted as the link of a code is; null for users.',
    }),
  }),
);
export type OrderProgress = z.infer<typeof orderProgressed.data>;

/**
 * Published by an external order system, so the data is checked strictly. `source` is `orders`, `subject` is the
 * order's id, and `sequence` is 1. An order that is published several times counts once.
 */
const placed = z.object({
  orderId: line(100),
  number: receivedLine(100).optional().meta({ description: 'The number of the order, as its buyer knows it.' }),
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
        taxRate: rate.optional().meta({ description: "In per cent; the shop's by default." }),
        discount: money.optional().meta({
          description: 'Taken off the line. Where no line states one, `totals.discount` is spread over the lines.',
        }),
        tax: money.optional().meta({
          description: 'After the discount. Where all lines and shipping state it, the invoice has it as it is.',
        }),
      }),
    )
    .min(1)
    .max(1000)
    .optional(),
  shipping: z
    .object({ discount: money.optional(), taxRate: rate.optional(), tax: money.optional() })
    .optional()
    .meta({ description: 'As of a line; the price is in `totals.shipping`.' }),
  reverseCharge: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the buyer owes the tax. Where it is left out, billing decides by the account.' }),
  paymentTerms: z
    .enum(['prepaid', 'invoice'])
    .optional()
    .meta({ description: '`invoice`: a trade account pays it later, by an invoice. Prices are without tax then.' }),
  reference: receivedLine(100).optional().meta({ description: "The buyer's own order number, for the invoice." }),
  redemptionId: idSchema('red').optional().meta({ description: 'The discounts that were redeemed for it.' }),
});

export const orderPlaced = defineEvent('orders.order-placed', 'A checkout is done.', placed);
export type OrderPlaced = z.output<typeof orderPlaced.data>;

/** As `orderPlaced`, of somebody without an account. */
export const guestOrderPlaced = defineEvent(
  'orders.guest-order-placed',
  'A checkout of somebody without an account is done.',
  placed.omit({ userId: true }),
);
