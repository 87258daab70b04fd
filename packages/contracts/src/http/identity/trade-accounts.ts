import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, reason, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { tradeDetails, userFields } from './user.ts';

export const tradeStatus = z.enum(['pending-approval', 'info-requested', 'approved', 'rejected', 'suspended']);

export const timelineEntry = z.object({
  at: timestamp,
  by: z.string().meta({ description: 'The id of the administrator, or of the applicant.' }),
  action: z.enum(['submit', 'approve', 'reject', 'request-info', 'suspend', 'reinstate']),
  reason: z.string().nullable(),
});

export const tradeAccount = z
  .object({
    ...userFields,
    trade: z.object({
      ...tradeDetails,
      timeline: z.array(timelineEntry).meta({ description: 'All that happened to it, oldest first.' }),
    }),
  })
  .meta({ id: 'TradeAccount' });
export const tradeAccountPage = page(tradeAccount).meta({ id: 'TradeAccountPage' });

export const decisionWithReason = z
  .strictObject({ reason })
  .meta({ id: 'DecisionWithReason', examples: [{ reason: 'The VAT number could not be found.' }] });
export const decisionMaybeReason = z
  .strictObject({ reason: reason.optional() })
  .meta({ id: 'Decision', examples: [{ reason: 'Welcome to our shop.' }] });

export const tradeAccountQuery = z.strictObject({
  ...pageQuery,
  status: tradeStatus.optional().meta({ description: 'Only those of this status.', examples: ['pending-approval'] }),
});
export const tradeAccountParams = z.object({ id: idSchema('user') });

const tags = ['trade accounts'];

const decision = {
  method: 'POST',
  access: 'admin',
  idempotent: true,
  versioned: true,
  tags,
  params: tradeAccountParams,
  responses: { 200: tradeAccount },
  errors: [identityErrors.invalidTransition],
} as const;

export const tradeAccountOperations = operationsOf(
  operation({
    id: 'listTradeAccounts',
    method: 'GET',
    path: '/v1/trade-accounts',
    access: 'admin',
    tags,
    summary: 'List trade accounts',
    description: 'The last submitted first.',
    query: tradeAccountQuery,
    responses: { 200: tradeAccountPage },
  }),
  operation({
    id: 'getTradeAccount',
    method: 'GET',
    path: '/v1/trade-accounts/{id}',
    access: 'admin',
    versioned: true,
    tags,
    summary: 'Read a trade account with its timeline',
    description: 'The timeline holds every submission and every decision, with reasons.',
    params: tradeAccountParams,
    responses: { 200: tradeAccount },
  }),
  operation({
    ...decision,
    id: 'approveTradeAccount',
    path: '/v1/trade-accounts/{id}/approve',
    summary: 'Approve an application',
    description: 'From `pending-approval` to `approved`. The applicant is informed by mail and can log in.',
    body: decisionMaybeReason,
  }),
  operation({
    ...decision,
    id: 'rejectTradeAccount',
    path: '/v1/trade-accounts/{id}/reject',
    summary: 'Reject an application',
    description: 'From `pending-approval` to `rejected`. The applicant gets the reason by mail and may apply again.',
    body: decisionWithReason,
  }),
  operation({
    ...decision,
    id: 'requestInfoTradeAccount',
    path: '/v1/trade-accounts/{id}/request-info',
    summary: 'Request more information from the applicant',
    description:
      'From `pending-approval` to `info-requested`. The applicant gets the reason by mail and applies again with ' +
      'more details.',
    body: decisionWithReason,
  }),
  operation({
    ...decision,
    id: 'suspendTradeAccount',
    path: '/v1/trade-accounts/{id}/suspend',
    summary: 'Suspend an approved account',
    description: 'From `approved` to `suspended`. All tokens of the account are revoked at once.',
    body: decisionWithReason,
  }),
  operation({
    ...decision,
    id: 'reinstateTradeAccount',
    path: '/v1/trade-accounts/{id}/reinstate',
    summary: 'End a suspension',
    description: 'From `suspended` to `approved`. The owner can log in again.',
    body: decisionMaybeReason,
  }),
);
