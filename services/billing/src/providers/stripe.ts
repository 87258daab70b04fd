import { z } from 'zod';
import type { ProviderFact, Statement } from '../domain/provider-fact.ts';
import type { Fields } from './kept-fields.ts';
import type { Provider, Translation } from './provider.ts';
import { givenAmount, givenName, givenTarget, keepFields, readKept } from './read-json.ts';
import { verifySignedHeader } from './signed-header.ts';
import { stripePages } from './stripe-pages.ts';
import { fromStripe } from './stripe-units.ts';

const fields: Fields = {
  id: true,
  type: true,
  created: true,
  data: {
    object: {
      id: true,
      payment_intent: true,
      amount: true,
      amount_received: true,
      amount_refunded: true,
      currency: true,
      status: true,
      created: true,
      metadata: { paymentId: true, invoiceNumber: true },
    },
  },
};

const time = z.int().min(0).default(0);
// Stripe writes currencies in lower case.
const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .transform((code) => code.toUpperCase());
/** Data that the shop has written into the payment intent: `paymentId` or `invoiceNumber`. */
const metadata = z
  .object({ paymentId: givenTarget, invoiceNumber: givenTarget })
  .nullish()
  .transform((given) => given ?? { paymentId: null, invoiceNumber: null });

const anyEvent = z.object({ id: givenName, type: givenName, created: time, data: z.object({ object: z.unknown() }) });
const paymentIntent = z.object({ id: givenName, amount_received: givenAmount, currency, metadata });
/**
 * The payment intent of a charge or refund. Old charges, from before payment intents existed, have none and are
 * ignored.
 */
const ofIntent = { payment_intent: givenName.nullish(), currency, metadata };
const charge = z.object({ ...ofIntent, amount_refunded: givenAmount });
const refund = z.object({
  ...ofIntent,
  id: givenName,
  amount: givenAmount.min(1),
  created: time,
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']).nullish(),
});
const dispute = z.object({
  ...ofIntent,
  id: givenName,
  amount: givenAmount.min(1),
  status: z.enum([
    'warning_needs_response',
    'warning_under_review',
    'warning_closed',
    'prevented',
    'needs_response',
    'under_review',
    'appeal_needs_response',
    'appeal_under_review',
    'won',
    'lost',
  ]),
});

type Dispute = z.output<typeof dispute>;
type Read = (object: unknown, statedAt: number) => ProviderFact | 'ignored' | 'malformed';

/**
 * How each state of a dispute counts. A mere inquiry takes no money. A prevented dispute takes none either, because the
 * money goes back as a refund. After the first decision an appeal is possible; the money stays taken until the appeal
 * is won.
 */
const disputeStates: Readonly<
  Record<Dispute['status'], { readonly isTaken: boolean; readonly isClosed: boolean } | null>
> = {
  warning_needs_response: null,
  warning_under_review: null,
  warning_closed: null,
  prevented: null,
  needs_response: { isTaken: true, isClosed: false },
  under_review: { isTaken: true, isClosed: false },
  appeal_needs_response: { isTaken: true, isClosed: true },
  appeal_under_review: { isTaken: true, isClosed: true },
  won: { isTaken: false, isClosed: true },
  lost: { isTaken: true, isClosed: true },
};

// Zero is not a valid payment.
const readIntent = reading(paymentIntent, (given) =>
  given.amount_received === 0
    ? 'malformed'
    : factOf(given.id, given, given.amount_received, (amount) => ({ kind: 'captured', amount })),
);
const readRefund = reading(refund, (given, statedAt) => {
  const isFailed = given.status === 'failed' || given.status === 'canceled';
  const { id, created: createdAt } = given;
  const failedAt = isFailed ? statedAt : null;
  return factOf(given.payment_intent, given, given.amount, (amount) => ({
    kind: 'refunded',
    id,
    amount,
    createdAt,
    failedAt,
  }));
});
const readDispute = reading(dispute, (given, statedAt) => {
  const state = disputeStates[given.status];
  if (state === null) return 'ignored';
  return factOf(given.payment_intent, given, given.amount, (amount) => ({
    kind: 'disputed',
    id: given.id,
    amount,
    ...state,
    statedAt,
  }));
});

const handled: Readonly<Record<string, Read>> = {
  'payment_intent.succeeded': readIntent,
  'payment_intent.payment_failed': reading(paymentIntent, (given) =>
    factOf(given.id, given, 0, () => ({ kind: 'failed' })),
  ),
  'charge.refunded': reading(charge, (given, statedAt) =>
    factOf(given.payment_intent, given, given.amount_refunded, (amount) => ({
      kind: 'refunded-in-all',
      amount,
      statedAt,
    })),
  ),
  'charge.refund.updated': readRefund,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.dispute.closed': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.funds_reinstated': readDispute,
};

/**
 * Stripe's webhooks (https://docs.stripe.com/webhooks). The reference of a transfer is the id of its payment intent.
 * Stripe states refunds in two ways: each refund with its status, and the sum of all refunds of a charge so far.
 * Depending on its settings, an account may send only one of the two. With a key of its API, orders are paid on its pages.
 */
export function stripeProvider({
  secrets,
  apiKey,
}: {
  readonly secrets: readonly string[];
  readonly apiKey?: string | undefined;
}): Provider {
  return {
    name: 'stripe',
    verify: (headers, body, now) => verifySignedHeader(headers['stripe-signature'], body, { secrets, now }),
    keep: (body) => keepFields(body, fields),
    translate: (kept) => translate(readKept(kept)),
    ...(apiKey !== undefined && { orderPages: stripePages({ apiKey, url: 'https://api.stripe.com' }) }),
  };
}

function translate(json: unknown): Translation {
  const event = anyEvent.safeParse(json);
  if (!event.success) return { kind: 'malformed' };
  const { id: eventId, type, created, data } = event.data;
  const read = Object.hasOwn(handled, type) ? handled[type] : undefined;
  const found = read === undefined ? 'ignored' : read(data.object, created);
  if (found === 'ignored') return { kind: 'ignored', eventId, type };
  return found === 'malformed' ? { kind: 'malformed' } : { kind: 'fact', eventId, type, fact: found };
}

function reading<Schema extends z.ZodType>(
  schema: Schema,
  toFact: (object: z.output<Schema>, statedAt: number) => ReturnType<Read>,
): Read {
  return (object, statedAt) => {
    const read = schema.safeParse(object);
    return read.success ? toFact(read.data, statedAt) : 'malformed';
  };
}

function factOf(
  reference: string | null | undefined,
  given: { readonly currency: string; readonly metadata: Pick<ProviderFact, 'paymentId' | 'invoiceNumber'> },
  givenInUnits: number,
  stating: (amount: number) => Statement,
): ReturnType<Read> {
  if (reference === null || reference === undefined) return 'ignored';
  const { currency: code, metadata: target } = given;
  const amount = fromStripe(givenInUnits, code);
  const statement: Statement = amount === undefined ? { kind: 'indivisible' } : stating(amount);
  return { ...target, currency: code, reference, ...statement };
}
