import { z } from 'zod';
import { commonErrors } from '../../errors/common.ts';
import { ordersErrors } from '../../errors/orders.ts';
import { idSchema } from '../../ids.ts';
import { shownPictureAddress } from '../catalog/pictures.ts';
import {
  created,
  emailAddress,
  line,
  money,
  nonEmpty,
  page,
  pageQuery,
  returnUrl,
  requestTime,
  text,
  timestamp,
} from '../common.ts';
import { country } from '../countries.ts';
import { csvDialect } from '../csv.ts';
import { operation, operationsOf } from '../operation.ts';

/**
 * `pending`: stock, discounts and payment are being asked for. `awaiting-payment`: everything is reserved, and the buyer
 * pays. `closing`: it will not be paid any more, and what came is being found out. `placed`: it is paid, or on account.
 * `refused` and `cancelled`: it is over, and nothing of it is reserved.
 */
export const orderStatus = z.enum(['pending', 'awaiting-payment', 'closing', 'placed', 'cancelled', 'refused']);
export type OrderStatus = z.infer<typeof orderStatus>;

export const paymentMethod = z
  .enum(['card', 'invoice'])
  .meta({ description: '`invoice` is for trade accounts: it is paid later.' });

/** `none`: nothing is asked for yet, or nothing has to be paid. `on-account`: an invoice asks for it. */
export const orderPaymentStatus = z.enum(['none', 'open', 'failed', 'paid', 'refunded', 'disputed', 'on-account']);

/** Of what was not cancelled. `partial`: some of it is shipped. `shipped`: all of it, as with `delivered`. */
export const fulfilmentStatus = z.enum(['open', 'partial', 'shipped', 'delivered']);
export type FulfilmentStatus = z.infer<typeof fulfilmentStatus>;

/** `requested`: the buyer sends pieces back. `received`: they have come. `withdrawn`: the buyer keeps them. */
export const returnStatus = z.enum(['requested', 'received', 'withdrawn']);

/**
 * `stuck`: it has waited for another service for more than 15 minutes. `disputed`: money of it is disputed. `refund-failed`:
 * money that is to go back can not be refunded by the provider.
 */
export const orderAttention = z.enum(['stuck', 'disputed', 'refund-failed']);
export type OrderAttention = z.infer<typeof orderAttention>;

const phone = line(32);

export const orderAddress = z
  .strictObject({
    firstName: line(100),
    lastName: line(100),
    company: line(200).nullable().default(null),
    homeAddress: text(500).meta({ description: 'Street, number and what else it needs.' }),
    city: line(100),
    state: line(100).nullable().default(null),
    country,
    phone: phone.nullable().default(null),
  })
  .meta({
    id: 'OrderAddress',
    examples: [
      {
        firstName: 'Ada',
        lastName: 'Lovelace',
        homeAddress: 'Keizersgracht 1',
        city: '1015 CJ Amsterdam',
        country: 'NL',
      },
    ],
  });
export type OrderAddress = z.output<typeof orderAddress>;

const shownAddress = z
  .object({
    firstName: z.string(),
    lastName: z.string(),
    company: z.string().nullable(),
    homeAddress: z.string(),
    city: z.string(),
    state: z.string().nullable(),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.' }),
    phone: z.string().nullable(),
  })
  .meta({ id: 'AddressOfOrder' });

const orderLine = z
  .object({
    id: z.string().meta({ description: 'Names the line within the order.', examples: ['1'] }),
    productId: idSchema('prod'),
    variantId: idSchema('var'),
    sku: z.string().nullable().meta({ description: 'null until the stock is reserved, like the name and the price.' }),
    name: z.string().nullable(),
    values: z.array(z.string()).meta({ description: "The variant's values of the product's options." }),
    image: shownPictureAddress.nullable(),
    quantity: z.int(),
    shipped: z.int().meta({ description: 'How many of them were shipped.' }),
    cancelled: z.int().meta({ description: 'How many of them were cancelled: they are neither shipped nor paid.' }),
    refunded: z.int().meta({ description: 'How many of them were refunded without being cancelled.' }),
    returned: z.int().meta({ description: 'How many of them were shipped and have come back.' }),
    backOrdered: z.int().meta({ description: 'How many of them are not in stock yet.' }),
    unitPrice: money.nullable(),
    discount: money,
    taxRate: z.number().meta({ description: 'In per cent.' }),
    tax: money,
    total: money,
  })
  .meta({ id: 'OrderLine' });

const somePieces = z
  .object({ lineId: z.string(), quantity: z.int() })
  .meta({ id: 'PiecesOfLine', description: 'So many pieces of a line of the order.' });

const shipment = z
  .object({
    id: idSchema('shpm'),
    lines: z.array(somePieces),
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
    shippedAt: timestamp,
  })
  .meta({ id: 'Shipment' });

const orderReturn = z
  .object({
    id: idSchema('ret'),
    status: returnStatus,
    lines: z.array(somePieces).meta({ description: 'What the buyer sends back; once it is received, what has come.' }),
    reason: z.string().nullable().meta({ description: 'What the buyer has written; null once the buyer is erased.' }),
    requestedAt: timestamp,
    receivedAt: timestamp.nullable(),
  })
  .meta({ id: 'OrderReturn' });

const timelineEntry = z
  .object({
    at: timestamp,
    what: z.string().meta({ description: 'What happened.', examples: ['placed'] }),
    by: z
      .enum(['buyer', 'shop', 'system'])
      .meta({ description: '`shop`: somebody of the staff. `system`: it follows from what happened before.' }),
    lines: z.array(somePieces).meta({ description: 'What it is about; empty for the whole order.' }),
    amount: money.nullable().meta({ description: 'What goes back to the buyer because of it.' }),
    reason: z.string().nullable().meta({ description: 'What staff have written about it; for staff alone.' }),
  })
  .meta({ id: 'TimelineEntry' });

export const order = z
  .object({
    id: idSchema('ord'),
    number: z
      .string()
      .nullable()
      .meta({ description: 'Taken when it is placed.', examples: ['ORD-2026-000123'] }),
    status: orderStatus,
    fulfilmentStatus,
    paymentStatus: orderPaymentStatus,
    userId: idSchema('user').nullable().meta({ description: 'null for a guest.' }),
    email: z.string().nullable().meta({ description: "A guest's." }),
    lines: z.array(orderLine),
    discounts: z.array(
      z.object({ campaignId: idSchema('camp'), name: z.string(), code: z.string().nullable(), amount: money }),
    ),
    shipping: z.object({
      optionId: idSchema('shopt'),
      name: z.string(),
      price: money.nullable().meta({ description: 'null until the stock is reserved.' }),
      discount: money,
      taxRate: z.number(),
      tax: money,
    }),
    totals: z
      .object({
        subtotal: money,
        discount: money.meta({ description: 'Of the lines and of shipping.' }),
        shipping: money.meta({ description: 'Before its discount.' }),
        tax: money,
        total: money,
        paid: money,
        refunded: money.meta({ description: 'What went back so far.' }),
        kept: money.meta({
          description: 'What the shop keeps, once all that was cancelled and refunded has gone back.',
        }),
      })
      .meta({ description: 'All of them 0 until the discounts are held.' }),
    taxIncluded: z.boolean().meta({ description: 'Whether prices contain the tax, or it comes on top of them.' }),
    reverseCharge: z.boolean().meta({ description: 'The buyer owes the tax.' }),
    shippingAddress: shownAddress
      .nullable()
      .meta({ description: 'null while an `addressId` or a `customerId` is looked up.' }),
    billingAddress: shownAddress.nullable().meta({ description: 'null where the shipping address is.' }),
    payment: z.object({
      method: paymentMethod,
      id: idSchema('pay').nullable(),
      redirectUrl: z.string().nullable().meta({ description: 'Where it is paid, while it awaits its payment.' }),
    }),
    refusal: z
      .object({ code: z.string(), detail: z.string() })
      .nullable()
      .meta({ description: 'Why it is refused: the code of the error that the order was answered with.' }),
    reference: z.string().nullable().meta({ description: "The buyer's own number." }),
    note: z.string().nullable(),
    shipments: z.array(shipment).meta({ description: 'The oldest first.' }),
    returns: z.array(orderReturn).meta({ description: 'The oldest first.' }),
    staffNote: z.string().nullable().optional().meta({ description: 'What staff have noted; for staff alone.' }),
    attention: z
      .array(orderAttention)
      .optional()
      .meta({ description: 'Why staff have to see to it; for staff alone.', examples: [['disputed']] }),
    timeline: z.array(timelineEntry).meta({ description: 'The oldest first.' }),
    placedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    orderSecret: z.string().optional().meta({
      description: 'Only in the answer to a guest who sends the order: with it, the guest reads, pays and cancels it.',
    }),
  })
  .meta({ id: 'Order' });
export type OrderBody = z.infer<typeof order>;
export const orderPage = page(order).meta({ id: 'OrderPage' });

export const orderCreation = z
  .strictObject({
    cartId: idSchema('cart'),
    shippingOptionId: idSchema('shopt'),
    shippingAddress: orderAddress
      .optional()
      .meta({ description: 'Exactly one of this, `addressId` and `customerId` is required.' }),
    addressId: idSchema('addr')
      .optional()
      .meta({ description: "One of the buyer's addresses, as it is now; `recipient` says who receives it." }),
    customerId: idSchema('cust').optional().meta({ description: 'A saved recipient of the buyer, as it is now.' }),
    recipient: z
      .strictObject({ firstName: line(100), lastName: line(100), company: line(200).nullable().default(null) })
      .optional()
      .meta({ description: 'Required with `addressId`, and only then: addresses have no names.' }),
    billingAddress: orderAddress.optional().meta({ description: 'The shipping address where it is left out.' }),
    email: emailAddress.optional().meta({ description: 'Required of guests, and only theirs.' }),
    payment: z.strictObject({ method: paymentMethod }),
    returnUrl: returnUrl.optional(),
    reference: line(100).optional().meta({ description: "The buyer's own number, for the invoice." }),
    note: text(1000).optional().meta({ description: 'For the shop.' }),
    expectedTotal: money.meta({ description: 'What the buyer has seen. Another total refuses the order.' }),
  })
  .meta({
    id: 'OrderCreation',
    examples: [
      {
        cartId: 'cart_01h455vb4pex5vsknk084sn02q',
        shippingOptionId: 'shopt_01h455vb4pex5vsknk084sn02q',
        shippingAddress: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          homeAddress: 'Keizersgracht 1',
          city: '1015 CJ Amsterdam',
          country: 'NL',
        },
        email: 'ada@example.com',
        payment: { method: 'card' },
        expectedTotal: { amount: 2494, currency: 'EUR' },
      },
    ],
  });
export type OrderCreation = z.output<typeof orderCreation>;
export type OrderCreationBody = z.input<typeof orderCreation>;

const someLines = z
  .array(z.strictObject({ lineId: line(10), quantity: z.int().min(1).max(1_000_000) }))
  .min(1)
  .max(100);

export const orderCancellation = z
  .strictObject({
    lines: someLines
      .optional()
      .meta({ description: 'What is cancelled, of what is not shipped. Only staff may state it.' }),
    reason: text(500).optional().meta({ description: 'For the shop.' }),
  })
  .meta({ id: 'OrderCancellation', examples: [{ reason: 'Ordered twice.' }] });

export const refundCreation = z
  .strictObject({
    lines: someLines
      .optional()
      .meta({ description: 'What these pieces have cost, of what is neither cancelled nor refunded.' }),
    shipping: z.literal(true).optional().meta({ description: 'What shipping has cost, too.' }),
    goodwill: money.optional().meta({ description: 'So much more.' }),
    reason: text(500).meta({ description: 'For the shop.' }),
  })
  .meta({
    id: 'RefundCreation',
    examples: [{ goodwill: { amount: 500, currency: 'EUR' }, reason: 'It came a week late.' }],
  });
export type RefundCreation = z.output<typeof refundCreation>;

export const shipmentCreation = z
  .strictObject({
    lines: someLines.optional().meta({ description: 'All that is left to ship, where they are left out.' }),
    carrier: line(100).optional(),
    trackingNumber: line(100).optional(),
    trackingUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .meta({ description: 'Where the buyer can follow the parcel; the mail has it.' }),
  })
  .meta({
    id: 'ShipmentCreation',
    examples: [{ lines: [{ lineId: '1', quantity: 1 }], carrier: 'DHL', trackingNumber: '00340434161094042557' }],
  });
export type ShipmentCreation = z.output<typeof shipmentCreation>;

export const returnCreation = z
  .strictObject({
    lines: someLines.meta({ description: 'Of what is shipped, and neither on its way back nor returned.' }),
    reason: text(500),
  })
  .meta({
    id: 'ReturnCreation',
    examples: [{ lines: [{ lineId: '1', quantity: 1 }], reason: 'It is too small.' }],
  });
export type ReturnCreation = z.output<typeof returnCreation>;

export const returnReceipt = z
  .strictObject({
    lines: someLines
      .optional()
      .meta({ description: 'What has come, where it is less than was announced. The rest is not expected any more.' }),
    restock: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the pieces can be sold again: they are counted in stock then.' }),
  })
  .meta({ id: 'ReturnReceipt', examples: [{ lines: [{ lineId: '1', quantity: 1 }], restock: false }] });
export type ReturnReceipt = z.output<typeof returnReceipt>;
export const orderChange = z
  .strictObject({
    staffNote: text(2000).nullable().meta({ description: 'For staff alone. null removes it.' }),
    shippingAddress: orderAddress.meta({
      description: 'In the same country, since shipping and tax depend on it. Possible until something is shipped.',
    }),
  })
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'OrderChange', minProperties: 1, examples: [{ staffNote: 'Calls back on Monday.' }] });
export type OrderChange = z.output<typeof orderChange>;

export const orderMail = z
  .strictObject({
    mail: z
      .enum(['confirmation', 'last'])
      .default('confirmation')
      .meta({ description: '`last`: what the buyer was told last, such as that it was shipped.' }),
  })
  .meta({ id: 'OrderMail', examples: [{ mail: 'last' }] });
export type OrderMail = z.output<typeof orderMail>;

const params = z.strictObject({ id: idSchema('ord') });
const paramsOfReturn = z.strictObject({ id: idSchema('ord'), returnId: idSchema('ret') });
export const orderQuery = z.strictObject({
  ...pageQuery,
  status: orderStatus.optional().meta({ description: 'Only those of this status.', examples: ['placed'] }),
  fulfilment: fulfilmentStatus
    .optional()
    .meta({ description: 'Only those that are so; placed ones, where no `status` is stated.', examples: ['open'] }),
  payment: orderPaymentStatus.optional().meta({ description: 'Only those paid so.', examples: ['disputed'] }),
  return: returnStatus
    .optional()
    .meta({ description: 'Only those with a return of this status.', examples: ['requested'] }),
  attention: orderAttention.optional().meta({
    description:
      'Only those that staff have to see to: `stuck`, `disputed` or `refund-failed`. Only staff may state it.',
    examples: ['stuck'],
  }),
  from: requestTime
    .optional()
    .meta({ format: 'date-time', description: 'Not sent before this time.', examples: ['2026-11-01T00:00:00.000Z'] }),
  to: requestTime
    .optional()
    .meta({ format: 'date-time', description: 'Sent before this time.', examples: ['2026-12-01T00:00:00.000Z'] }),
  q: line(300)
    .optional()
    .meta({
      description: 'Only the one with this number, or those of guests with this email address.',
      examples: ['ORD-2026-000123'],
    }),
  user: idSchema('user').optional().meta({ description: 'Only those of this user. Only staff may state it.' }),
});

const calendarDay = z.iso.date().meta({ format: 'date' });
export const orderExportQuery = z.strictObject({
  from: calendarDay.meta({ description: "The first day, in the shop's time zone.", examples: ['2026-11-01'] }),
  to: calendarDay.meta({ description: 'The day after the last one.', examples: ['2026-12-01'] }),
  dialect: csvDialect,
});

/** The header by which a guest has access to one order. */
export const orderSecretHeader = 'order-secret';
const headers = z.object({
  [orderSecretHeader]: z
    .string()
    .max(100)
    .optional()
    .meta({
      description: 'Of a guest: the `orderSecret` that the order was answered with, and its mail has.',
      examples: ['kX2vQm8rT1yJcN4bWz0pSgkX2vQm8rT1yJcN4bWz0pS'],
    }),
});

const tags = ['orders'];

/** How the owner and a guest reach an order. One of somebody else looks absent, but for staff. */
const ofOne = { access: 'public', optionalToken: true, tags, params, headers } as const;

/** What staff read of orders. */
const readByStaff = { access: 'staff', roles: ['sales', 'support'], scope: 'orders:read', tags } as const;

const pdf = (what: string) => ({
  description: what,
  contentType: 'application/pdf',
  headers: { 'Content-Disposition': 'A file name for the download.' },
});

/** What staff do with a placed order. */
const ofStaff = { access: 'staff', roles: ['sales'], scope: 'orders:write', tags, params } as const;

export const orderOperations = operationsOf(
  operation({
    id: 'createOrder',
    method: 'POST',
    path: '/v1/orders',
    access: 'public',
    optionalToken: true,
    idempotent: true,
    tags,
    summary: 'Send an order',
    description:
      'Reserves the stock, holds the discounts, and opens the payment of a cart. Waits up to 3 s for that: 201, or 202 where ' +
      'the order is still `pending`; read it again then. A refusal names what is wrong, and nothing stays reserved. The ' +
      'cart stands still meanwhile: sent again, it gets the same order.',
    body: orderCreation,
    responses: {
      201: created(order),
      202: { description: 'It is pending.', body: order, headers: { Location: 'The path of the order.' } },
    },
    errors: [
      ordersErrors.cartEmpty,
      ordersErrors.cartTooLarge,
      ordersErrors.recipientUnknown,
      ordersErrors.recipientWithoutAddress,
      ordersErrors.outOfStock,
      ordersErrors.priceChanged,
      ordersErrors.discountChanged,
      ordersErrors.shippingNotPossible,
      ordersErrors.creditExceeded,
      ordersErrors.creditOnHold,
      ordersErrors.paymentNotPossible,
      ordersErrors.orderNotAnswered,
      ordersErrors.tooManyUnpaidOrders,
      ordersErrors.tooManyOrdersWithCodes,
      ordersErrors.invalidTransition,
    ],
  }),
  operation({
    id: 'listOrders',
    method: 'GET',
    path: '/v1/orders',
    access: 'user',
    roles: ['sales', 'support'],
    scope: 'orders:read',
    tags,
    summary: 'List orders',
    description: 'Newest first; those of the caller, all for staff.',
    query: orderQuery,
    responses: { 200: orderPage },
    errors: [commonErrors.roleRequired],
  }),
  operation({
    ...ofOne,
    id: 'getOrder',
    method: 'GET',
    path: '/v1/orders/{id}',
    roles: ['sales', 'support'],
    scope: 'orders:read',
    summary: 'Read an order',
    description:
      'The owner by the token, a guest by the secret of the order; staff read all. One of somebody else looks absent.',
    responses: { 200: order },
  }),
  operation({
    ...ofOne,
    id: 'getOrderConfirmation',
    method: 'GET',
    path: '/v1/orders/{id}/confirmation.pdf',
    roles: ['sales', 'support'],
    scope: 'orders:read',
    summary: 'Read the confirmation of an order as a PDF',
    description:
      'Of an order that is placed: what was ordered, as it was then. PDF/A, in the language of the order. Whoever may read the order may ' +
      'read it.',
    responses: { 200: pdf('The order confirmation.') },
    errors: [ordersErrors.orderNotPlaced],
  }),
  operation({
    ...readByStaff,
    id: 'getPackingSlip',
    method: 'GET',
    path: '/v1/orders/{id}/packing-slip.pdf',
    params,
    query: z.strictObject({
      shipmentId: idSchema('shpm')
        .optional()
        .meta({ description: 'What this shipment has; all that is left to ship, where it is left out.' }),
    }),
    summary: 'Read a packing slip of an order as a PDF',
    description: 'Of an order that is placed. PDF/A, in the language of the order, without prices.',
    responses: { 200: pdf('The packing slip.') },
    errors: [ordersErrors.orderNotPlaced, ordersErrors.nothingToShip],
  }),
  operation({
    ...readByStaff,
    id: 'exportOrders',
    method: 'GET',
    path: '/v1/orders/export',
    summary: 'Export orders as CSV',
    description:
      'Those placed in a period, the oldest first, also where they were cancelled later: a row for each tax rate of an order, so ' +
      'that the rows of an order add up to its totals. `received` and `refunded` stand in its first row. For bookkeeping; without ' +
      'the names of people.',
    query: orderExportQuery,
    responses: {
      200: {
        description: 'The orders.',
        contentType: 'text/csv',
        headers: { 'Content-Disposition': 'A file name for the download.' },
      },
    },
  }),
  operation({
    ...ofOne,
    id: 'cancelOrder',
    method: 'POST',
    path: '/v1/orders/{id}/cancel',
    roles: ['sales'],
    scope: 'orders:write',
    optionalBody: true,
    idempotent: true,
    summary: 'Cancel an order, or a part of it',
    description:
      'An order that awaits its payment is `closing` until the payment is closed, then `cancelled`. A placed one is cancelled at ' +
      'once while nothing of it is shipped, and what was paid is refunded. Staff may cancel a part of a placed order: of what ' +
      'is not shipped. Its pieces are free again, and what they have cost goes back. On account the invoice is credited.',
    body: orderCancellation,
    responses: { 200: order },
    errors: [
      ordersErrors.invalidTransition,
      ordersErrors.notEnoughLeft,
      ordersErrors.tooManyOrderChanges,
      commonErrors.roleRequired,
    ],
  }),
  operation({
    ...ofOne,
    id: 'payOrder',
    method: 'POST',
    path: '/v1/orders/{id}/pay',
    summary: 'Open another page to pay an order',
    description:
      'Closes the page that is open, and waits up to 3 s for the new one: `payment.redirectUrl` is null where it is not there yet.',
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition, ordersErrors.tooManyAttempts],
  }),
  operation({
    id: 'claimOrder',
    method: 'POST',
    path: '/v1/orders/{id}/claim',
    access: 'user',
    tags,
    summary: 'Make a guest order your own',
    description:
      'With the secret of the order, once it is placed. From then on it is read by the token of the account, and the secret ends. ' +
      'Claimed once more by the same account, nothing changes; to all others it looks absent. The same email address joins nothing.',
    params,
    headers,
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition, ordersErrors.retailAccountRequired],
  }),
  operation({
    ...ofStaff,
    id: 'changeOrder',
    method: 'PATCH',
    path: '/v1/orders/{id}',
    summary: 'Change the address or the note of an order',
    description: 'Fields that are left out stay as they are. A new address is an entry of the timeline.',
    body: orderChange,
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition, ordersErrors.tooManyOrderChanges],
  }),
  operation({
    ...ofStaff,
    id: 'mailOrder',
    method: 'POST',
    path: '/v1/orders/{id}/mails',
    optionalBody: true,
    idempotent: true,
    summary: 'Send a mail about an order again',
    description: 'Of an order that was placed, to its buyer: at most 5 a day for all orders of one buyer.',
    body: orderMail,
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition, ordersErrors.tooManyMails, ordersErrors.tooManyOrderChanges],
  }),
  operation({
    ...ofStaff,
    id: 'createShipment',
    method: 'POST',
    path: '/v1/orders/{id}/shipments',
    optionalBody: true,
    idempotent: true,
    summary: 'Ship an order, or a part of it',
    description:
      'Of a placed order, while its payment is not disputed. The pieces leave the stock, and the buyer gets a mail with the tracking link.',
    body: shipmentCreation,
    responses: { 201: order },
    errors: [
      ordersErrors.invalidTransition,
      ordersErrors.paymentDisputed,
      ordersErrors.notEnoughLeft,
      ordersErrors.tooManyOrderChanges,
    ],
  }),
  operation({
    ...ofStaff,
    id: 'deliverOrder',
    method: 'POST',
    path: '/v1/orders/{id}/deliver',
    summary: 'Note that an order was delivered',
    description: 'Of an order of which everything is shipped. The buyer gets a mail. Noted once more, nothing changes.',
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition],
  }),
  operation({
    ...ofOne,
    id: 'requestReturn',
    method: 'POST',
    path: '/v1/orders/{id}/returns',
    roles: ['sales'],
    scope: 'orders:write',
    idempotent: true,
    summary: 'Announce a return of pieces of an order',
    description:
      'Of what was shipped, by the owner, or by staff for the owner. Pieces that are announced are not announced again. ' +
      'Nothing moves before they have come.',
    body: returnCreation,
    responses: { 201: order },
    errors: [
      ordersErrors.invalidTransition,
      ordersErrors.notEnoughLeft,
      ordersErrors.tooManyReturns,
      ordersErrors.tooManyOrderChanges,
    ],
  }),
  operation({
    ...ofOne,
    id: 'withdrawReturn',
    method: 'DELETE',
    path: '/v1/orders/{id}/returns/{returnId}',
    params: paramsOfReturn,
    roles: ['sales'],
    scope: 'orders:write',
    summary: 'Withdraw a return that was announced',
    description:
      'Before it has come, by the owner, or by staff for the owner: it stays among the returns as `withdrawn`, and its pieces may be ' +
      'announced again. Withdrawn once more, nothing changes.',
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition, ordersErrors.tooManyOrderChanges],
  }),
  operation({
    ...ofStaff,
    id: 'receiveReturn',
    method: 'POST',
    path: '/v1/orders/{id}/returns/{returnId}/receive',
    params: paramsOfReturn,
    optionalBody: true,
    summary: 'Note that a return has come',
    description:
      'The pieces are in stock again, unless `restock` is false, and the buyer gets a mail. Moves no money: refund the pieces by ' +
      '`POST /v1/orders/{id}/refunds`. Noted once more, nothing changes.',
    body: returnReceipt,
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition, ordersErrors.notEnoughLeft, ordersErrors.tooManyOrderChanges],
  }),
  operation({
    ...ofStaff,
    id: 'refundOrder',
    method: 'POST',
    path: '/v1/orders/{id}/refunds',
    idempotent: true,
    summary: 'Refund a part of what an order has cost',
    description:
      'Moves money only, of a placed order: pieces that are refunded stay shipped, or to be shipped. What staff have refunded at the ' +
      'payment provider counts too: only what the shop still has beyond it goes back. On account a refund is a credit note of ' +
      'the invoice, and what staff have credited themselves counts.',
    body: refundCreation,
    responses: { 200: order },
    errors: [
      ordersErrors.invalidTransition,
      ordersErrors.notEnoughLeft,
      ordersErrors.refundTooLarge,
      ordersErrors.nothingToRefund,
      ordersErrors.tooManyOrderChanges,
    ],
  }),
);
