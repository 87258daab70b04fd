import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { staffRoles } from '../../staff.ts';
import { page, pageQuery, reason, shownEmail, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { decisionMaybeReason, decisionWithReason } from './trade-accounts.ts';
import { user } from './user.ts';

/** What proves a user besides the password, as staff see it. */
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

export const staffMember = z
  .object({
    id: idSchema('user'),
    email: shownEmail,
    firstName: z.string().meta({ examples: ['Ada'] }),
    lastName: z.string().meta({ examples: ['Lovelace'] }),
    role: z.enum(staffRoles),
    status: z.enum(['enabled', 'disabled']),
    ...factorFields,
    sessions: z.int().meta({ description: 'How many devices are logged in.' }),
    lastSeenAt: timestamp
      .nullable()
      .meta({ description: 'When the tokens of one of these devices were last refreshed; null where there is none.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'StaffMember', description: 'Somebody who works for the shop.' });
export const staffPage = page(staffMember).meta({ id: 'StaffPage' });

export const staffQuery = z.strictObject(pageQuery);
const params = z.object({ id: idSchema('user') });

export const roleChange = z
  .strictObject({
    role: z
      .enum(['retail', ...staffRoles])
      .meta({ description: '`retail` for somebody who does not work for the shop any more.', examples: ['catalog'] }),
    reason: reason.optional(),
  })
  .meta({ id: 'RoleChange', examples: [{ role: 'catalog' }] });

const tags = ['staff'];
const needsProof = 'Needs a proof by a second factor within 5 minutes; whom it concerns gets a mail.';
const proofErrors = [identityErrors.reauthenticationRequired, identityErrors.secondFactorMissing];

export const staffOperations = operationsOf(
  operation({
    id: 'listStaff',
    method: 'GET',
    path: '/v1/staff',
    access: 'admin',
    tags,
    summary: 'List the staff',
    description: 'Administrators and all others with a role of staff, enabled or disabled, the newest first.',
    query: staffQuery,
    responses: { 200: staffPage },
  }),
  operation({
    id: 'getStaffMember',
    method: 'GET',
    path: '/v1/staff/{id}',
    access: 'admin',
    versioned: 'weak',
    tags,
    summary: 'Read a member of the staff',
    description: 'With second factors and the number of devices that are logged in.',
    params,
    responses: { 200: staffMember },
  }),
  operation({
    id: 'disableStaffMember',
    method: 'POST',
    path: '/v1/staff/{id}/disable',
    access: 'admin',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'Disable a member of the staff',
    description:
      'All tokens are refused from this answer on, and nobody can log in to the account: the right password gets ' +
      `\`account_disabled\`. The last enabled administrator stays enabled. ${needsProof}`,
    params,
    body: decisionWithReason,
    responses: { 200: staffMember },
    errors: [...proofErrors, identityErrors.invalidTransition, identityErrors.lastAdministrator],
  }),
  operation({
    id: 'enableStaffMember',
    method: 'POST',
    path: '/v1/staff/{id}/enable',
    access: 'admin',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'Enable a member of the staff again',
    description: `Password and second factors are those of before. ${needsProof}`,
    params,
    body: decisionMaybeReason,
    optionalBody: true,
    responses: { 200: staffMember },
    errors: [...proofErrors, identityErrors.invalidTransition],
  }),
  operation({
    id: 'endStaffSessions',
    method: 'DELETE',
    path: '/v1/staff/{id}/sessions',
    access: 'admin',
    tags,
    summary: 'End all sessions of a member of the staff',
    description: `All tokens are refused from this answer on. ${needsProof}`,
    params,
    responses: { 204: null },
    errors: proofErrors,
  }),
  operation({
    id: 'removeStaffTotp',
    method: 'DELETE',
    path: '/v1/staff/{id}/totp',
    access: 'admin',
    tags,
    summary: 'Remove the authenticator app of a member of the staff who has lost it',
    description: `With the last factor the recovery codes go too. ${needsProof}`,
    params,
    responses: { 204: null },
    errors: [...proofErrors, identityErrors.lastFactorRequired],
  }),
  operation({
    id: 'removeStaffPasskey',
    method: 'DELETE',
    path: '/v1/staff/{id}/passkeys/{passkeyId}',
    access: 'admin',
    tags,
    summary: 'Delete a passkey of a member of the staff who has lost it',
    description: `With the last factor the recovery codes go too. ${needsProof}`,
    params: z.object({ id: idSchema('user'), passkeyId: idSchema('pkey') }),
    responses: { 204: null },
    errors: [...proofErrors, identityErrors.lastFactorRequired],
  }),
  operation({
    id: 'changeRole',
    method: 'PUT',
    path: '/v1/users/{id}/role',
    access: 'admin',
    versioned: 'weak',
    tags,
    summary: 'Make a person a member of the staff, change the role of one, or take it away',
    description:
      'The person has registered as a consumer before. All tokens are refused from this answer on: the new role begins with ' +
      `the next login. The same role again changes nothing. The last enabled administrator keeps the role. ${needsProof}`,
    params,
    body: roleChange,
    responses: { 200: user },
    errors: [
      ...proofErrors,
      identityErrors.invalidTransition,
      identityErrors.lastAdministrator,
      identityErrors.tradeAccountNotStaff,
    ],
  }),
);
