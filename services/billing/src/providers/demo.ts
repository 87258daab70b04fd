import { z } from 'zod';
import type { Statement } from '../domain/provider-fact.ts';
import { demoOrderPages, demoPage } from './demo-pages.ts';
import type { Fields } from './kept-fields.ts';
import type { Provider, Translation } from './provider.ts';
import { givenAmount, givenName, givenTarget, keepFields, readKept } from './read-json.ts';
import { verifySignedHeader } from './signed-header.ts';

const kinds = {
  'payment.succeeded': 'captured',
  'payment.failed': 'failed',
  'payment.refunded': 'refunded',
  'payment.disputed': 'disputed',
} as const;

const fields: Fields = {
  id: true,
  type: true,
  createdAt: true,
  data: {
    paymentId: true,
    invoiceNumber: true,
    amount: { amount: true, currency: true },
    providerReference: true,
    refundReference: true,
  },
};

const anyEvent = z.object({ id: givenName, type: givenName, createdAt: z.string().max(100).default('') });
const paymentEvent = z.object({
  data: z.object({
    paymentId: givenTarget,
    invoiceNumber: givenTarget,
    amount: z.object({ amount: givenAmount, currency: z.string().regex(/^[A-Z]{3}$/) }),
    providerReference: givenName,
    refundReference: givenName.optional(),
  }),
});

/** The payment provider of the development stack. */
export function demoProvider({
  secrets,
  url,
}: {
  readonly secrets: readonly string[];
  readonly url: string;
}): Provider {
  // The first one signs.
  const [secret = ''] = secrets;
  return {
    name: 'demo',
    verify: (headers, body, now) => verifySignedHeader(headers['payment-signature'], body, { secrets, now }),
    keep: (body) => keepFields(body, fields),
    translate: (kept) => translate(readKept(kept)),
    pageOf: ({ numbers, ...page }) => demoPage({ ...page, purpose: numbers.join(',') }, url, secret),
    orderPages: demoOrderPages(url, secret),
  };
}

function translate(json: unknown): Translation {
  const event = anyEvent.safeParse(json);
  if (!event.success) return { kind: 'malformed' };
  const { id: eventId, type, createdAt } = event.data;
  if (!isHandled(type)) return { kind: 'ignored', eventId, type };
  const payment = paymentEvent.safeParse(json);
  if (!payment.success) return { kind: 'malformed' };
  const { paymentId, invoiceNumber, amount: money, providerReference: reference, refundReference } = payment.data.data;
  const { amount, currency } = money;
  const kind = kinds[type];
  // Zero is not a valid payment. For a failed payment the amount does not matter.
  if (amount === 0 && kind !== 'failed') return { kind: 'malformed' };
  // If two refunds have no id, they count as the same refund if time and amount are equal.
  const id = refundReference ?? `${createdAt} ${amount}`;
  const fact = { paymentId, invoiceNumber, currency, reference, ...statementOf(kind, id, amount) };
  return { kind: 'fact', eventId, type, fact };
}

function isHandled(type: string): type is keyof typeof kinds {
  return Object.hasOwn(kinds, type);
}

/** The demo provider states no times for refunds, and never says that a dispute is closed. */
function statementOf(kind: (typeof kinds)[keyof typeof kinds], id: string, amount: number): Statement {
  switch (kind) {
    case 'captured':
      return { kind, amount };
    case 'failed':
      return { kind };
    case 'refunded':
      return { kind, id, amount, createdAt: 0, failedAt: null };
    case 'disputed':
      return { kind, id, amount, isTaken: true, isClosed: false, statedAt: 0 };
  }
}
