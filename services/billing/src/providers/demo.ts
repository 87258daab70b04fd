import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { ProviderFact } from '../payments/domain/provider-fact.ts';
import type { Provider, Translation } from './provider.ts';
import { givenAmount, givenName, givenTarget, readJson } from './read-json.ts';
import { verifySignedHeader } from './signed-header.ts';

const kinds: Readonly<Record<string, ProviderFact['kind']>> = {
  'payment.succeeded': 'succeeded',
  'payment.failed': 'failed',
  'payment.refunded': 'refunded',
  'payment.disputed': 'disputed',
};

const anyEvent = z.object({ id: givenName, type: givenName, createdAt: z.string().max(100).optional() });
const paymentEvent = z.object({
  data: z.object({
    paymentId: givenTarget,
    invoiceNumber: givenTarget,
    amount: z.object({ amount: givenAmount, currency: z.string().regex(/^[A-Z]{3}$/) }),
    providerReference: givenName,
  }),
});

/** The provider of the development stack. Its page takes no other sum than the one that is signed here. */
export function demoProvider({
  secrets,
  url,
}: {
  readonly secrets: readonly string[];
  readonly url: string;
}): Provider {
  return {
    name: 'demo',
    verify: (headers, body, now) => verifySignedHeader(headers['payment-signature'], body, { secrets, now }),
    translate: (body) => translate(readJson(body)),
    pageOf({ paymentId, amount, currency, numbers }) {
      const invoices = numbers.join(',');
      const signed = createHmac('sha256', secrets[0] ?? '')
        .update(`${paymentId}.${amount}.${currency}.${invoices}`)
        .digest('hex');
      return `${url}/pay/${paymentId}?amount=${amount}&currency=${currency}&for=${encodeURIComponent(invoices)}&t=${signed}`;
    },
  };
}

function translate(json: unknown): Translation {
  const event = anyEvent.safeParse(json);
  if (!event.success) return { kind: 'malformed' };
  const { id: eventId, type } = event.data;
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined) return { kind: 'ignored', eventId, type };
  const payment = paymentEvent.safeParse(json);
  if (!payment.success) return { kind: 'malformed' };
  const { paymentId, invoiceNumber, amount, providerReference } = payment.data.data;
  // Nothing is no payment; of a failed one the sum does not matter.
  if (amount.amount === 0 && kind !== 'failed') return { kind: 'malformed' };
  const fact = { kind, paymentId, invoiceNumber, ...amount, reference: providerReference, isCumulative: false };
  return { kind: 'fact', eventId, type, fact };
}
