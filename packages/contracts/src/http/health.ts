import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { page, pageQuery, timestamp } from './common.ts';

const serviceName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/, { error: 'must be the name of a service' });

// Open to anybody, so it says whether and how far, never why: the reasons are in the history, for administrators.
const serviceReadiness = z.object({
  status: z.enum(['ready', 'not-ready', 'draining', 'unreachable']),
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
      lag: z.int().optional().meta({ description: 'Events that wait for this service, over all its queues.' }),
    })
    .optional(),
  other: z
    .record(z.string(), z.object({ ok: z.boolean() }))
    .optional()
    .meta({ description: 'What only this service needs, such as the revocations that a gateway must know.' }),
});

export const systemReadiness = z
  .object({
    status: z.enum(['ready', 'not-ready']),
    checkedAt: timestamp,
    services: z.record(z.string(), serviceReadiness),
  })
  .meta({ id: 'SystemReadiness' });
export type ServiceReadiness = z.infer<typeof serviceReadiness>;
export type SystemReadiness = z.infer<typeof systemReadiness>;

export const historyQuery = z.strictObject({ ...pageQuery, service: serviceName.optional() });

const incident = z
  .object({
    id: idSchema('inc'),
    service: z.string(),
    reason: z.string().meta({ description: 'What was seen when it began.' }),
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
  .meta({ description: 'Percent of the time that was watched; null where none of it was.', examples: [99.982] });

const uptime = z.object({ watchedSince: timestamp, last24Hours: percent, last7Days: percent, last30Days: percent });
export type UptimeBody = z.infer<typeof uptime>;

export const healthHistory = page(incident)
  .extend({ uptime: z.record(z.string(), uptime) })
  .meta({ id: 'HealthHistory' });
