import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, shownEmail, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { decisionMaybeReason, decisionWithReason } from './trade-accounts.ts';

/** What proves a user besides the password, as administrators see it. */
export const factorFields = {
  totp: z
    .object({ confirmedAt: timestamp })
    .nullable()
    .meta({ description: 'The authenticator app; null where there is none.' }),
  passkeys: z.array(
    z.object({
      id: idSchema('pkey'),
      name: z.string().meta({ examples: ['Laptop'] }),
      createdAt: timestamp,
      lastUsedAt: timestamp.nullable(),
    }),
  ),
  recoveryCodesLeft: z.int().meta({ description: 'How many are not used yet.' }),
};

export const administrator = z
  .object({
    id: idSchema('user'),
    email: shownEmail,
    firstName: z.string().meta({ examples: ['Ada'] }),
    lastName: z.string().meta({ examples: ['Lovelace'] }),
    status: z.enum(['enabled', 'disabled']),
    ...factorFields,
    sessions: z.int().meta({ description: 'How many devices are logged in.' }),
    lastSeenAt: timestamp
      .nullable()
      .meta({ description: 'When the tokens of one of these devices were last refreshed; null where there is none.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Administrator' });
export const administratorPage = page(administrator).meta({ id: 'AdministratorPage' });

export const administratorQuery = z.strictObject(pageQuery);
const params = z.object({ id: idSchema('user') });

const tags = ['administrators'];
const needsProof = 'Needs a proof by a second factor within 5 minutes; the administrator gets a mail.';
const proofErrors = [identityErrors.reauthenticationRequired, identityErrors.secondFactorMissing];

export const administratorOperations = operationsOf(
  operation({
    id: 'listAdministrators',
    method: 'GET',
    path: '/v1/administrators',
    access: 'admin',
    tags,
    summary: 'List administrators',
    description: 'Enabled and disabled ones, the newest first.',
    query: administratorQuery,
    responses: { 200: administratorPage },
  }),
  operation({
    id: 'getAdministrator',
    method: 'GET',
    path: '/v1/administrators/{id}',
    access: 'admin',
    versioned: 'weak',
    tags,
    summary: 'Read an administrator',
    description: 'With second factors and the number of devices that are logged in.',
    params,
    responses: { 200: administrator },
  }),
  operation({
    id: 'disableAdministrator',
    method: 'POST',
    path: '/v1/administrators/{id}/disable',
    access: 'admin',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'Disable an administrator',
    description:
      'All tokens are refused from this answer on, and nobody can log in to the account: the right password gets ' +
      `\`account_disabled\`. The last enabled administrator stays enabled. ${needsProof}`,
    params,
    body: decisionWithReason,
    responses: { 200: administrator },
    errors: [...proofErrors, identityErrors.invalidTransition, identityErrors.lastAdministrator],
  }),
  operation({
    id: 'enableAdministrator',
    method: 'POST',
    path: '/v1/administrators/{id}/enable',
    access: 'admin',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'Enable an administrator again',
    description: `Password and second factors are those of before. ${needsProof}`,
    params,
    body: decisionMaybeReason,
    optionalBody: true,
    responses: { 200: administrator },
    errors: [...proofErrors, identityErrors.invalidTransition],
  }),
  operation({
    id: 'endAdministratorSessions',
    method: 'DELETE',
    path: '/v1/administrators/{id}/sessions',
    access: 'admin',
    tags,
    summary: 'End all sessions of an administrator',
    description: `All tokens are refused from this answer on. ${needsProof}`,
    params,
    responses: { 204: null },
    errors: proofErrors,
  }),
  operation({
    id: 'removeAdministratorTotp',
    method: 'DELETE',
    path: '/v1/administrators/{id}/totp',
    access: 'admin',
    tags,
    summary: 'Remove the authenticator app of an administrator who has lost it',
    description: `With the last factor the recovery codes go too. ${needsProof}`,
    params,
    responses: { 204: null },
    errors: [...proofErrors, identityErrors.lastFactorRequired],
  }),
  operation({
    id: 'removeAdministratorPasskey',
    method: 'DELETE',
    path: '/v1/administrators/{id}/passkeys/{passkeyId}',
    access: 'admin',
    tags,
    summary: 'Delete a passkey of an administrator who has lost it',
    description: `With the last factor the recovery codes go too. ${needsProof}`,
    params: z.object({ id: idSchema('user'), passkeyId: idSchema('pkey') }),
    responses: { 204: null },
    errors: [...proofErrors, identityErrors.lastFactorRequired],
  }),
);
