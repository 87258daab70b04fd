import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { scopes } from '../../scope.ts';
import { line, page, pageQuery, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

/** How every API token begins. So a token that was published by mistake is found by search. */
export const apiTokenPrefix = 'sfc';
/** The form of an API token: its prefix and 256 random bits. */
export const apiTokenPattern = /^sfc_[A-Za-z0-9_-]{43}$/;

const scope = z.enum(scopes);

export const apiToken = z
  .object({
    id: idSchema('apit'),
    name: z.string().meta({ examples: ['ERP'] }),
    scopes: z.array(scope),
    createdBy: z.string().meta({ description: 'The id of the administrator who made it.' }),
    createdAt: timestamp,
    expiresAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'To the minute or so; null where it was never used.' }),
  })
  .meta({ id: 'ApiToken' });
export type ApiTokenBody = z.infer<typeof apiToken>;
export const apiTokenPage = page(apiToken).meta({ id: 'ApiTokenPage' });
export const newApiToken = apiToken
  .extend({ token: z.string().meta({ description: 'The token itself, which is shown only now.' }) })
  .meta({ id: 'NewApiToken' });

export const apiTokenCreation = z
  .strictObject({
    name: line(100).meta({ examples: ['ERP'] }),
    scopes: z
      .array(scope)
      .min(1)
      .max(scopes.length)
      .meta({ description: 'What the token may do. To write does not include to read.' }),
    expiresAt: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .optional()
      .meta({
        format: 'date-time',
        description: 'Within the next 366 days; in 90 days where it is left out.',
        examples: ['2027-11-01T00:00:00.000Z'],
      }),
  })
  .meta({ id: 'ApiTokenCreation', examples: [{ name: 'ERP', scopes: ['catalog:read', 'catalog:write'] }] });

const tags = ['API tokens'];
const params = z.object({ id: idSchema('apit') });

export const apiTokenOperations = operationsOf(
  operation({
    id: 'createApiToken',
    method: 'POST',
    path: '/v1/api-tokens',
    access: 'admin',
    tags,
    summary: 'Create an API token for a program',
    description:
      'The token is shown in this answer only; it is sent as `Authorization: Bearer sfc_…`. An operation says which scope ' +
      'it needs. The token belongs to the shop: it stays when its maker leaves. Needs a fresh proof of who is calling.',
    body: apiTokenCreation,
    responses: {
      201: { description: 'Created.', body: newApiToken, headers: { Location: 'The path of the API token.' } },
    },
    errors: [identityErrors.reauthenticationRequired, identityErrors.tooManyApiTokens],
  }),
  operation({
    id: 'listApiTokens',
    method: 'GET',
    path: '/v1/api-tokens',
    access: 'admin',
    tags,
    summary: 'List the API tokens',
    description: 'Newest first. One that has expired is listed for 30 days more.',
    query: z.strictObject(pageQuery),
    responses: { 200: apiTokenPage },
  }),
  operation({
    id: 'revokeApiToken',
    method: 'DELETE',
    path: '/v1/api-tokens/{id}',
    access: 'admin',
    tags,
    summary: 'Revoke an API token',
    description:
      'It is refused from this answer on. Needs no fresh proof, so that a token that leaked is gone at once.',
    params,
    responses: { 204: null },
  }),
);
