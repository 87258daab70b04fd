import { setTimeout as wait } from 'node:timers/promises';
import { signDemoCallback } from '@storefront/demo-provider';
import type { Random } from '../random.ts';

/** What a provider states about one transfer of money. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: 'payment.succeeded' | 'payment.failed' | 'payment.refunded' | 'payment.disputed';
  readonly invoiceNumber: string;
  readonly reference: string;
  /** In cents. */
  readonly amount: number;
}

/** A payment provider, which is not part of the system under test. */
export interface Provider {
  /** Sends the event as providers do: again, with pauses, until it is answered 200 or the last try has failed. */
  send(
    event: ProviderEvent,
  ): Promise<{ readonly isAcknowledged: boolean; readonly unclearTries: number; readonly status: number }>;
}

const tryTimeoutMs = 12_000;
const mostTries = 8;
const longestPauseMs = 3000;

export function createProvider(gateways: readonly string[], secret: string, random: Random): Provider {
  async function sendOnce(body: string): Promise<number> {
    const response = await fetch(`${random.pick(gateways)}/v1/payments/callbacks/demo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': signDemoCallback(secret, body, new Date()) },
      body,
      signal: AbortSignal.timeout(tryTimeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  }

  return {
    async send({ id, type, invoiceNumber, reference, amount }) {
      const data = { invoiceNumber, amount: { amount, currency: 'EUR' }, providerReference: reference };
      const body = JSON.stringify({ id, type, createdAt: new Date().toISOString(), data });
      for (let tries = 0; ; tries += 1) {
        const status = await sendOnce(body).catch(() => 0);
        if (status === 200) return { isAcknowledged: true, unclearTries: tries, status };
        // An instance whose clock is wrong finds a right signature stale, as it would that of a provider with a wrong clock.
        const isFinal = status >= 400 && status < 500 && status !== 401;
        if (isFinal || tries === mostTries - 1) return { isAcknowledged: false, unclearTries: tries + 1, status };
        await wait(Math.min(150 * 2 ** tries, longestPauseMs));
      }
    },
  };
}
