import { z } from 'zod';
import { auditActions, type AuditAction } from '../../audit.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, timestamp } from '../common.ts';
import { csvDialect } from '../csv.ts';
import { operation, operationsOf } from '../operation.ts';

const actionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

const action = z.string().meta({
  description: `What was done. ${actionNames.map((name) => `\`${name}\`: ${auditActions[name]}.`).join(' ')}`,
  examples: ['price-changed'],
});
const outcome = z.enum(['done', 'refused']);
const reason = z
  .string()
  .nullable()
  .meta({ description: 'The code of the error where it was refused.', examples: ['invalid_credentials'] });
const object = z
  .object({
    type: z.string().meta({ examples: ['product'] }),
    id: z.string().nullable().meta({ description: 'null where it is not known, or was a person who is erased.' }),
  })
  .meta({ description: 'What it was done to.' });
const ip = z
  .string()
  .nullable()
  .meta({ description: 'The IP address it came from.', examples: ['203.0.113.7'] });
const device = z
  .string()
  .nullable()
  .meta({ description: 'The `User-Agent` it came from.', examples: ['Firefox/148.0'] });
const details = z.record(z.string(), z.unknown()).meta({
  description: 'What changed, in a few words. `attempts`: how many there were that day, where not each is kept.',
});

export const auditEntry = z
  .object({
    id: idSchema('aud'),
    at: timestamp,
    action,
    outcome,
    reason,
    who: z.object({
      userId: z.string().nullable(),
      role: z.string().meta({
        description:
          'The role of the user; `nobody` without a login, `operator` for the command line, `program` for an API token, whose id is `userId`.',
        examples: ['admin'],
      }),
      ip,
      device,
      addressHash: z
        .string()
        .nullable()
        .meta({ description: 'In place of the address where no account is concerned: equal for equal addresses.' }),
    }),
    object,
    about: z.string().nullable().meta({ description: 'The user whose account it concerns.' }),
    details,
    erased: z.boolean().meta({ description: 'Somebody it is about was erased: who it was can not be read any more.' }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryBody = z.infer<typeof auditEntry>;
export const auditPage = page(auditEntry).meta({ id: 'AuditPage' });

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const filter = {
  action: z
    .enum(actionNames)
    .optional()
    .meta({ description: 'Only this action.', examples: ['price-changed'] }),
  user: idSchema('user').optional().meta({ description: 'Only what this user did, or what concerns their account.' }),
  object: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'Only what was done to the object with this id.',
      examples: ['prod_01h455vb4pex5vsknk084sn02q'],
    }),
  outcome: outcome.optional().meta({ description: 'Only this outcome.', examples: ['refused'] }),
  from: time
    .optional()
    .meta({ format: 'date-time', description: 'Not before this time.', examples: ['2026-11-01T00:00:00.000Z'] }),
  to: time
    .optional()
    .meta({ format: 'date-time', description: 'Before this time.', examples: ['2026-12-01T00:00:00.000Z'] }),
};

export const auditQuery = z.strictObject({ ...pageQuery, ...filter });
export const auditExportQuery = z.strictObject({
  ...filter,
  format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .meta({ description: 'One JSON object for each line, or CSV with a row of names.', examples: ['csv'] }),
  dialect: csvDialect,
});

export const activityEntry = z
  .object({
    id: idSchema('aud'),
    at: timestamp,
    action,
    outcome,
    reason,
    by: z.enum(['you', 'administrator', 'operator', 'somebody']).meta({
      description: '`somebody` was not logged in. Of staff neither address nor device is shown.',
    }),
    ip,
    device,
    object: object.meta({ description: 'What it was done to. The id of another person is not shown.' }),
    details,
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityEntryBody = z.infer<typeof activityEntry>;
export const activityPage = page(activityEntry).meta({ id: 'ActivityPage' });
export const activityQuery = z.strictObject(pageQuery);

export const auditOperations = operationsOf(
  operation({
    id: 'listAudit',
    method: 'GET',
    path: '/v1/audit',
    access: 'staff',
    roles: ['support'],
    tags: ['audit'],
    summary: 'List the audit log',
    description:
      'Who did what to which object, newest first. An entry is kept for 13 months and never changed; when a person is ' +
      'erased, who they were can not be read in it any more.',
    query: auditQuery,
    responses: { 200: auditPage },
  }),
  operation({
    id: 'exportAudit',
    method: 'GET',
    path: '/v1/audit/export',
    access: 'admin',
    tags: ['audit'],
    summary: 'Export the audit log',
    description:
      'All entries that match, oldest first, in one answer. An answer that breaks off is not complete: ask again `from` the ' +
      'time of its last line. The export is an entry of the log itself.',
    query: auditExportQuery,
    responses: {
      200: {
        description: 'The entries.',
        contentType: ['application/x-ndjson', 'text/csv'],
        headers: { 'Content-Disposition': 'A file name for the download.' },
      },
    },
  }),
  operation({
    id: 'listActivity',
    method: 'GET',
    path: '/v1/users/me/activity',
    access: 'user',
    tags: ['users'],
    summary: 'List what happened to the account of the caller',
    description: 'What the caller did, and what others did to the account, newest first; kept for 13 months.',
    query: activityQuery,
    responses: { 200: activityPage },
  }),
);
