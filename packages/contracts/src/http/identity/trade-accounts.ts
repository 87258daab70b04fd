import { z } from 'zod';
import { notFound } from '../../errors/common.ts';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { line, nonEmpty, page, pageQuery, reason, text, timestamp } from '../common.ts';
import { country } from '../countries.ts';
import { operation, operationsOf } from '../operation.ts';
import { businessCountry, phone, tradeDetails, user, userFields } from './user.ts';

export const tradeStatus = z.enum(['pending-approval', 'info-requested', 'approved', 'rejected', 'suspended']);

export const timelineEntry = z.object({
  at: timestamp,
  by: z.string().meta({ description: 'The id of who decided, or of the applicant.' }),
  action: z.enum(['submit', 'verify-email', 'resubmit', 'approve', 'reject', 'request-info', 'suspend', 'reinstate']),
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

export const approval = z
  .strictObject({
    reason: reason.optional(),
    country: country.optional().meta({
      description: 'ISO 3166-1 alpha-2. Needed where the country of the business is not known yet.',
    }),
  })
  .meta({ id: 'Approval', examples: [{ reason: 'Welcome to our shop.', country: 'NL' }] });

export const tradeAccountChange = z
  .strictObject({ country })
  .meta({ id: 'TradeAccountChange', examples: [{ country: 'NL' }] });

export const tradeAccountQuery = z.strictObject({
  ...pageQuery,
  status: tradeStatus.optional().meta({ description: 'Only those of this status.', examples: ['pending-approval'] }),
  proved: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true')
    .meta({
      description:
        '`false`: applications whose email nobody has verified; they are gone after 24 hours. There is no decision on them.',
      examples: ['true'],
    }),
});
export const tradeAccountParams = z.object({ id: idSchema('user') });

export const resubmission = z
  .strictObject({
    phone: phone.optional(),
    businessName: line(200)
      .optional()
      .meta({ examples: ['Analytical Engines Ltd'] }),
    businessAddress: text(500)
      .optional()
      .meta({ examples: ['12 St James Square\nLondon'] }),
    referralCode: line(64).optional(),
    vatNumber: line(32)
      .optional()
      .meta({ examples: ['NL123456789B01'] }),
    companyRegistration: line(64)
      .optional()
      .meta({ examples: ['12345678'] }),
    country: businessCountry,
    note: text(1000)
      .optional()
      .meta({ description: 'An answer to the administrator.', examples: ['The number is in the register now.'] }),
  })
  .refine(...nonEmpty)
  .meta({ id: 'Resubmission', minProperties: 1, examples: [{ vatNumber: 'NL123456789B01' }] });

const tags = ['trade accounts'];

const decision = {
  method: 'POST',
  access: 'staff',
  roles: ['sales'],
  scope: 'trade-accounts:write',
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
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'trade-accounts:read',
    tags,
    summary: 'List trade accounts',
    description:
      'Those whose applicants have proved their email, the last submitted first; with `proved=false` the others.',
    query: tradeAccountQuery,
    responses: { 200: tradeAccountPage },
  }),
  operation({
    id: 'getTradeAccount',
    method: 'GET',
    path: '/v1/trade-accounts/{id}',
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'trade-accounts:read',
    versioned: true,
    tags,
    summary: 'Read a trade account with its timeline',
    description: 'The timeline holds every submission and every decision, with reasons.',
    params: tradeAccountParams,
    responses: { 200: tradeAccount },
  }),
  operation({
    id: 'changeTradeAccount',
    method: 'PATCH',
    path: '/v1/trade-accounts/{id}',
    access: 'staff',
    roles: ['sales'],
    scope: 'trade-accounts:write',
    versioned: true,
    tags,
    summary: 'Correct the country of a trade account',
    description: 'It stands on invoices and decides their tax from now on. Invoices that were issued stay as they are.',
    params: tradeAccountParams,
    body: tradeAccountChange,
    responses: { 200: tradeAccount },
  }),
  operation({
    id: 'resubmitTradeAccount',
    method: 'POST',
    path: '/v1/trade-accounts/me/resubmit',
    access: 'user',
    alsoFor: ['applicant'],
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Submit the application again',
    description:
      'For an applicant who was asked for more (`info-requested`), with the tokens of a login. Fields that are left out ' +
      'stay as they are.',
    body: resubmission,
    responses: { 200: user },
    errors: [identityErrors.invalidTransition, notFound],
  }),
  operation({
    ...decision,
    id: 'approveTradeAccount',
    path: '/v1/trade-accounts/{id}/approve',
    summary: 'Approve an application',
    description:
      'From `pending-approval` to `approved`. The applicant is informed by mail and can log in. `country` is needed where ' +
      '`trade.country` is null: it decides the tax on invoices.',
    body: approval,
    optionalBody: true,
    errors: [identityErrors.invalidTransition, identityErrors.countryRequired],
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
      'From `pending-approval` to `info-requested`. The applicant gets the reason by mail, logs in and submits the ' +
      'application again.',
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
    optionalBody: true,
  }),
);
