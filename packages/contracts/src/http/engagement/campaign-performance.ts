import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { money, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { campaignParams, requestTime } from './campaigns.ts';

export const performanceInterval = z.enum(['day', 'week', 'month']);
export const performanceQuery = z
  .strictObject({
    from: requestTime.optional().meta({
      format: 'date-time',
      description: 'Not before this time; 30 days before `to` where it is left out.',
      examples: ['2026-11-01T00:00:00.000Z'],
    }),
    to: requestTime.optional().meta({
      format: 'date-time',
      description: 'Before this time; now where it is left out.',
      examples: ['2026-12-01T00:00:00.000Z'],
    }),
    interval: performanceInterval
      .default('day')
      .meta({ description: 'Days, weeks from Monday on, or months, in UTC.', examples: ['week'] }),
  })
  .refine(({ from, to }) => !from || !to || from < to, { path: ['to'], error: 'must be after from' });

const figures = {
  redemptions: z.int().meta({ description: 'Held and confirmed ones, by the time of the redemption.' }),
  released: z.int().meta({ description: 'Given back since.' }),
  customers: z.int().meta({ description: 'How many different users.' }),
  discount: money.meta({ description: 'What the campaign took off.' }),
  orderValue: money.meta({ description: 'What the orders cost after all discounts.' }),
  valuePerDiscount: z
    .number()
    .nullable()
    .meta({ description: 'Order value for each unit of discount; null where no discount was given.', examples: [9.4] }),
};
const bySegment = { all: z.object(figures), retail: z.object(figures), trade: z.object(figures) };
export const campaignPerformance = z
  .object({
    campaignId: idSchema('camp'),
    from: timestamp,
    to: timestamp,
    interval: performanceInterval,
    ...bySegment,
    intervals: z
      .array(z.object({ start: timestamp, ...bySegment }))
      .meta({ description: 'Oldest first; those without a redemption are left out.' }),
  })
  .meta({ id: 'CampaignPerformance' });
export type CampaignPerformanceBody = z.infer<typeof campaignPerformance>;

export const campaignPerformanceOperations = operationsOf(
  operation({
    id: 'getCampaignPerformance',
    method: 'GET',
    path: '/v1/campaigns/{id}/performance',
    access: 'admin',
    tags: ['campaigns'],
    summary: 'Read what a campaign brought',
    description: 'At most 400 days at once.',
    params: campaignParams,
    query: performanceQuery,
    responses: { 200: campaignPerformance },
  }),
);
