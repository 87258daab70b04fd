import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { page, pageQuery, timestamp } from './common.ts';
import { deadLetterOperations } from './health/dead-letters.ts';
import { mergeOperations, operation, operationsOf } from './operation.ts';

export * from './health/dead-letters.ts';

const serviceName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/, { error: 'must be the name of a service' });

// Anybody may read the readiness. So it says which service is not ready but not why. The reasons are in the history,
// which only administrators may read.
const readinessStatus = z.enum(['ready', 'degraded', 'not-ready', 'draining', 'unreachable']);

const serviceReadiness = z.object({
  status: readinessStatus.meta({
    description:
      '`degraded`: requests are answered, but one of several instances is not ready, or something that works in the background is in trouble.',
  }),
  instances: z.array(readinessStatus).optional().meta({
    description:
      'The status of each instance of a service that is watched at several addresses. The checks beside it are those of the one in most trouble that answers.',
  }),
  database: z.object({ ok: z.boolean(), milliseconds: z.number().optional() }).optional(),
  broker: z.object({ ok: z.boolean(), kind: z.enum(['rabbitmq', 'in-process']).optional() }).optional(),
  outbox: z
    .object({
      ok: z.boolean(),
      depth: z.int().optional().meta({ description: 'Documents with events that are not published yet.' }),
      oldestAgeSeconds: z.number().optional(),
    })
    .optional(),
  consumers: z
    .object({
      ok: z.boolean(),
      lag: z.int().optional().meta({ description: 'Events waiting in all queues of this service.' }),
    })
    .optional(),
  other: z
    .record(z.string(), z.object({ ok: z.boolean() }))
    .optional()
    .meta({ description: 'Checks of this service alone, such as whether a gateway knows the revocations.' }),
});

export const systemReadiness = z
  .object({
    status: z.enum(['ready', 'degraded', 'not-ready']),
    checkedAt: timestamp,
    services: z.record(z.string(), serviceReadiness),
  })
  .meta({ id: 'SystemReadiness' });
export type ServiceReadiness = z.infer<typeof serviceReadiness>;
export type SystemReadiness = z.infer<typeof systemReadiness>;

export const historyQuery = z.strictObject({
  ...pageQuery,
  service: serviceName.optional().meta({ description: 'Only this service.', examples: ['catalog'] }),
});

const incident = z
  .object({
    id: idSchema('inc'),
    service: z.string(),
    reason: z.string().meta({ description: 'What the first failed check reported.' }),
    startedAt: timestamp,
    endedAt: timestamp.nullable().meta({ description: 'null while it lasts.' }),
    durationSeconds: z.number(),
  })
  .meta({ id: 'Incident' });
export type IncidentBody = z.infer<typeof incident>;

const percent = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .meta({ description: 'Percent of the monitored time; null where none was monitored.', examples: [99.982] });

const uptime = z.object({ watchedSince: timestamp, last24Hours: percent, last7Days: percent, last30Days: percent });
export type UptimeBody = z.infer<typeof uptime>;

export const healthHistory = page(incident)
  .extend({ uptime: z.record(z.string(), uptime) })
  .meta({ id: 'HealthHistory' });

const tags = ['health'];

export const readinessOperations = operationsOf(
  operation({
    id: 'getReadiness',
    method: 'GET',
    path: '/v1/health/ready',
    access: 'public',
    tags,
    summary: 'Check that every service is ready',
    description:
      '503 where one is not. A service is `degraded` and answers all the same while its events wait because the broker is away, or while one of its instances takes requests and another does not. `GET /v1/health` checks that the API answers at all.',
    responses: {
      200: {
        description: 'Every service takes requests; `degraded` where something else is in trouble.',
        body: systemReadiness,
      },
      503: { description: 'At least one service is not ready.', body: systemReadiness },
    },
  }),
  operation({
    id: 'listIncidents',
    method: 'GET',
    path: '/v1/health/history',
    access: 'admin',
    tags,
    summary: 'List incidents, and the uptime of each service',
    description: 'An incident is a time in which no instance of a service was ready. The last one first.',
    query: historyQuery,
    responses: { 200: healthHistory },
  }),
);

export const healthOperations = mergeOperations(readinessOperations, deadLetterOperations);
