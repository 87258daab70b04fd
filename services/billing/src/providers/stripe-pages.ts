import { z } from 'zod';
import type { Refund } from '../domain/payment.ts';
import type { OrderPages } from './provider.ts';
import { fromStripe, toStripe } from './stripe-units.ts';

const answerWithinMs = 10_000;

const session = z.object({ id: z.string(), url: z.string().nullish(), status: z.string().nullish() });
const refund = z.object({
  id: z.string(),
  amount: z.int(),
  created: z.int(),
  status: z.string().nullish(),
  metadata: z.object({ refundId: z.string().optional() }).nullish(),
});
const refunds = z.object({ data: z.array(refund) });
const failure = z.object({ error: z.object({ code: z.string().optional(), type: z.string() }) });

type Page = Parameters<OrderPages['open']>[0];
type Answer = { readonly body: unknown } | { readonly refusal: string };

/**
 * Stripe's pages for orders: a Checkout Session for each payment (https://docs.stripe.com/api/checkout/sessions). Stripe
 * knows an `Idempotency-Key` for a day. A session that is requested again later is a second one, but the first one has
 * expired by itself by then; a refund is looked up before it is made.
 */
export function stripePages({ apiKey, url }: { readonly apiKey: string; readonly url: string }): OrderPages {
  /** Throws if the answer is not final, so that the request is made again. */
  async function request(path: string, form?: Readonly<Record<string, string>>, key?: string): Promise<Answer> {
    const response = await fetch(`${url}/v1/${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${apiKey}`, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(form && { body: new URLSearchParams(form) }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const body = await response.json();
    if (response.ok) return { body };
    const { code, type } = failure.parse(body).error;
    if ([400, 402, 404].includes(response.status)) return { refusal: code ?? type };
    throw new Error(`Stripe answered ${response.status} (${code ?? type})`);
  }

  /** Opens the session of a payment, or finds the one that was opened under its id. */
  async function openSession({ paymentId, orderId, amount, currency, returnUrl }: Page): Promise<Answer> {
    const units = toStripe(amount, currency);
    if (units === undefined) return { refusal: 'indivisible_amount' };
    if (returnUrl === null) return { refusal: 'return_url_required' };
    const form = {
      mode: 'payment',
      client_reference_id: orderId,
      success_url: returnUrl,
      cancel_url: returnUrl,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': String(units),
      'line_items[0][price_data][product_data][name]': orderId,
      'payment_intent_data[metadata][paymentId]': paymentId,
    };
    return request('checkout/sessions', form, paymentId);
  }

  return {
    async open(page) {
      const answer = await openSession(page);
      if ('refusal' in answer) return { kind: 'refused', reason: answer.refusal };
      const { id: reference, url: redirectUrl } = session.extend({ url: z.string() }).parse(answer.body);
      return { kind: 'opened', redirectUrl, reference };
    },

    async close(page) {
      let { reference } = page;
      if (reference === null) {
        // The answer was lost, or the session was never opened: it is opened now to know its id.
        const opened = await openSession(page);
        if ('refusal' in opened) return { kind: 'closed' };
        reference = session.parse(opened.body).id;
      }
      const path = `checkout/sessions/${encodeURIComponent(reference)}`;
      const expired = await request(`${path}/expire`, {});
      if (!('refusal' in expired)) return { kind: 'closed' };
      // Only an open session can be expired. One that is complete takes no more money.
      const found = await request(path);
      const status = 'refusal' in found ? found.refusal : session.parse(found.body).status;
      if (status === 'complete' || status === 'expired') return { kind: 'closed' };
      throw new Error(`the Checkout Session ${reference} is not closed: ${expired.refusal}, ${status ?? 'no status'}`);
    },

    async refund({ id, reference, amount, currency }) {
      const units = toStripe(amount, currency);
      if (units === undefined) return { kind: 'refused', reason: 'indivisible_amount' };
      const made = await request(`refunds?limit=100&payment_intent=${encodeURIComponent(reference)}`);
      if ('refusal' in made) return { kind: 'refused', reason: made.refusal };
      const known = refunds.parse(made.body).data.find(({ metadata }) => metadata?.refundId === id);
      if (known !== undefined) return { kind: 'refunded', refund: statedRefund(known, currency) };
      const form = { payment_intent: reference, amount: String(units), 'metadata[refundId]': id };
      const answer = await request('refunds', form, id);
      if ('refusal' in answer) return { kind: 'refused', reason: answer.refusal };
      return { kind: 'refunded', refund: statedRefund(refund.parse(answer.body), currency) };
    },
  };
}

/** As the callbacks about it state it. */
function statedRefund({ id, amount, created, status }: z.output<typeof refund>, currency: string): Refund {
  const isFailed = status === 'failed' || status === 'canceled';
  return { id, amount: fromStripe(amount, currency) ?? 0, createdAt: created, failedAt: isFailed ? created : null };
}
