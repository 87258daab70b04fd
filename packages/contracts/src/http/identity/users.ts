import { z } from 'zod';
import { notFound } from '../../errors/common.ts';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { line, timestamp, timeZone } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { password } from './login.ts';
import { phone, user, userLocale } from './user.ts';

export const profileChange = z
  .strictObject({
    firstName: line(100)
      .optional()
      .meta({ examples: ['Ada'] }),
    lastName: line(100)
      .optional()
      .meta({ examples: ['Lovelace'] }),
    phone: phone.nullable().optional().meta({ description: 'null removes it.' }),
    locale: userLocale.optional(),
    timeZone: timeZone
      .nullable()
      .optional()
      .meta({
        description: 'A name of the IANA database. null: the time zone of the shop.',
        examples: ['Europe/Berlin'],
      }),
  })
  .refine((change) => Object.keys(change).length > 0, { error: 'must name at least one field' })
  .meta({ id: 'ProfileChange', minProperties: 1, examples: [{ firstName: 'Augusta', phone: null, locale: 'de' }] });

export const erasure = z.strictObject({ password }).meta({
  id: 'Erasure',
  description: 'The current password, as proof.',
  examples: [{ password: 'a quiet lake in the morning' }],
});
export const erasing = z.object({ status: z.literal('erasing'), requestedAt: timestamp }).meta({ id: 'Erasing' });

export const userExport = z
  .object({
    id: idSchema('exp'),
    status: z.enum(['pending', 'ready']),
    requestedAt: timestamp,
    readyAt: timestamp.nullable(),
    expiresAt: timestamp.meta({ description: 'When it is deleted.' }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The data of the user, by service; null until it is ready.' }),
  })
  .meta({ id: 'UserExport' });

export const userExportParams = z.object({ id: idSchema('exp') });

const tags = ['users'];

export const userOperations = operationsOf(
  operation({
    id: 'getMe',
    method: 'GET',
    path: '/v1/users/me',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Read the account of the caller',
    description: 'The account that the access token belongs to.',
    responses: { 200: user },
    errors: [notFound],
  }),
  operation({
    id: 'changeMe',
    method: 'PATCH',
    path: '/v1/users/me',
    access: 'user',
    versioned: true,
    tags,
    summary: 'Change names, phone, language or time zone',
    description: 'Fields that are left out stay as they are.',
    body: profileChange,
    responses: { 200: user },
    errors: [notFound],
  }),
  operation({
    id: 'eraseMe',
    method: 'DELETE',
    path: '/v1/users/me',
    access: 'user',
    tags,
    summary: 'Erase the account and all its data',
    description:
      'Needs the current password and a fresh proof. All tokens are revoked at once and nobody can log in any more. The account is ' +
      'gone when every service has erased its part; its email can then register again.',
    body: erasure,
    responses: { 202: erasing },
    errors: [identityErrors.staffNotErasable, identityErrors.tooManyAttempts, identityErrors.reauthenticationRequired],
  }),
  operation({
    id: 'exportMe',
    method: 'POST',
    path: '/v1/users/me/export',
    access: 'user',
    idempotent: true,
    tags,
    summary: 'Request a copy of all data of the caller',
    description:
      'Needs a fresh proof. A mail says when it is ready. While an export is being made, another request answers the ' +
      'same one. A new export replaces the one before.',
    responses: { 202: { body: userExport, headers: { Location: 'The path of the export.' } } },
    errors: [notFound, identityErrors.reauthenticationRequired],
  }),
  operation({
    id: 'getMyExport',
    method: 'GET',
    path: '/v1/users/me/exports/{id}',
    access: 'user',
    tags,
    summary: 'Read an export: its status, and the data when it is ready',
    description:
      'While it is being made, its status. Once it is ready, reading it needs a fresh proof. It is deleted 7 days after ' +
      'it became ready. A large one is written while it is read; it has the same form.',
    params: userExportParams,
    responses: {
      200: {
        body: userExport,
        headers: { 'Content-Disposition': 'When it is ready: a file name for the download.' },
      },
    },
    errors: [identityErrors.reauthenticationRequired],
  }),
);
