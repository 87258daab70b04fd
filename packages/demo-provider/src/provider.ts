import { randomUUID } from 'node:crypto';
import { plan, type Delivery, type HowToSend } from './delivery.ts';
import { act, newPayment, type Action, type Payment } from './payment.ts';
import type { Sender } from './send.ts';
import type { StateStore } from './state.ts';

/**
 * The actions of the pages and the API. When a promise resolves, its result is stored; callbacks are then sent even
 * after a restart.
 */
export interface Provider {
  /** A payment without any action yet is returned as a new one. */
  payment(id: string): Payment;
  /** The deliveries about one payment, or about all payments; the oldest first. */
  deliveries(paymentId?: string): readonly Delivery[];
  /**
   * Carries out the action and sends its callbacks to the shop. Throws an ActionError if the action is not possible.
   */
  act(paymentId: string, action: Action, how?: HowToSend & { invoiceNumber?: string }): Promise<readonly Delivery[]>;
  /** Signs and sends any text as a callback. */
  send(body: string, how?: HowToSend): Promise<readonly Delivery[]>;
}

export function createProvider(state: StateStore, sender: Sender): Provider {
  const newId = () => randomUUID();
  let lastCreated = 0;
  /** Every event gets a different time, so that of two events it is always clear which one is newer. */
  const nextTime = () => {
    lastCreated = Math.max(Date.now(), lastCreated + 1);
    return new Date(lastCreated).toISOString();
  };
  const paymentOf = (id: string): Payment => ({ ...newPayment(id), ...state.get().payments[id] });

  return {
    payment: paymentOf,
    deliveries: (paymentId) =>
      state.get().deliveries.filter((delivery) => paymentId === undefined || delivery.paymentId === paymentId),
    async act(paymentId, action, { invoiceNumber, ...how } = {}) {
      const { payment, said } = act(paymentOf(paymentId), action, () => `dpr_${newId()}`);
      const callbacks = said.map(({ type, data }) => {
        const eventId = `evt_${newId()}`;
        const about = {
          paymentId,
          ...(invoiceNumber !== undefined && { invoiceNumber }),
          ...data,
        };
        return {
          eventId,
          type,
          paymentId,
          body: JSON.stringify({ id: eventId, type, createdAt: nextTime(), data: about }),
        };
      });
      const deliveries = plan(callbacks, how, Date.now(), newId);
      // The payment and the deliveries are stored in one write, since changes made at the same time are stored
      // together.
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

/** The ids and the type in a body, as far as it has the form of a callback. */
function namesIn(body: string): Pick<Delivery, 'eventId' | 'type' | 'paymentId'> {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  try {
    const { id, type, data } = JSON.parse(body) as { id?: unknown; type?: unknown; data?: { paymentId?: unknown } };
    return { eventId: text(id), type: text(type), paymentId: text(data?.paymentId) };
  } catch {
    return { eventId: null, type: null, paymentId: null };
  }
}
