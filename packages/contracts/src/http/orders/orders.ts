import { z } from 'zod';
import { commonErrors } from '../../errors/common.ts';
import { ordersErrors } from '../../errors/orders.ts';
import { idSchema } from '../../ids.ts';
import { shownPictureAddress } from '../catalog/pictures.ts';
import { created, emailAddress, line, money, page, pageQuery, text, timestamp } from '../common.ts';
import { country } from '../countries.ts';
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
    backOrdered: z.int().meta({ description: 'How many of them are not in stock yet.' }),
    unitPrice: money.nullable(),
    discount: money,
    taxRate: z.number().meta({ description: 'In per cent.' }),
    tax: money,
    total: money,
  })
  .meta({ id: 'OrderLine' });

const timelineEntry = z
  .object({
    at: timestamp,
    what: z.string().meta({ description: 'What happened.', examples: ['placed'] }),
    by: z
      .enum(['buyer', 'shop', 'system'])
      .meta({ description: '`shop`: somebody of the staff. `system`: it follows from what happened before.' }),
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
        refunded: money,
      })
      .meta({ description: 'All of them 0 until the discounts are held.' }),
    taxIncluded: z.boolean().meta({ description: 'Whether prices contain the tax, or it comes on top of them.' }),
    reverseCharge: z.boolean().meta({ description: 'The buyer owes the tax.' }),
    shippingAddress: shownAddress,
    billingAddress: shownAddress,
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
    shippingAddress: orderAddress,
    billingAddress: orderAddress.optional().meta({ description: 'The shipping address where it is left out.' }),
    email: emailAddress.optional().meta({ description: 'Required of guests, and only theirs.' }),
    payment: z.strictObject({ method: paymentMethod }),
    returnUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .meta({ description: "Where the provider's page leads back to; one of the addresses that the shop allows." }),
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

export const orderCancellation = z
  .strictObject({ reason: text(500).optional().meta({ description: 'For the shop.' }) })
  .meta({ id: 'OrderCancellation', examples: [{ reason: 'Ordered twice.' }] });

const params = z.strictObject({ id: idSchema('ord') });
export const orderQuery = z.strictObject({
  ...pageQuery,
  status: orderStatus.optional().meta({ description: 'Only those of this status.', examples: ['placed'] }),
  user: idSchema('user').optional().meta({ description: 'Only those of this user. Only staff may state it.' }),
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
      ordersErrors.outOfStock,
      ordersErrors.priceChanged,
      ordersErrors.discountChanged,
      ordersErrors.shippingNotPossible,
      ordersErrors.creditExceeded,
      ordersErrors.creditOnHold,
      ordersErrors.paymentNotPossible,
      ordersErrors.orderNotAnswered,
      ordersErrors.tooManyUnpaidOrders,
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
    id: 'cancelOrder',
    method: 'POST',
    path: '/v1/orders/{id}/cancel',
    roles: ['sales'],
    scope: 'orders:write',
    optionalBody: true,
    summary: 'Cancel an order',
    description:
      'An order that awaits its payment is `closing` until the payment is closed, then `cancelled`. A placed one is cancelled at ' +
      'once, and what was paid is refunded.',
    body: orderCancellation,
    responses: { 200: order },
    errors: [ordersErrors.invalidTransition],
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
    errors: [ordersErrors.invalidTransition],
  }),
);
