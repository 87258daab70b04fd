import { randomUUID } from 'node:crypto';
import { plan, type Delivery, type HowToSend } from './delivery.ts';
import { act, type Action, type Payment } from './payment.ts';
import type { Sender } from './send.ts';
import type { StateStore } from './state.ts';

/** What the pages and the API do. What it resolves is stored, and sent even after a restart. */
export interface Provider {
  /** A payment that nothing was done about yet is as new. */
  payment(id: string): Payment;
  /** The deliveries about a payment, or all; the oldest first. */
  deliveries(paymentId?: string): readonly Delivery[];
  /** Does it and sends the callbacks to the shop. Throws an ActionError where it can't be done. */
  act(paymentId: string, action: Action, how?: HowToSend & { invoiceNumber?: string }): Promise<readonly Delivery[]>;
  /** Signs and sends any body. */
  send(body: string, how?: HowToSend): Promise<readonly Delivery[]>;
}

export function createProvider(state: StateStore, sender: Sender): Provider {
  const newId = () => randomUUID();
  let lastCreated = 0;
  /** Two events never have the same time, so that theirs says which one is newer. */
  const nextTime = () => {
    lastCreated = Math.max(Date.now(), lastCreated + 1);
    return new Date(lastCreated).toISOString();
  };
  const paymentOf = (id: string): Payment => state.get().payments[id] ?? { id, captures: [], failures: 0 };

  return {
    payment: paymentOf,
    deliveries: (paymentId) =>
      state.get().deliveries.filter((delivery) => paymentId === undefined || delivery.paymentId === paymentId),
    async act(paymentId, action, { invoiceNumber, ...how } = {}) {
      const { payment, said } = act(paymentOf(paymentId), action, () => `dpr_${newId()}`);
      const callbacks = said.map(({ type, data }) => {
        const eventId = `evt_${newId()}`;
        const isReturn = type === 'payment.refunded' || type === 'payment.disputed';
        const about = {
          paymentId,
          ...(invoiceNumber !== undefined && { invoiceNumber }),
          ...data,
          ...(isReturn && { refundReference: `dpr_${newId()}` }),
        };
        return {
          eventId,
          type,
          paymentId,
          body: JSON.stringify({ id: eventId, type, createdAt: nextTime(), data: about }),
        };
      });
      const deliveries = plan(callbacks, how, Date.now(), newId);
      // The payment joins the deliveries in one write.
      void state.change((before) => ({ ...before, payments: { ...before.payments, [paymentId]: payment } }));
      await sender.add(deliveries);
      return deliveries;
    },
    async send(body, how = {}) {
      const deliveries = plan([{ ...namesIn(body), body }], how, Date.now(), newId);
      await sender.add(deliveries);
      return deliveries;
    },
  };
}

/** What a body says of itself, as far as it has the form of a callback. */
function namesIn(body: string): Pick<Delivery, 'eventId' | 'type' | 'paymentId'> {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  try {
    const { id, type, data } = JSON.parse(body) as { id?: unknown; type?: unknown; data?: { paymentId?: unknown } };
    return { eventId: text(id), type: text(type), paymentId: text(data?.paymentId) };
  } catch {
    return { eventId: null, type: null, paymentId: null };
  }
}
