import { z } from 'zod';
import { accountErrors } from '../../errors/account.ts';
import { idSchema } from '../../ids.ts';
import {
  created,
  emailAddress,
  line,
  nonEmpty,
  page,
  pageQuery,
  searchedWords,
  shownEmail,
  text,
  timestamp,
} from '../common.ts';
import { country } from '../countries.ts';
import { operation, operationsOf } from '../operation.ts';
import { phone, state } from './fields.ts';

const recipientAddress = z.strictObject({
  homeAddress: text(500).meta({ examples: ['Keizersgracht 1'] }),
  state: state.default(null),
  city: line(100).meta({ examples: ['Amsterdam'] }),
  country,
});

const customerFields = {
  firstName: line(100).meta({ examples: ['Grace'] }),
  lastName: line(100).meta({ examples: ['Hopper'] }),
  email: emailAddress.nullable(),
  phone: phone.nullable().meta({
    description: 'With a + and a country calling code, or written as in the country of the address.',
  }),
  address: recipientAddress.nullable(),
  note: text(1000)
    .nullable()
    .meta({ description: 'For the owner only.', examples: ['Leave it with the neighbours.'] }),
};

export const customerCreation = z
  .strictObject({
    ...customerFields,
    email: customerFields.email.default(null),
    phone: customerFields.phone.default(null),
    address: customerFields.address.default(null),
    note: customerFields.note.default(null),
  })
  .meta({
    id: 'CustomerCreation',
    examples: [
      {
        firstName: 'Grace',
        lastName: 'Hopper',
        email: 'grace@example.com',
        phone: '+31 20 123 4567',
        address: { homeAddress: 'Keizersgracht 1', city: 'Amsterdam', country: 'NL' },
        note: 'Leave it with the neighbours.',
      },
    ],
  });
export type CustomerCreation = z.output<typeof customerCreation>;

export const customerChange = z
  .strictObject(customerFields)
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'CustomerChange', minProperties: 1, examples: [{ phone: null, note: 'Moved to Utrecht.' }] });
export type CustomerChange = z.output<typeof customerChange>;

export const customer = z
  .object({
    id: idSchema('cust'),
    firstName: z.string().meta({ examples: ['Grace'] }),
    lastName: z.string().meta({ examples: ['Hopper'] }),
    email: shownEmail.nullable(),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'E.164; as the order had it where an order brought it.', examples: ['+31201234567'] }),
    address: z
      .object({ homeAddress: z.string(), state: z.string().nullable(), city: z.string(), country: z.string() })
      .nullable(),
    note: z.string().nullable(),
    orderCount: z.int().meta({ description: 'How many orders the caller has placed for this recipient.' }),
    lastOrderedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Customer', description: 'A saved recipient of orders.' });
export type CustomerBody = z.output<typeof customer>;

export const customerPage = page(customer).meta({ id: 'CustomerPage' });
export const customerParams = z.object({ id: idSchema('cust') });
export const customerQuery = z.strictObject({
  ...pageQuery,
  q: searchedWords(
    'Words to search for: beginnings of names, of parts of the email or of the phone number. All have to match.',
  ),
});

const tags = ['customers'];

export const customerOperations = operationsOf(
  operation({
    id: 'listCustomers',
    method: 'GET',
    path: '/v1/customers',
    access: 'user',
    tags,
    summary: 'List and search saved recipients',
    description: 'The recipients of the caller, newest first.',
    query: customerQuery,
    responses: { 200: customerPage },
  }),
  operation({
    id: 'getCustomer',
    method: 'GET',
    path: '/v1/customers/{id}',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Read a saved recipient',
    description: 'One recipient of the caller.',
    params: customerParams,
    responses: { 200: customer },
  }),
  operation({
    id: 'addCustomer',
    method: 'POST',
    path: '/v1/customers',
    access: 'user',
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Save a recipient',
    description: 'At most 5,000. Orders of the caller also save their recipients, as far as there is room.',
    body: customerCreation,
    responses: { 201: created(customer) },
    errors: [accountErrors.tooManyCustomers],
  }),
  operation({
    id: 'changeCustomer',
    method: 'PATCH',
    path: '/v1/customers/{id}',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Change a saved recipient',
    description: 'Fields that are left out stay as they are.',
    params: customerParams,
    body: customerChange,
    responses: { 200: customer },
  }),
  operation({
    id: 'deleteCustomer',
    method: 'DELETE',
    path: '/v1/customers/{id}',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Delete a saved recipient',
    description: 'Orders are not affected.',
    params: customerParams,
    responses: { 204: null },
  }),
);
