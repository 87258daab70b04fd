import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { money } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { campaignParams } from './campaigns.ts';

export const performanceInterval = z.enum(['day', 'week', 'month']);
const day = z.iso.date().meta({ format: 'date', examples: ['2026-11-23'] });
export const performanceQuery = z
  .strictObject({
    from: day.optional().meta({
      description: 'From this day on; 30 days before `to` where it is left out.',
      examples: ['2026-11-01'],
    }),
    to: day.optional().meta({
      description: 'Before this day; tomorrow where it is left out.',
      examples: ['2026-12-01'],
    }),
    interval: performanceInterval
      .default('day')
      .meta({ description: 'Days, weeks from Monday on, or months, in UTC.', examples: ['week'] }),
  })
  .refine(({ from, to }) => !from || !to || from < to, { path: ['to'], error: 'must be after from' });

const figures = {
  redemptions: z.int().meta({ description: 'Held and confirmed ones, by the day of the redemption.' }),
  released: z.int().meta({ description: 'Given back since.' }),
  customers: z.int().meta({ description: 'How many different users, each once, however often they redeemed.' }),
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
    from: day,
    to: day,
    interval: performanceInterval,
    ...bySegment,
    intervals: z
      .array(z.object({ start: day, ...bySegment }))
      .meta({ description: 'Oldest first; those without a redemption are left out.' }),
  })
  .meta({ id: 'CampaignPerformance' });
export type CampaignPerformanceBody = z.infer<typeof campaignPerformance>;

export const campaignPerformanceOperations = operationsOf(
  operation({
    id: 'getCampaignPerformance',
    method: 'GET',
    path: '/v1/campaigns/{id}/performance',
    access: 'staff',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    tags: ['campaigns'],
    summary: 'Read what a campaign brought',
    description: 'Of whole days in UTC, 400 at most.',
    params: campaignParams,
    query: performanceQuery,
    responses: { 200: campaignPerformance },
  }),
);
