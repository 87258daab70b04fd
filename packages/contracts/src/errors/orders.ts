import { z } from 'zod';
import { money } from '../http/common.ts';
import { idSchema } from '../ids.ts';
import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

export const ordersErrors = defineErrors({
  /** Of an order that is sent: nothing of it stays reserved. */
  outOfStock: {
    kind: 'rule',
    detail: 'Something of this cart can not be sold in this quantity.',
    members: z.object({
      lines: z
        .array(
          z.object({
            variantId: z.string(),
            reason: z.enum(['unavailable', 'not_enough_stock', 'other_currency']),
            available: z.int().meta({ description: 'How many there are.' }),
          }),
        )
        .meta({ description: 'The lines that can not be sold so.' }),
    }),
    exampleMembers: {
      lines: [{ variantId: 'var_01h455vb4pex5vsknk084sn02q', reason: 'not_enough_stock', available: 2 }],
    },
  },
  priceChanged: {
    kind: 'rule',
    detail: 'The cart costs another amount than expectedTotal, because prices have changed.',
    members: z.object({ expectedTotal: money, total: money.meta({ description: 'What it costs now.' }) }),
    exampleMembers: { expectedTotal: eur(4990), total: eur(5190) },
  },
  discountChanged: {
    kind: 'rule',
    detail: 'The cart costs another amount than expectedTotal, because of its discounts, shipping or tax.',
    members: z.object({ expectedTotal: money, total: money.meta({ description: 'What it costs now.' }) }),
    exampleMembers: { expectedTotal: eur(4490), total: eur(4990) },
  },
  shippingNotPossible: {
    kind: 'rule',
    detail: (why: string) => `This shipping option is not possible: ${why}.`,
    example: ['it does not go to that country'],
  },
  recipientUnknown: { kind: 'rule', detail: 'You have no such address or saved recipient.' },
  recipientWithoutAddress: { kind: 'rule', detail: 'The saved recipient has no address: add one, or state it here.' },
  creditExceeded: {
    kind: 'rule',
    detail: 'The credit of the trade account does not cover this order.',
    members: z.object({ available: money.nullable().meta({ description: 'What it may still owe.' }) }),
    exampleMembers: { available: eur(12000) },
  },
  creditOnHold: { kind: 'rule', detail: 'The trade account gets no credit at the moment.' },
  paymentNotPossible: { kind: 'rule', detail: 'The order can not be paid this way at the moment: choose another one.' },
  orderNotAnswered: {
    kind: 'rule',
    detail: 'The order could not be completed in time. Nothing is reserved: send it again.',
  },
  tooManyUnpaidOrders: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} orders that are not paid yet: pay or cancel one of them first.`,
    example: [3],
  },
  cartFrozen: {
    kind: 'conflict',
    detail: 'An order was sent from this cart, which stands still until the order is placed or cancelled.',
    members: z.object({ orderId: idSchema('ord') }),
    exampleMembers: { orderId: 'ord_01h455vb4pex5vsknk084sn02q' },
  },
  cartFull: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} lines in the cart already: remove one first.`,
    example: [100],
  },
  cartTooLarge: { kind: 'rule', detail: 'The cart costs more than an order may.' },
  tooManyCarts: { kind: 'throttled', detail: 'Too many carts were made from here today.', retryAfterSeconds: 3600 },
  tooManyShippingOptions: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} shipping options already: delete one first.`,
    example: [100],
  },
  tooManyOrdersWithCodes: {
    kind: 'throttled',
    detail: 'Too many orders with codes were sent from here: send it without codes, or wait.',
  },
  tooManyMails: {
    kind: 'throttled',
    detail: (max: number) => `Mails about orders were sent again to this buyer ${max} times today.`,
    example: [5],
  },
  retailAccountRequired: {
    kind: 'rule',
    detail: 'An order of a guest has retail prices: a trade account can not claim it.',
  },
  tooManyAttempts: {
    kind: 'rule',
    detail: (max: number) => `An order has ${max} pages to pay on at most: cancel it, and send the cart again.`,
    example: [10],
  },
  cartEmpty: { kind: 'rule', detail: 'There is nothing in this cart.' },
  /** Of some lines of an order: to ship, cancel, refund or return more than is left. */
  notEnoughLeft: {
    kind: 'rule',
    detail: 'Of these lines fewer pieces are left than that.',
    members: z.object({
      lines: z
        .array(z.object({ lineId: z.string(), left: z.int() }))
        .meta({ description: 'How many are left of each.' }),
    }),
    exampleMembers: { lines: [{ lineId: '1', left: 1 }] },
  },
  refundTooLarge: {
    kind: 'rule',
    detail: 'The shop has kept less of what the order has cost.',
    members: z.object({ left: money.meta({ description: 'What it has kept.' }) }),
    exampleMembers: { left: eur(1200) },
  },
  nothingToRefund: { kind: 'rule', detail: 'This costs nothing, or was refunded before.' },
  paymentDisputed: {
    kind: 'conflict',
    detail: 'The payment of this order is disputed: nothing of it is shipped until that is over.',
  },
  tooManyOrderChanges: {
    kind: 'rule',
    detail: (max: number) => `This order was changed ${max} times already.`,
    example: [300],
  },
  orderNotPlaced: {
    kind: 'conflict',
    detail: (status: string) => `This order is ${status}: only one that is placed has papers.`,
    example: ['awaiting-payment'],
  },
  nothingToShip: {
    kind: 'conflict',
    detail: 'Nothing of this order is left to ship: state the shipmentId of a shipment.',
  },
  tooManyReturns: {
    kind: 'rule',
    detail: (max: number) => `An order has ${max} returns at most.`,
    example: [50],
  },
  invalidTransition: {
    kind: 'conflict',
    detail: (status: string) => `This is not possible for an order that is ${status}.`,
    example: ['cancelled'],
  },
});

/** Field errors that only the orders service can detect. */
export const ordersFields = {
  unknownLine: (pointer: string): FieldError => bodyField(pointer, 'unknown_line', 'is no line of the order'),
  sameLine: (pointer: string): FieldError => bodyField(pointer, 'duplicate', 'is named before'),
  addressRequired: (): FieldError =>
    bodyField('/shippingAddress', 'required', 'is required without addressId or customerId'),
  oneAddress: (pointer: string): FieldError =>
    bodyField(pointer, 'one_of', 'is stated beside another one of shippingAddress, addressId and customerId'),
  forUsers: (pointer: string): FieldError => bodyField(pointer, 'login_required', 'is for buyers who are logged in'),
  recipientRequired: (): FieldError =>
    bodyField('/recipient', 'required', 'is required with addressId: addresses have no names'),
  recipientNotTaken: (): FieldError => bodyField('/recipient', 'not_taken', 'goes with addressId only'),
  emailRequired: (): FieldError => bodyField('/email', 'required', 'is required where nobody is logged in'),
  emailNotTaken: (): FieldError => bodyField('/email', 'not_taken', 'is for guests only'),
  onAccountForTrade: (): FieldError =>
    bodyField('/payment/method', 'trade_account_required', 'invoice is for trade accounts only'),
  noSuchCart: (): FieldError => bodyField('/cartId', 'not_found', 'is not the id of a cart'),
  noSuchShippingOption: (): FieldError => bodyField('/shippingOptionId', 'not_found', 'is not a shipping option'),
  otherCountry: (country: string): FieldError =>
    bodyField('/shippingAddress/country', 'other_country', `must be ${country}: shipping and tax depend on it`),
  /** Money of another currency than the shop's. */
  otherCurrency: (currency: string, pointer = '/expectedTotal'): FieldError =>
    bodyField(`${pointer}/currency`, 'other_currency', `must be ${currency}, the currency of the shop`),
  unknownProduct: (pointer: string): FieldError =>
    bodyField(pointer, 'unknown_product', 'is no product that is for sale'),
  unknownVariant: (pointer: string): FieldError =>
    bodyField(pointer, 'unknown_variant', 'is no variant of the product that is for sale'),
  variantRequired: (pointer: string): FieldError =>
    bodyField(pointer, 'variant_required', 'must be stated: several variants of the product are for sale'),
  variantNotInCart: (pointer: string): FieldError =>
    bodyField(pointer, 'unknown_variant', 'is no line of the cart that is for sale'),
  countryRequired: (): FieldError => bodyField('/country', 'required', 'is required, since the cart has none'),
  shippingOptionRequired: (): FieldError =>
    bodyField('/shippingOptionId', 'required', 'is required, since the cart has none'),
  discountTooLarge: (pointer: string, most: number): FieldError =>
    bodyField(`${pointer}/amount`, 'too_big', `must not be more than what it is taken off: ${most}`),
  sellerCountryMissing: (country: string): FieldError =>
    bodyField('/rates', 'seller_country_required', `must have the shop's own country: ${country}`),
};
