import { z } from 'zod';
import { accountErrors } from '../../errors/account.ts';
import { idSchema } from '../../ids.ts';
import { created, line, nonEmpty, page, pageQuery, text, timestamp } from '../common.ts';
import { country } from '../countries.ts';
import { operation, operationsOf } from '../operation.ts';
import { phone, state } from './fields.ts';

const addressFields = {
  contactPhone: phone.meta({
    description: 'Written as in the country of the address, or with a + and a country calling code.',
  }),
  homeAddress: text(500).meta({ description: 'Street, number and what else it needs.', examples: ['Keizersgracht 1'] }),
  state,
  city: line(100).meta({ examples: ['Amsterdam'] }),
  country,
  isDefault: z.boolean(),
};

export const addressCreation = z
  .strictObject({
    ...addressFields,
    state: state.default(null),
    isDefault: addressFields.isDefault
      .default(false)
      .meta({ description: 'Whether it becomes the default address. The first address always does.' }),
  })
  .meta({
    id: 'AddressCreation',
    examples: [
      {
        contactPhone: '020 123 4567',
        homeAddress: 'Keizersgracht 1',
        state: 'Noord-Holland',
        city: 'Amsterdam',
        country: 'NL',
        isDefault: true,
      },
    ],
  });
export type AddressCreation = z.output<typeof addressCreation>;

export const addressChange = z
  .strictObject({
    ...addressFields,
    isDefault: addressFields.isDefault.meta({
      description: 'true makes it the default address. false is refused for the default address.',
    }),
  })
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'AddressChange', minProperties: 1, examples: [{ city: 'Utrecht', isDefault: true }] });
export type AddressChange = z.output<typeof addressChange>;

export const address = z
  .object({
    id: idSchema('addr'),
    contactPhone: z.string().meta({ description: 'E.164.', examples: ['+31201234567'] }),
    homeAddress: z.string().meta({ examples: ['Keizersgracht 1'] }),
    state: z.string().nullable(),
    city: z.string().meta({ examples: ['Amsterdam'] }),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.', examples: ['NL'] }),
    isDefault: z.boolean().meta({ description: 'True for exactly one of the addresses of a user.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Address' });
export type AddressBody = z.output<typeof address>;

export const addressPage = page(address).meta({ id: 'AddressPage' });
export const addressParams = z.object({ addressId: idSchema('addr') });
export const addressQuery = z.strictObject(pageQuery);

const tags = ['addresses'];

export const addressOperations = operationsOf(
  operation({
    id: 'listAddresses',
    method: 'GET',
    path: '/v1/users/me/addresses',
    access: 'user',
    tags,
    summary: 'List addresses',
    description: 'The addresses of the caller, newest first.',
    query: addressQuery,
    responses: { 200: addressPage },
  }),
  operation({
    id: 'getAddress',
    method: 'GET',
    path: '/v1/users/me/addresses/{addressId}',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Read an address',
    description: 'One address of the caller.',
    params: addressParams,
    responses: { 200: address },
  }),
  operation({
    id: 'addAddress',
    method: 'POST',
    path: '/v1/users/me/addresses',
    access: 'user',
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Add an address',
    description: 'The first address becomes the default. At most 50.',
    body: addressCreation,
    responses: { 201: created(address) },
    errors: [accountErrors.tooManyAddresses],
  }),
  operation({
    id: 'changeAddress',
    method: 'PATCH',
    path: '/v1/users/me/addresses/{addressId}',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Change an address, or make it the default',
    description: 'Fields that are left out stay as they are.',
    params: addressParams,
    body: addressChange,
    responses: { 200: address },
    errors: [accountErrors.defaultRequired],
  }),
  operation({
    id: 'deleteAddress',
    method: 'DELETE',
    path: '/v1/users/me/addresses/{addressId}',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Delete an address',
    description: 'If it was the default, the newest of the others becomes the default.',
    params: addressParams,
    responses: { 204: null },
  }),
);
