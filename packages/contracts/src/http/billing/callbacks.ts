import { z } from 'zod';
import { billingErrors } from '../../errors/billing.ts';
import { commonErrors } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { page, pageQuery, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

/**
 * The state of a callback. `received`: it is still to be processed. It ends as `done`, `ignored` (its type changes
 * nothing) or `failed` (with `reason`). `duplicate`: the provider had already sent the same event. `bad_signature` and
 * `stale`: it was refused.
 */
export const callbackOutcome = z.enum(['received', 'done', 'ignored', 'failed', 'duplicate', 'bad_signature', 'stale']);
export type CallbackOutcome = z.infer<typeof callbackOutcome>;

export const callback = z
  .object({
    id: idSchema('cbk'),
    provider: z.string(),
    outcome: callbackOutcome,
    reason: z.string().nullable(),
    eventId: z.string().nullable().meta({ description: "The provider's id of its event." }),
    type: z.string().nullable().meta({ description: "The provider's name for what happened." }),
    paymentId: idSchema('pay').nullable(),
    address: z.string().nullable().meta({ description: 'Of the sender.' }),
    bytes: z.int().meta({ description: 'The size of its body.' }),
    receivedAt: timestamp,
    doneAt: timestamp.nullable(),
    replays: z.int().meta({ description: 'How often staff had it done again.' }),
  })
  .meta({ id: 'Callback' });
export type CallbackBody = z.infer<typeof callback>;
export const callbackPage = page(callback).meta({ id: 'CallbackPage' });

export const callbackWithBody = callback
  .extend({
    body: z
      .string()
      .nullable()
      .meta({
        description:
          'The fields of it that are read, as JSON; null where it was refused or is no JSON, of a duplicate, and once it has ' +
          'expired, 90 days after it came, or its person was erased.',
      }),
  })
  .meta({ id: 'CallbackWithBody' });

const params = z.strictObject({ id: idSchema('cbk') });
const signature = z.string().optional();
const exampleSignature = `t=1795341000,v1=${'0123456789abcdef'.repeat(4)}`;
// The parameter is called `id`, although it is the provider's name: OpenAPI allows only one name at this place of a
// path, and other operations have a callback's id there.
const providerName = z
  .string()
  .regex(/^[a-z]{1,20}$/)
  .meta({ description: 'The name of the provider.', examples: ['demo'] });
export const callbackQuery = z.strictObject({
  ...pageQuery,
  outcome: callbackOutcome.optional().meta({ description: 'Only those of this outcome.', examples: ['failed'] }),
  payment: idSchema('pay').optional().meta({ description: 'Only those about this payment.' }),
});

const tags = ['payments'];

export const callbackOperations = operationsOf(
  operation({
    id: 'receiveCallback',
    method: 'POST',
    path: '/v1/payments/callbacks/{id}',
    access: 'public',
    budget: 'callbacks',
    tags,
    summary: 'Receive a callback of a payment provider',
    description:
      'Signed over the bytes of the body, as the provider does it. `demo`: `Payment-Signature: t=<unix seconds>,v1=<HMAC-SHA256 of ' +
      '"t.body" in hex>`; `stripe`: `Stripe-Signature`. 200 says that it is kept; its work is done afterwards. A provider that ' +
      'is not configured is 404.',
    params: z.strictObject({ id: providerName }),
    headers: z.object({
      'payment-signature': signature.meta({ description: 'The signature of `demo`.', examples: [exampleSignature] }),
      'stripe-signature': signature.meta({ description: 'The signature of `stripe`.', examples: [exampleSignature] }),
    }),
    rawBody: { contentTypes: ['application/json'], maxBytes: 1024 * 1024, maxBytesAtOnce: 32 * 1024 * 1024 },
    responses: { 200: z.object({ received: z.literal(true) }).meta({ id: 'CallbackReceived' }) },
    errors: [billingErrors.badSignature, billingErrors.staleSignature, commonErrors.routeNotFound],
  }),
  operation({
    id: 'listCallbacks',
    method: 'GET',
    path: '/v1/payments/callbacks',
    access: 'staff',
    roles: ['sales'],
    tags,
    summary: 'List the callbacks of payment providers',
    description: 'Newest first.',
    query: callbackQuery,
    responses: { 200: callbackPage },
  }),
  operation({
    id: 'getCallback',
    method: 'GET',
    path: '/v1/payments/callbacks/{id}',
    access: 'staff',
    roles: ['sales'],
    tags,
    summary: 'Read a callback with its body',
    description: 'What of the body is read, and what became of it. Names and addresses in it are not kept.',
    params,
    responses: { 200: callbackWithBody },
  }),
  operation({
    id: 'replayCallback',
    method: 'POST',
    path: '/v1/payments/callbacks/{id}/replay',
    access: 'staff',
    roles: ['sales'],
    idempotent: true,
    tags,
    summary: 'Do the work of a callback again',
    description: 'What it did already it does not do twice. 202: the work is done afterwards.',
    params,
    responses: { 202: callback },
    errors: [billingErrors.callbackNotReplayable, billingErrors.callbackExpired],
  }),
);
