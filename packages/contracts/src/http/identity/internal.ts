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
);
