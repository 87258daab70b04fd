import type { StackUnderTest } from '../system/stack-under-test.ts';

/** What the provider has of the money of one payment, in cents. */
export interface Transferred {
  readonly received: number;
  readonly refunded: number;
}

/** The demo provider that runs beside the services. No fault stops it, so what it states is what has happened. */
export interface DemoPages {
  /** Pays on the page of the payment. Returns whether the provider has taken the money: a closed page takes none. */
  pay(paymentId: string, amount: number, how: { readonly late?: number; readonly twice?: boolean }): Promise<boolean>;
  /** Notes what the provider has stated since the last call: it does not remember everything for good. */
  catchUp(): Promise<void>;
  /** What it has stated so far, by payment. */
  transfers(): ReadonlyMap<string, Transferred>;
  /** The number of callbacks that it still has to deliver. */
  waiting(): number;
  /** Callbacks that it delivers no more, though the shop has not taken them. */
  undelivered(): readonly string[];
}

interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly paymentId: string | null;
  readonly body: string;
  readonly state: 'waiting' | 'delivered' | 'refused' | 'given-up';
}

export function createDemoPages({ url, secret }: StackUnderTest['payments']): DemoPages {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const stated = new Map<string, Delivery>();
  let waiting = 0;

  return {
    async pay(paymentId, amount, how) {
      const body = JSON.stringify({ amount, currency: 'EUR', ...how });
      const answer = await fetch(`${url}/api/payments/${paymentId}/pay`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status === 202;
    },
    async catchUp() {
      const answer = await fetch(`${url}/api/callbacks`, { headers });
      const { callbacks } = (await answer.json()) as { callbacks: Delivery[] };
      waiting = callbacks.filter(({ state }) => state === 'waiting').length;
      for (const each of callbacks) stated.set(each.eventId, each);
    },
    transfers() {
      const sums = new Map<string, Transferred>();
      for (const { type, paymentId, body } of stated.values()) {
        if (paymentId === null) continue;
        const { received, refunded } = sums.get(paymentId) ?? { received: 0, refunded: 0 };
        const { amount } = (JSON.parse(body) as { data: { amount: { amount: number } } }).data.amount;
        sums.set(paymentId, {
          received: received + (type === 'payment.succeeded' ? amount : 0),
          refunded: refunded + (type === 'payment.refunded' ? amount : 0),
        });
      }
      return sums;
    },
    waiting: () => waiting,
    undelivered: () =>
      [...stated.values()]
        .filter(({ state }) => state === 'refused' || state === 'given-up')
        .map(({ eventId, paymentId, state }) => `${eventId} of ${paymentId}: ${state}`),
  };
}
