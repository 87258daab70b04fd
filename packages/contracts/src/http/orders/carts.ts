import { z } from 'zod';
import { notFound } from '../../errors/common.ts';
import { ordersErrors } from '../../errors/orders.ts';
import { idSchema } from '../../ids.ts';
import { shownPictureAddress } from '../catalog/pictures.ts';
import { created, money, nonEmpty, text, timestamp } from '../common.ts';
import { country } from '../countries.ts';
import { discountCode } from '../engagement/campaign-codes.ts';
import { operation, operationsOf } from '../operation.ts';
import { paymentMethod } from './orders.ts';
import { deliveryDays } from './shipping-options.ts';

/** How many lines a cart has at most. */
export const mostCartLines = 100;
/** How many units of one variant a cart has at most. */
export const mostUnits = 999;
/** How many codes a cart has at most. */
export const mostCartCodes = 10;

const cartId = idSchema('cart').meta({ description: 'Whoever has it has the cart: keep it secret.' });
const quantity = z
  .int()
  .min(1)
  .max(mostUnits)
  .meta({ examples: [2] });

const fields = {
  codes: z
    .array(discountCode)
    .max(mostCartCodes)
    .refine((codes) => new Set(codes).size === codes.length, { error: 'must not name a code twice' })
    .meta({ description: 'What the shopper typed; whether they exist is not checked here.', examples: [['SPRING26']] }),
  note: text(1000).nullable().meta({ description: 'For the shop.' }),
  shippingOptionId: idSchema('shopt').nullable().meta({ description: 'null where none is chosen.' }),
  country: country.nullable().meta({ description: 'Where it is to be delivered (ISO 3166-1 alpha-2).' }),
};

export const cartLineProblem = z.enum(['unavailable', 'not_enough_stock', 'price_changed']).meta({
  description:
    '`unavailable`: it is not for sale, and counts nothing. `not_enough_stock`: there are fewer. `price_changed`: it costs ' +
    'another amount than when the line was set last; setting it again accepts that. null where all is well.',
});
export type CartLineProblem = z.infer<typeof cartLineProblem>;

const cartLine = z
  .object({
    productId: idSchema('prod'),
    variantId: idSchema('var'),
    sku: z
      .string()
      .nullable()
      .meta({ description: 'null where the variant is deleted.', examples: ['MUG-0001-S'] }),
    name: z.string().meta({ description: 'Of the product.', examples: ['Mug'] }),
    values: z
      .array(z.string())
      .meta({ description: "The variant's values of the product's options.", examples: [['S']] }),
    image: shownPictureAddress.nullable().meta({ description: 'Where the first picture of the product is.' }),
    quantity: z.int(),
    unitPrice: money.meta({ description: 'The price for the caller, retail or trade, and for this quantity.' }),
    subtotal: money.meta({ description: 'Quantity times price.' }),
    available: z
      .int()
      .meta({ description: `How many can be bought from stock; at most ${mostUnits}.`, examples: [40] }),
    backOrders: z
      .object({ allowed: z.boolean(), text: z.string().nullable() })
      .meta({ description: 'Whether more than that can be ordered, and what shoppers read about it.' }),
    availableFrom: timestamp.nullable().meta({ description: 'From when on it can be had; null where not limited.' }),
    problem: cartLineProblem.nullable(),
  })
  .meta({ id: 'CartLine' });
export type CartLineBody = z.input<typeof cartLine>;

export const cart = z
  .object({
    id: cartId,
    lines: z.array(cartLine).meta({ description: 'In the order in which they were added.' }),
    subtotal: money.meta({ description: 'Of all lines that are for sale, before discounts.' }),
    taxIncluded: z
      .boolean()
      .meta({ description: 'Whether prices contain the tax, as those for consumers do, or it comes on top of them.' }),
    codes: z.array(z.string()),
    note: z.string().nullable(),
    shippingOptionId: z.string().nullable(),
    country: z.string().nullable(),
    orderId: z
      .string()
      .nullable()
      .meta({ description: 'The order for which the cart stands still; null for one that can be changed.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
    expiresAt: timestamp.meta({ description: 'When it is deleted, unless it is changed before: after 30 days.' }),
  })
  .meta({ id: 'Cart' });
export type CartBody = z.input<typeof cart>;

export const newCartLine = z
  .strictObject({
    productId: idSchema('prod'),
    variantId: idSchema('var')
      .optional()
      .meta({
        description: 'The variant of the product. May be left out where only one is for sale.',
        examples: ['var_01h455vb4pex5vsknk084sn02q'],
      }),
    quantity,
  })
  .meta({ id: 'NewCartLine' });
export type NewCartLine = z.output<typeof newCartLine>;

export const cartCreation = z
  .strictObject({
    lines: z
      .array(newCartLine)
      .max(mostCartLines)
      .default([])
      .meta({ description: `Of a variant that is named twice the quantities add up, to ${mostUnits} at most.` }),
  })
  .meta({
    id: 'CartCreation',
    examples: [{ lines: [{ productId: 'prod_01h455vb4pex5vsknk084sn02q', quantity: 2 }] }],
  });

export const cartChange = z
  .strictObject(fields)
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'CartChange', minProperties: 1, examples: [{ codes: ['SPRING26'], country: 'NL' }] });
export type CartChange = z.output<typeof cartChange>;

export const cartLineSetting = z
  .strictObject({ quantity })
  .meta({ id: 'CartLineSetting', examples: [{ quantity: 3 }] });

export const cartMerge = z
  .strictObject({ cartId: idSchema('cart').meta({ description: 'The cart that was filled before the login.' }) })
  .meta({ id: 'CartMerge', examples: [{ cartId: 'cart_01h455vb4pex5vsknk084sn02q' }] });

export const mergedCart = z
  .object({
    cart,
    noRoom: z
      .array(z.string())
      .meta({ description: `The ids of variants that were left out, because a cart has ${mostCartLines} lines.` }),
  })
  .meta({ id: 'MergedCart' });

export const cartShippingOptions = z
  .object({
    data: z.array(
      z.object({
        id: idSchema('shopt'),
        name: z.string().meta({ examples: ['Standard delivery'] }),
        price: money.meta({ description: 'What it costs for this cart.' }),
        deliveryDays: deliveryDays.nullable(),
      }),
    ),
  })
  .meta({ id: 'CartShippingOptions' });
export type CartShippingOptionsBody = z.input<typeof cartShippingOptions>;

export const cartToQuote = z
  .strictObject({
    shippingOptionId: idSchema('shopt').optional().meta({ description: 'That of the cart where it is left out.' }),
    country: country.optional().meta({ description: 'That of the cart where it is left out.', examples: ['NL'] }),
    // The answer is handed over as it is, and has more fields than these.
    evaluation: z
      .object({
        lines: z.array(z.object({ variantId: idSchema('var').nullable(), discount: money })).max(mostCartLines),
        shippingDiscount: money,
      })
      .optional()
      .meta({ description: 'What `POST /v1/discounts/evaluate` has answered for the lines of the cart.' }),
  })
  .meta({
    id: 'CartToQuote',
    examples: [
      {
        shippingOptionId: 'shopt_01h455vb4pex5vsknk084sn02q',
        country: 'NL',
        evaluation: {
          lines: [{ variantId: 'var_01h455vb4pex5vsknk084sn02q', discount: { amount: 399, currency: 'EUR' } }],
          shippingDiscount: { amount: 0, currency: 'EUR' },
        },
      },
    ],
  });
export type CartToQuote = z.output<typeof cartToQuote>;

const taxRate = z.number().meta({ description: 'In per cent; 0 where no tax is charged.', examples: [19] });

export const cartQuote = z
  .object({
    lines: z
      .array(
        z.object({
          variantId: idSchema('var'),
          quantity: z.int(),
          unitPrice: money,
          subtotal: money,
          discount: money,
          taxRate,
          tax: money,
          total: money.meta({ description: 'What is paid for the line, its tax included.' }),
          problem: cartLineProblem.nullable(),
        }),
      )
      .meta({ description: 'The lines that are for sale.' }),
    shipping: z.object({
      optionId: idSchema('shopt'),
      name: z.string(),
      price: money,
      discount: money,
      taxRate,
      tax: money,
      total: money,
    }),
    totals: z.object({
      subtotal: money,
      discount: money.meta({ description: 'Of the lines and of shipping.' }),
      shipping: money.meta({ description: 'Before its discount.' }),
      tax: money,
      total: money,
    }),
    taxIncluded: z.boolean().meta({ description: 'Whether prices contain the tax, or it comes on top of them.' }),
    reverseCharge: z.boolean().meta({ description: 'The buyer owes the tax.' }),
    expectedTotal: money.meta({ description: 'What `POST /v1/orders` is to be told that the buyer has seen.' }),
    payments: z
      .array(
        z.object({
          method: paymentMethod,
          available: z.boolean(),
          reason: z.enum(['trade_account_required']).nullable().meta({ description: 'Why not; null where it is.' }),
        }),
      )
      .meta({ description: 'How it can be paid. Whether credit is enough is known only when the order is sent.' }),
  })
  .meta({ id: 'CartQuote' });
export type CartQuoteBody = z.input<typeof cartQuote>;

const params = z.object({ id: idSchema('cart') });
const lineParams = z.object({ id: idSchema('cart'), variantId: idSchema('var') });
const tags = ['carts'];
const etag = { ETag: 'The version of the cart, as a weak tag.' };

/** Whoever has the id has the cart; the token only decides whose prices are shown. */
const byId = { access: 'public', optionalToken: true, tags } as const;

export const cartOperations = operationsOf(
  operation({
    ...byId,
    id: 'createCart',
    method: 'POST',
    path: '/v1/carts',
    optionalBody: true,
    idempotent: true,
    versioned: 'weak',
    summary: 'Create a cart',
    description:
      'Its id is a secret: whoever has it can read and change the cart. The cart of a user is found by `GET /v1/carts/mine` too. ' +
      'Prices are those for the caller; the names and prices of the catalog may be a moment old.',
    body: cartCreation,
    responses: { 201: created(cart) },
    errors: [ordersErrors.tooManyCarts],
  }),
  operation({
    id: 'getMyCart',
    method: 'GET',
    path: '/v1/carts/mine',
    access: 'user',
    versioned: 'weak',
    tags,
    summary: 'Read your cart',
    description:
      'The newest one that does not stand still for an order. Without one it is 404: create it, or merge one.',
    responses: { 200: cart },
    errors: [notFound],
  }),
  operation({
    id: 'mergeCart',
    method: 'POST',
    path: '/v1/carts/mine/merge',
    access: 'user',
    idempotent: true,
    tags,
    summary: 'Merge a cart filled before the login',
    description:
      `Its quantities are added to those of your cart, to ${mostUnits} of a variant at most, and it is deleted. Without a cart of ` +
      'your own it becomes yours.',
    body: cartMerge,
    responses: { 200: mergedCart },
    errors: [ordersErrors.cartFrozen],
  }),
  operation({
    ...byId,
    id: 'getCart',
    method: 'GET',
    path: '/v1/carts/{id}',
    versioned: 'weak',
    summary: 'Read a cart',
    description: 'The tag stands for what was put into it; names, prices and stock change without a new tag.',
    params,
    responses: { 200: cart },
  }),
  operation({
    ...byId,
    id: 'changeCart',
    method: 'PATCH',
    path: '/v1/carts/{id}',
    versioned: 'weak',
    summary: 'Change the codes, the note, the country or the shipping option of a cart',
    description: 'Fields that are left out stay as they are.',
    params,
    body: cartChange,
    responses: { 200: cart },
    errors: [ordersErrors.cartFrozen],
  }),
  operation({
    ...byId,
    id: 'setCartLine',
    method: 'PUT',
    path: '/v1/carts/{id}/lines/{variantId}',
    versioned: 'weak',
    summary: 'Set how many of a variant are in a cart',
    description: `Adds the variant where it is not in the cart. A cart has ${mostCartLines} lines at most.`,
    params: lineParams,
    body: cartLineSetting,
    responses: { 200: cart },
    errors: [ordersErrors.cartFrozen, ordersErrors.cartFull],
  }),
  operation({
    ...byId,
    id: 'removeCartLine',
    method: 'DELETE',
    path: '/v1/carts/{id}/lines/{variantId}',
    versioned: 'weak',
    summary: 'Remove a variant from a cart',
    description: 'Answers the remaining cart.',
    params: lineParams,
    responses: { 200: { body: cart, headers: etag } },
    errors: [ordersErrors.cartFrozen],
  }),
  operation({
    ...byId,
    id: 'listCartShippingOptions',
    method: 'GET',
    path: '/v1/carts/{id}/shipping-options',
    summary: 'List how a cart can be shipped',
    description: 'The options that the caller can choose, the cheapest first, with their prices for this cart.',
    params,
    query: z.strictObject({
      country: country.optional().meta({
        description: "Where to; the cart's country where it is left out, and the shop's where the cart has none.",
      }),
    }),
    responses: { 200: cartShippingOptions },
  }),
  operation({
    ...byId,
    id: 'quoteCart',
    method: 'POST',
    path: '/v1/carts/{id}/quote',
    summary: 'Work out what an order of a cart would cost',
    description:
      'With shipping, discounts and tax, for display: nothing is reserved. The discounts are those of `evaluation`, ' +
      'an answer of `POST /v1/discounts/evaluate`; they are found anew when the order is sent. Paying by invoice is for trade ' +
      'accounts; whether their credit is enough is not known before the order is sent.',
    params,
    body: cartToQuote,
    responses: { 200: cartQuote },
    errors: [ordersErrors.cartEmpty, ordersErrors.cartTooLarge, ordersErrors.shippingNotPossible],
  }),
);
