import { z } from 'zod';
import { defineEvent } from '../event.ts';

const details = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type AuditDetails = Readonly<z.infer<typeof details>>;

// Roles, actions and reasons are plain text, so that a service may use new ones before identity knows them.
const record = z.object({
  actor: z.object({
    userId: z.string().nullable(),
    role: z.string(),
    ip: z.string().nullable(),
    device: z.string().nullable(),
  }),
  action: z.string(),
  object: z.object({ type: z.string(), id: z.string().nullable() }),
  about: z.string().nullable().meta({ description: 'The user whose account it concerns.' }),
  outcome: z.enum(['done', 'refused']),
  reason: z.string().nullable(),
  details,
});
export type AuditRecord = z.infer<typeof record>;

function actionAudited<Service extends string>(service: Service) {
  return defineEvent(
    `${service}.action-audited`,
    `Somebody did something in the ${service} service that the audit log keeps. What changed a document is one write with the change itself.`,
    record,
  );
}

/**
 * The events that become entries of the audit log, which identity stores. To let another service write entries, add a
 * line here.
 */
export const auditEvents = {
  identity: actionAudited('identity'),
  catalog: actionAudited('catalog'),
  engagement: actionAudited('engagement'),
  billing: actionAudited('billing'),
  account: actionAudited('account'),
  orders: actionAudited('orders'),
  health: actionAudited('health'),
} as const;
