import { z } from 'zod';
import { notFound } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { role, userStatus } from './user.ts';

/** For gateways: all revocations whose tokens have not expired yet, at the time `asOf`. */
export const revocationSnapshot = z.object({
  users: z.array(z.object({ id: z.string(), ver: z.int() })),
  sessions: z.array(z.object({ id: z.string(), until: timestamp })),
  asOf: timestamp,
});
export type RevocationSnapshot = z.infer<typeof revocationSnapshot>;

/** For gateways: the data that tell whether the tokens of a user and session are valid now. */
export const tokenState = z.object({ ver: z.int(), sessionAlive: z.boolean(), status: userStatus });
export type TokenState = z.infer<typeof tokenState>;

export const tokenStateParams = z.object({ userId: idSchema('user'), sessionId: idSchema('sess') });

export const ticketToTake = z
  .strictObject({ ticket: z.string() })
  .meta({ id: 'TicketToTake', examples: [{ ticket: 'ticket_hQ0cWb5vYz3kL7mT1xR4gPp8sUe2aJdN6fKoViXy9Zw' }] });

/** For gateways: the session as which a stream is opened. `expiresIn`: for how many seconds, as an access token's. */
export const ticketTaken = z.object({
  sub: idSchema('user'),
  sid: idSchema('sess'),
  role,
  ver: z.int(),
  expiresIn: z.int(),
});

/** For gateways: an API token that is valid now. */
export const apiTokenState = z.object({ id: z.string(), scopes: z.array(z.string()), expiresAt: timestamp });
export type ApiTokenState = z.infer<typeof apiTokenState>;

const apiTokenParams = z.object({
  hash: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({ description: 'SHA-256 of the token, base64url.', examples: ['q'.repeat(43)] }),
});

const tags = ['internal'];

export const identityInternalOperations = operationsOf(
  operation({
    id: 'getRevocations',
    method: 'GET',
    path: '/internal/revocations',
    access: 'system',
    tags,
    summary: 'Read all revocations that still matter',
    description: 'Users with the lowest token version that is valid, and sessions that were ended one by one.',
    responses: { 200: revocationSnapshot },
  }),
  operation({
    id: 'getTokenState',
    method: 'GET',
    path: '/internal/token-state/{userId}/{sessionId}',
    access: 'system',
    tags,
    summary: 'Read whether the tokens of a session are valid',
    description: 'For a token that the gateway can not judge by the revocations that it knows.',
    params: tokenStateParams,
    responses: { 200: tokenState },
  }),
  operation({
    id: 'takeStreamTicket',
    method: 'POST',
    path: '/internal/stream-tickets/take',
    access: 'system',
    tags,
    summary: 'Take a ticket for a live stream',
    description:
      'Answers whose ticket it was, once. Whether that session has ended since is for the gateway to find out.',
    body: ticketToTake,
    responses: { 200: ticketTaken },
    errors: [notFound],
  }),
  operation({
    id: 'getApiToken',
    method: 'GET',
    path: '/internal/api-tokens/{hash}',
    access: 'system',
    tags,
    summary: 'Read what an API token may do',
    description: 'By its hash. Notes that the token was used; 404 where it has expired or was revoked.',
    params: apiTokenParams,
    responses: { 200: apiTokenState },
  }),
);
