import { z } from 'zod';
import { operation, operationsOf } from './operation.ts';

export const health = z
  .object({
    status: z.literal('ok'),
    version: z.string().meta({ examples: ['0.1.0'] }),
    uptimeSeconds: z.int(),
  })
  .meta({ id: 'Health' });

export const gatewayOperations = operationsOf(
  operation({
    id: 'getHealth',
    method: 'GET',
    path: '/v1/health',
    access: 'public',
    gateway: true,
    tags: ['health'],
    summary: 'Check that the API answers',
    description: 'Succeeds while the gateway runs, whatever the state of the services. Takes no Authorization.',
    responses: { 200: health },
  }),
);
