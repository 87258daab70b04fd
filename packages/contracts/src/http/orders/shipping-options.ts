import { z } from 'zod';
import { ordersErrors } from '../../errors/orders.ts';
import { idSchema } from '../../ids.ts';
import { created, line, money, nonEmpty, page, pageQuery, timestamp } from '../common.ts';
import { country, countryCodes } from '../countries.ts';
import { operation, operationsOf } from '../operation.ts';

const isOnce = (list: readonly string[]) => new Set(list).size === list.length;

const days = z.int().min(0).max(365);
export const deliveryDays = z
  .strictObject({ min: days, max: days })
  .refine(({ min, max }) => min <= max, { error: 'must not have more days as `min` than as `max`' })
  .meta({ id: 'DeliveryDays', description: 'How many days a delivery takes.', examples: [{ min: 2, max: 4 }] });

const fields = {
  name: line(100).meta({ description: 'As shoppers read it.', examples: ['Standard delivery'] }),
  countries: z
    .array(country)
    .min(1)
    .max(countryCodes.length)
    .refine(isOnce, { error: 'must not name a country twice' })
    .nullable()
    .meta({ description: 'Where it delivers to (ISO 3166-1 alpha-2); null for everywhere.', examples: [['DE', 'AT']] }),
  price: money.meta({ description: 'As prices are: with tax for consumers, without it for trade accounts.' }),
  freeFrom: money.nullable().meta({
    description: 'Free for carts that cost so much before discounts; null where it never is.',
    examples: [{ amount: 5000, currency: 'EUR' }],
  }),
  tiers: z
    .array(z.enum(['retail', 'trade']))
    .min(1)
    .refine(isOnce, { error: 'must not name a tier twice' })
    .meta({ description: 'Who may choose it.', examples: [['retail', 'trade']] }),
  deliveryDays: deliveryDays
    .nullable()
    .meta({ description: 'How many days a delivery takes; null for no word on it.' }),
  active: z.boolean().meta({ description: 'Whether it can be chosen.' }),
};

export const shippingOptionCreation = z
  .strictObject({
    ...fields,
    countries: fields.countries.default(null),
    freeFrom: fields.freeFrom.default(null),
    tiers: fields.tiers.default(['retail', 'trade']),
    deliveryDays: fields.deliveryDays.default(null),
    active: fields.active.default(true),
  })
  .meta({
    id: 'ShippingOptionCreation',
    examples: [
      {
        name: 'Standard delivery',
        countries: ['DE', 'AT'],
        price: { amount: 495, currency: 'EUR' },
        freeFrom: { amount: 5000, currency: 'EUR' },
        deliveryDays: { min: 2, max: 4 },
      },
    ],
  });
export type ShippingOptionCreation = z.output<typeof shippingOptionCreation>;

export const shippingOptionChange = z
  .strictObject(fields)
  .partial()
  .refine(...nonEmpty)
  .meta({
    id: 'ShippingOptionChange',
    minProperties: 1,
    examples: [{ price: { amount: 595, currency: 'EUR' } }],
  });
export type ShippingOptionChange = z.output<typeof shippingOptionChange>;

export const shippingOption = z
  .object({
    id: idSchema('shopt'),
    name: fields.name,
    countries: z.array(z.string()).nullable(),
    price: money,
    freeFrom: money.nullable(),
    tiers: z.array(z.enum(['retail', 'trade'])),
    deliveryDays: deliveryDays.nullable(),
    active: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ShippingOption' });
export type ShippingOptionBody = z.input<typeof shippingOption>;

const params = z.object({ id: idSchema('shopt') });
const forStaff = { access: 'staff', tags: ['shipping and tax'] } as const;
const changing = { ...forStaff, roles: ['sales'], scope: 'orders:write', versioned: true } as const;
const reading = { ...forStaff, roles: ['sales', 'support'], scope: 'orders:read' } as const;

export const shippingOptionOperations = operationsOf(
  operation({
    ...reading,
    id: 'listShippingOptions',
    method: 'GET',
    path: '/v1/shipping-options',
    summary: 'List shipping options',
    description: 'Newest first, those that can not be chosen too. What a cart can be shipped by is a list of the cart.',
    query: z.strictObject(pageQuery),
    responses: { 200: page(shippingOption).meta({ id: 'ShippingOptionPage' }) },
  }),
  operation({
    ...changing,
    id: 'createShippingOption',
    method: 'POST',
    path: '/v1/shipping-options',
    idempotent: true,
    summary: 'Create a shipping option',
    description: 'At most 100.',
    body: shippingOptionCreation,
    responses: { 201: created(shippingOption) },
    errors: [ordersErrors.tooManyShippingOptions],
  }),
  operation({
    ...reading,
    id: 'getShippingOption',
    method: 'GET',
    path: '/v1/shipping-options/{id}',
    versioned: true,
    summary: 'Read a shipping option',
    description: 'As staff have set it.',
    params,
    responses: { 200: shippingOption },
  }),
  operation({
    ...changing,
    id: 'changeShippingOption',
    method: 'PATCH',
    path: '/v1/shipping-options/{id}',
    summary: 'Change a shipping option',
    description:
      'Fields that are left out stay as they are. Orders that were sent before keep what they were sent with.',
    params,
    body: shippingOptionChange,
    responses: { 200: shippingOption },
  }),
  operation({
    ...changing,
    id: 'deleteShippingOption',
    method: 'DELETE',
    path: '/v1/shipping-options/{id}',
    summary: 'Delete a shipping option',
    description: 'Orders that were sent before keep it. Make one that is only not offered now inactive instead.',
    params,
    responses: { 204: null },
  }),
);
