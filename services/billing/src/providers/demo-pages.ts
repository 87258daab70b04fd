import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { OrderPages } from './provider.ts';

const answerWithinMs = 10_000;
const madeRefund = z.object({ id: z.string(), amount: z.object({ amount: z.int() }) });

/**
 * The address of a page of the demo provider. Its last parameter signs all of it, so that nobody can change the amount or
 * the address to which it leads back.
 */
export function demoPage(
  page: {
    readonly paymentId: string;
    readonly amount: number;
    readonly currency: string;
    readonly purpose: string;
    readonly returnUrl: string | null;
  },
  url: string,
  secret: string,
): string {
  const { paymentId, amount, currency, purpose, returnUrl } = page;
  const back = returnUrl === null ? '' : `&return=${encodeURIComponent(returnUrl)}`;
  const path = `/pay/${paymentId}?amount=${amount}&currency=${currency}&for=${encodeURIComponent(purpose)}${back}`;
  return `${url}${path}&t=${hmac(secret, path)}`;
}

/**
 * The pages of the demo provider for orders. A page needs no call to be opened: its address says all. What is requested
 * of the provider is signed as its callbacks are.
 */
export function demoOrderPages(url: string, secret: string): OrderPages {
  async function request(path: string, content: object): Promise<{ status: number; body: unknown }> {
    const body = JSON.stringify(content);
    // The provider compares the time of the signature with that of its own clock.
    const seconds = Math.floor(Date.now() / 1000);
    const response = await fetch(`${url}/shop/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'payment-signature': `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const answer = { status: response.status, body: await response.json() };
    if (response.ok || response.status === 422) return answer;
    throw new Error(`the demo provider answered ${response.status} to ${path}`);
  }

  return {
    open: async ({ orderId, ...page }) => ({
      kind: 'opened',
      redirectUrl: demoPage({ ...page, purpose: orderId }, url, secret),
      reference: null,
    }),

    async close({ paymentId }) {
      await request('close', { paymentId });
      return { kind: 'closed' };
    },

    async refund({ currency, amount, ...refund }) {
      const { paymentId, id } = refund;
      const found = await request('refunds/find', { paymentId, id });
      const known = z.object({ refund: madeRefund.nullable() }).parse(found.body).refund;
      const answer = known === null ? await request('refunds', { ...refund, amount: { amount, currency } }) : found;
      if (answer.status === 422)
        return { kind: 'refused', reason: z.object({ error: z.string() }).parse(answer.body).error };
      const made = z.object({ refund: madeRefund }).parse(answer.body).refund;
      return { kind: 'refunded', refund: { id: made.id, amount: made.amount.amount, createdAt: 0, failedAt: null } };
    },
  };
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
