import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, searchedWords } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { factorFields } from './staff.ts';
import { session } from './sessions.ts';
import { role, user, userStatus } from './user.ts';

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
    params: z.object({ id: idSchema('user') }),
    responses: { 200: userDetails },
  }),
);
