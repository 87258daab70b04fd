import { z } from 'zod';
import type { ProviderFact } from '../payments/domain/provider-fact.ts';
import type { Provider, Translation } from './provider.ts';
import { givenAmount, givenName, givenTarget, readJson } from './read-json.ts';
import { verifySignedHeader } from './signed-header.ts';

// Stripe writes currencies in lower case.
const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .transform((code) => code.toUpperCase());
/** What the shop has written on the payment intent: `paymentId`, or `invoiceNumber`. */
const metadata = z
  .object({ paymentId: givenTarget, invoiceNumber: givenTarget })
  .nullish()
  .transform((given) => given ?? { paymentId: null, invoiceNumber: null });

const anyEvent = z.object({ id: givenName, type: givenName, data: z.object({ object: z.unknown() }) });
const paymentIntent = z.object({
  id: givenName,
  amount: givenAmount,
  amount_received: givenAmount,
  currency,
  metadata,
});
/** Charges of before there were payment intents have none: nothing here is about them. */
const ofIntent = z.object({ payment_intent: givenName });
const charge = z.object({ ...ofIntent.shape, amount_refunded: givenAmount, currency, metadata });
const dispute = z.object({ ...ofIntent.shape, amount: givenAmount, currency, metadata, status: givenName });

const handled: Readonly<Record<string, (object: unknown) => ProviderFact | 'ignored' | 'malformed'>> = {
  'payment_intent.succeeded': reading(paymentIntent, (intent) =>
    factOf('succeeded', intent.id, { ...intent, amount: intent.amount_received }),
  ),
  'payment_intent.payment_failed': reading(paymentIntent, (intent) => factOf('failed', intent.id, intent)),
  'charge.refunded': reading(charge, (given) =>
    factOf('refunded', given.payment_intent, { ...given, amount: given.amount_refunded }),
  ),
  // While a dispute is a mere inquiry (`warning_…`), no money is taken.
  'charge.dispute.created': reading(dispute, (given) =>
    given.status.startsWith('warning_') ? 'ignored' : factOf('disputed', given.payment_intent, given),
  ),
  'charge.dispute.closed': reading(dispute, (given) =>
    given.status === 'won' ? factOf('dispute-won', given.payment_intent, given) : 'ignored',
  ),
};

/**
 * Stripe's webhooks (https://docs.stripe.com/webhooks). The provider's reference is the id of the payment intent; amounts are in minor
 * units, and refunds are told with all that was refunded so far.
 */
export function stripeProvider({ secrets }: { readonly secrets: readonly string[] }): Provider {
  return {
    name: 'stripe',
    verify: (headers, body, now) => verifySignedHeader(headers['stripe-signature'], body, { secrets, now }),
    translate: (body) => translate(readJson(body)),
  };
}

function translate(json: unknown): Translation {
  const event = anyEvent.safeParse(json);
  if (!event.success) return { kind: 'malformed' };
  const { id: eventId, type, data } = event.data;
  const read = Object.hasOwn(handled, type) ? handled[type] : undefined;
  const found = read === undefined ? 'ignored' : read(data.object);
  if (found === 'ignored') return { kind: 'ignored', eventId, type };
  return found === 'malformed' ? { kind: 'malformed' } : { kind: 'fact', eventId, type, fact: found };
}

function reading<Schema extends z.ZodType>(
  schema: Schema,
  toFact: (object: z.output<Schema>) => ProviderFact | 'ignored' | 'malformed',
) {
  return (object: unknown) => {
    const read = schema.safeParse(object);
    return read.success ? toFact(read.data) : 'malformed';
  };
}

function factOf(
  kind: ProviderFact['kind'],
  reference: string,
  given: {
    readonly amount: number;
    readonly currency: string;
    readonly metadata: Pick<ProviderFact, 'paymentId' | 'invoiceNumber'>;
  },
): ProviderFact | 'malformed' {
  const { amount, currency: code, metadata: target } = given;
  // Nothing is no payment; of a failed one the sum does not matter.
  if (amount === 0 && kind !== 'failed') return 'malformed';
  return { kind, ...target, amount, currency: code, reference, isCumulative: kind === 'refunded' };
}
