import { after, release, type Attempt, type Delivery } from './delivery.ts';
import { signDemoCallback } from './signature.ts';
import type { StateStore } from './state.ts';

export interface Sender {
  /** Resolves when the deliveries are stored. They are sent when they are due. */
  add(deliveries: readonly Delivery[]): Promise<void>;
  /** Stops sending. Deliveries that still wait are sent after the next start. */
  close(): Promise<void>;
}

const answerWithinMs = 10_000;

/** Sends the stored deliveries when they are due. Deliveries of one payment are sent one after the other. */
export function createSender(options: {
  state: StateStore;
  secret: string;
  callbackUrl: string;
  say: (line: string) => void;
}): Sender {
  const { state, secret, callbackUrl, say } = options;
  let timer: NodeJS.Timeout | undefined;
  // `underWay`: the deliveries that are being sent or wait for an earlier one. `queues`: the last delivery in the queue
  // of each payment.
  const underWay = new Set<string>();
  const queues = new Map<string, Promise<void>>();
  const closing = new AbortController();

  async function attempt(body: string): Promise<Attempt> {
    const at = Date.now();
    try {
      const response = await fetch(callbackUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'payment-signature': signDemoCallback(secret, body, new Date(at)),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerWithinMs)]),
      });
      await response.body?.cancel();
      return { at, status: response.status };
    } catch (error) {
      return { at, error: reasonOf(error) };
    }
  }

  async function send(id: string): Promise<void> {
    const delivery = state.get().deliveries.find((each) => each.id === id);
    if (closing.signal.aborted || delivery?.state !== 'waiting') return;
    const result = await attempt(delivery.body);
    // The sender is closing and the shop's answer is unknown. So the delivery stays waiting and is sent again after the
    // next start.
    if (closing.signal.aborted && result.status === undefined) return;
    const sent = after(delivery, result);
    if (sent.state === 'refused' || sent.state === 'given-up')
      say(`Payments: ${sent.type ?? 'a callback'} was ${sent.state} (${result.status ?? result.error}).`);
    await state.change((before) => {
      const deliveries = before.deliveries.map((each) => (each.id === id ? sent : each));
      return { ...before, deliveries: sent.state === 'delivered' ? release(deliveries, sent, Date.now()) : deliveries };
    });
  }

  /** Sends all deliveries that are due, and sets a timer for the next one. */
  function sendDue(): void {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    const now = Date.now();
    const waiting = state.get().deliveries.filter((each) => each.state === 'waiting' && !underWay.has(each.id));
    for (const { id, paymentId } of waiting.filter(({ dueAt }) => dueAt <= now)) enqueue(paymentId ?? id, id);
    const later = waiting.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now);
    if (later.length > 0) timer = setTimeout(sendDue, Math.min(...later) - now);
  }

  function enqueue(queue: string, id: string): void {
    underWay.add(id);
    const turn = (queues.get(queue) ?? Promise.resolve())
      .then(() => send(id))
      .catch((error: unknown) => say(`Payments: the state can't be stored: ${reasonOf(error)}`))
      .finally(() => {
        underWay.delete(id);
        if (queues.get(queue) === turn) queues.delete(queue);
        sendDue();
      });
    queues.set(queue, turn);
  }

  sendDue();
  return {
    async add(deliveries) {
      await state.change((before) => ({ ...before, deliveries: [...before.deliveries, ...deliveries] }));
      sendDue();
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await Promise.all(queues.values());
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
