import { z } from 'zod';
import { timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

export const streamTicketPattern = /^ticket_[\w-]{43}$/;

export const streamTicket = z
  .object({
    ticket: z.string().meta({
      description: 'For the query of one request: `GET /v1/notifications/stream?ticket=…`.',
      examples: ['ticket_hQ0cWb5vYz3kL7mT1xR4gPp8sUe2aJdN6fKoViXy9Zw'],
    }),
    expiresAt: timestamp.meta({ description: 'Until when the stream has to be opened. It stays open beyond that.' }),
  })
  .meta({ id: 'StreamTicket' });

export const streamTicketOperations = operationsOf(
  operation({
    id: 'createStreamTicket',
    method: 'POST',
    path: '/v1/notifications/stream-tickets',
    access: 'user',
    tags: ['notifications'],
    summary: 'Get a ticket for the live stream',
    description:
      "For the `EventSource` of browsers, which can't send an access token. The ticket opens one stream within 30 " +
      'seconds, as the session that asked for it. Where that session has ended, the ticket is refused. Get a new one for ' +
      'each connection.',
    responses: { 201: streamTicket },
  }),
);
