import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

export const campaignStatus = z.enum(['draft', 'active', 'paused', 'ended']);

export const campaign = z
  .object({
    id: idSchema('camp'),
    name: z.string().meta({ examples: ['Teapots in spring'] }),
    status: campaignStatus,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Campaign' });
export type CampaignBody = z.infer<typeof campaign>;

export const campaignQuery = z.strictObject(pageQuery);
export const campaignPage = page(campaign).meta({ id: 'CampaignPage' });

export const campaignOperations = operationsOf(
  operation({
    id: 'listCampaigns',
    method: 'GET',
    path: '/v1/campaigns',
    access: 'admin',
    tags: ['campaigns'],
    summary: 'List campaigns',
    description: 'Newest first.',
    query: campaignQuery,
    responses: { 200: campaignPage },
  }),
);
