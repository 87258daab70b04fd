import { createHmac } from 'node:crypto';
import { newId } from '@storefront/contracts';
import { demoSecret, type Harness } from './harness.ts';

/** What the demo provider states about money. Amounts are in cents. */
export interface Stated {
  readonly id?: string;
  readonly type?: string;
  readonly paymentId?: unknown;
  readonly invoiceNumber?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly reference?: unknown;
}

let events = 0;

/** The body of a callback of the demo provider. */
export function demoBody({
  id,
  type = 'payment.succeeded',
  amount = 1000,
  currency = 'EUR',
  ...stated
}: Stated): string {
  events += 1;
  const { paymentId, invoiceNumber, reference = 'tr_1' } = stated;
  return JSON.stringify({
    id: id ?? `evt_demo_${events}`,
    type,
    createdAt: '2026-11-21T09:30:00.000Z',
    data: { paymentId, invoiceNumber, amount: { amount, currency }, providerReference: reference },
  });
}

/** The header that signs these bytes. */
export function signed(body: string | Buffer, at: Date, secret = demoSecret): string {
  const time = Math.floor(at.getTime() / 1000);
  const digest = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  return `t=${time},v1=${digest}`;
}

/** Sends a callback as the gateway forwards it, signed unless `headers` say otherwise; to the first instance by default. */
export async function send(
  harness: Harness,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  { provider = 'demo', url = harness.url() } = {},
) {
  const response = await fetch(`${url}/v1/payments/callbacks/${provider}`, {
    method: 'POST',
    body,
    headers: {
      ...(await harness.headersFor(null)),
      'x-client-ip': '192.0.2.7',
      'content-type': 'application/json',
      ...(provider === 'demo' ? { 'payment-signature': signed(body, harness.now()) } : {}),
      ...headers,
    },
  });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body: (await response.json()) as any,
  };
}

/** An id of a payment that there is not. */
export const unknownPayment = newId('pay');
