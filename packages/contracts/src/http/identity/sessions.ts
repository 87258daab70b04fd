import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

export const session = z
  .object({
    id: idSchema('sess'),
    current: z.boolean().meta({ description: 'Whether this request was made with it.' }),
    device: z
      .string()
      .nullable()
      .meta({ description: 'The `User-Agent` of the login.', examples: ['Firefox/148.0'] }),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'The IP address of the login.', examples: ['203.0.113.7'] }),
    createdAt: timestamp,
    lastUsedAt: timestamp.meta({ description: 'When its tokens were last refreshed.' }),
    expiresAt: timestamp.meta({ description: 'When its refresh token expires.' }),
  })
  .meta({ id: 'Session' });
export const sessionPage = page(session).meta({ id: 'SessionPage' });

export const sessionQuery = z.strictObject(pageQuery);
export const sessionParams = z.object({ id: idSchema('sess') });

const tags = ['auth'];

export const sessionOperations = operationsOf(
  operation({
    id: 'listSessions',
    method: 'GET',
    path: '/v1/auth/sessions',
    access: 'user',
    budget: 'auth',
    tags,
    summary: 'List the sessions of the caller',
    description: 'A session is a device that is logged in. Newest first.',
    query: sessionQuery,
    responses: { 200: sessionPage },
  }),
  operation({
    id: 'endSession',
    method: 'DELETE',
    path: '/v1/auth/sessions/{id}',
    access: 'user',
    budget: 'ending',
    tags,
    summary: 'End a session',
    description: 'Logs one device out: its tokens are refused from this answer on.',
    params: sessionParams,
    responses: { 204: null },
  }),
);
