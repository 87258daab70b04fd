import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, searchedWords } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { factorFields } from './staff.ts';
import { session } from './sessions.ts';
import { role, user, userStatus } from './user.ts';
import { erasing, userExport } from './users.ts';

export const userPage = page(user).meta({ id: 'UserPage' });

/** The status of an account; `unverified` is that of applications that are no account yet. */
export const accountStatus = userStatus.exclude(['unverified']);

export const userQuery = z.strictObject({
  ...pageQuery,
  q: searchedWords(
    'Words to search for: beginnings of names, of parts of the email or of the business name. All have to match.',
  ),
  role: role.optional().meta({ description: 'Only those with this role.', examples: ['trade'] }),
  status: accountStatus.optional().meta({ description: 'Only those of this status.', examples: ['approved'] }),
});

export const userDetails = user
  .extend({
    sessions: z
      .array(session.omit({ current: true }))
      .meta({ description: 'The devices that are logged in, newest first; 100 at most.' }),
    secondFactors: z.object(factorFields),
    orders: z.int().meta({ description: 'How many orders the user has placed.' }),
    invoices: z.int().meta({ description: 'How many invoices the account was sent, void ones among them.' }),
  })
  .meta({ id: 'UserDetails', description: 'An account as staff see it.' });

const tags = ['accounts'];
const params = z.object({ id: idSchema('user') });

export const userDirectoryOperations = operationsOf(
  operation({
    id: 'listUsers',
    method: 'GET',
    path: '/v1/users',
    access: 'staff',
    roles: ['support'],
    scope: 'users:read',
    tags,
    summary: 'List accounts',
    description: 'Of consumers, trade customers and staff, the newest first. Each has proved its email.',
    query: userQuery,
    responses: { 200: userPage },
  }),
  operation({
    id: 'getUser',
    method: 'GET',
    path: '/v1/users/{id}',
    access: 'staff',
    roles: ['support'],
    versioned: 'weak',
    tags,
    summary: 'Read an account',
    description:
      'With its sessions and second factors, and how many orders and invoices it has. What other services have about it: `GET /v1/trade-accounts/{id}/invoices`, ' +
      '`GET /v1/trade-accounts/{id}/credit`, `GET /v1/notifications/deliveries?userId=` and `GET /v1/audit?user=`.',
    params,
    responses: { 200: userDetails },
  }),
  operation({
    id: 'eraseUser',
    method: 'DELETE',
    path: '/v1/users/{id}',
    access: 'admin',
    tags,
    summary: 'Erase an account and all its data',
    description:
      'For somebody who has asked the shop for it. Needs a fresh proof of the administrator. Otherwise as `DELETE /v1/users/me`: all ' +
      'tokens are refused from this answer on, and the last mail says that the shop has begun the erasure.',
    params,
    responses: { 202: erasing },
    errors: [identityErrors.staffNotErasable, identityErrors.reauthenticationRequired],
  }),
  operation({
    id: 'exportUser',
    method: 'POST',
    path: '/v1/users/{id}/export',
    access: 'admin',
    idempotent: true,
    tags,
    summary: 'Request a copy of all data of an account',
    description:
      'For somebody who has asked the shop for it. Needs a fresh proof of the administrator. An account has one export, as with ' +
      '`POST /v1/users/me/export`: a new one replaces the one before. The user gets a mail about it, and may download it too.',
    params,
    responses: { 202: { body: userExport, headers: { Location: 'The path of the export.' } } },
    errors: [identityErrors.reauthenticationRequired],
  }),
  operation({
    id: 'getUserExport',
    method: 'GET',
    path: '/v1/users/{id}/exports/{exportId}',
    access: 'admin',
    tags,
    summary: 'Read an export of an account: its status, and the data when it is ready',
    description:
      'Once it is ready, reading it needs a fresh proof of the administrator and is an entry of the audit log. Otherwise as ' +
      '`GET /v1/users/me/exports/{id}`.',
    params: z.object({ id: idSchema('user'), exportId: idSchema('exp') }),
    responses: {
      200: {
        body: userExport,
        headers: { 'Content-Disposition': 'When it is ready: a file name for the download.' },
      },
    },
    errors: [identityErrors.reauthenticationRequired],
  }),
);
