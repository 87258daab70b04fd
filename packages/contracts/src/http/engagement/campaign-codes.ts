import { z } from 'zod';
import { engagementErrors } from '../../errors/engagement.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, timestamp } from '../common.ts';
import { csvDialect } from '../csv.ts';
import { operation, operationsOf } from '../operation.ts';
import { campaignParams } from './campaigns.ts';

const longestCode = 32;

/** A code as people type it. Upper and lower case count as the same. */
export const discountCode = z
  .string()
  .max(64)
  .transform((value) => value.trim().toUpperCase())
  .pipe(z.string().regex(/^[A-Z0-9][A-Z0-9_-]{2,31}$/, { error: 'must be 3 to 32 letters, digits, - and _' }))
  .meta({ description: 'Upper and lower case are the same.', examples: ['SPRING26'] });

const usesPerCode = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .nullable()
  .meta({ description: 'How many times each of them can be redeemed; null for any number.', examples: [1] });

export const codesToAdd = z
  .strictObject({
    codes: z.array(discountCode).min(1).max(1000).optional().meta({ description: 'These codes.' }),
    usesPerCode: usesPerCode.optional().meta({ description: 'For `codes`; any number of times where it is left out.' }),
    generate: z
      .strictObject({
        count: z.int().min(1).max(10_000),
        prefix: z
          .string()
          .max(16)
          .transform((value) => value.trim().toUpperCase())
          .pipe(
            z.string().regex(/^(?:[A-Z0-9][A-Z0-9_-]*)?$/, {
              error: 'must be letters, digits, - and _, beginning with a letter or digit',
            }),
          )
          .default('')
          .meta({ examples: ['MAY-'] }),
        length: z.int().min(6).max(20).default(10).meta({ description: 'Of the random part.' }),
        usesPerCode: usesPerCode.default(null),
      })
      .refine(({ prefix, length }) => prefix.length + length <= longestCode, {
        path: ['length'],
        error: `must make codes of at most ${longestCode} characters with the prefix`,
      })
      .optional()
      .meta({ description: 'Random codes without 0, O, 1, I and L.' }),
  })
  .refine(({ codes, generate }) => (codes === undefined) !== (generate === undefined), {
    error: 'must have either codes or generate',
  })
  .refine(({ codes, generate, usesPerCode: uses }) => !generate || codes || uses === undefined, {
    path: ['usesPerCode'],
    error: 'belongs into generate',
  })
  .meta({ id: 'CodesToAdd', examples: [{ generate: { count: 500, prefix: 'MAY-', length: 8, usesPerCode: 1 } }] });
export type CodesToAdd = z.output<typeof codesToAdd>;

export const codesAdded = z
  .object({ campaignId: idSchema('camp'), count: z.int(), codes: z.array(z.string()) })
  .meta({ id: 'CodesAdded' });

export const campaignCode = z
  .object({
    code: z.string(),
    uses: z.int().meta({ description: 'How many held and confirmed redemptions there are.' }),
    maximumUses: z.int().nullable(),
    endedAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'CampaignCode' });
export type CampaignCodeBody = z.infer<typeof campaignCode>;
export const campaignCodePage = page(campaignCode).meta({ id: 'CampaignCodePage' });

const codeParams = z.strictObject({ id: idSchema('camp'), code: discountCode });
const tags = ['campaigns'];

export const campaignCodeOperations = operationsOf(
  operation({
    id: 'addCampaignCodes',
    method: 'POST',
    path: '/v1/campaigns/{id}/codes',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    tags,
    summary: 'Add codes to a campaign',
    description:
      'Own ones or random ones, all of them or none. A code is unique among all campaigns; a campaign has 100,000 at most.',
    params: campaignParams,
    body: codesToAdd,
    responses: {
      201: {
        description: 'Created.',
        body: codesAdded,
        headers: { Location: 'The path of the codes of the campaign.' },
      },
    },
    errors: [
      engagementErrors.codeTaken,
      engagementErrors.campaignWithoutCodes,
      engagementErrors.campaignNotInState,
      engagementErrors.tooManyCampaignCodes,
    ],
  }),
  operation({
    id: 'listCampaignCodes',
    method: 'GET',
    path: '/v1/campaigns/{id}/codes',
    access: 'staff',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    tags,
    summary: 'List the codes of a campaign',
    description: 'In alphabetical order.',
    params: campaignParams,
    query: z.strictObject(pageQuery),
    responses: { 200: campaignCodePage },
  }),
  operation({
    id: 'exportCampaignCodes',
    method: 'GET',
    path: '/v1/campaigns/{id}/codes.csv',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:read',
    tags,
    summary: 'Export the codes of a campaign as CSV',
    description: 'All codes in alphabetical order, with a row of names.',
    params: campaignParams,
    query: z.strictObject({ dialect: csvDialect }),
    responses: {
      200: {
        description: 'The codes.',
        contentType: 'text/csv',
        headers: { 'Content-Disposition': 'A file name for the download.' },
      },
    },
  }),
  operation({
    id: 'endCampaignCode',
    method: 'DELETE',
    path: '/v1/campaigns/{id}/codes/{code}',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    tags,
    summary: 'End a code',
    description: 'Nobody can redeem it any more; it is listed as ended, and never becomes another code.',
    params: codeParams,
    responses: { 204: null },
  }),
);
