import type { CallbackType } from './payment.ts';

/** One attempt to deliver a callback, and what came of it. */
export interface Attempt {
  readonly at: number;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** Why there was no answer. */
  readonly error?: string;
}

/**
 * `waiting`: it is sent, or sent again, at `dueAt`. `delivered`: the shop answered 2xx. `refused`: the shop's answer can't become
 * another one. `given-up`: it was tried for a day.
 */
type DeliveryState = 'waiting' | 'delivered' | 'refused' | 'given-up';

/** A callback on its way to the shop. Times are in milliseconds since 1970. */
export interface Delivery {
  readonly id: string;
  /** What it says; null for a body that is not of this provider's form. */
  readonly eventId: string | null;
  readonly type: CallbackType | (string & {}) | null;
  readonly paymentId: string | null;
  /** Exactly what is sent and signed. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly dueAt: number;
  /** It is sent once a later callback of the payment is delivered, or at `dueAt`. */
  readonly isHeld: boolean;
  readonly attempts: readonly Attempt[];
}

export interface HowToSend {
  /** In seconds. */
  readonly late?: number;
  /** Each callback is delivered twice. */
  readonly twice?: boolean;
  /** Later callbacks are delivered before earlier ones. A single one waits for the next of its payment, for a minute at most. */
  readonly outOfOrder?: boolean;
}

const second = 1000;
const heldMs = 60 * second;
const giveUpMs = 24 * 60 * 60 * second;
/** After which times it is tried again; the last one again and again. */
const retryMs = [1, 5, 30, 120, 600, 1800, 3600].map((seconds) => seconds * second);
/** Answers of a shop that may be in order again later: it is being deployed, its secret is changed, or it has too much to do. */
const passing = new Set([401, 404, 408, 409, 429]);

/** What is to be delivered, and in which order. `callbacks` are of one payment, the oldest first. */
export function plan(
  callbacks: readonly Pick<Delivery, 'eventId' | 'type' | 'paymentId' | 'body'>[],
  { late = 0, twice = false, outOfOrder = false }: HowToSend,
  now: number,
  newId: () => string,
): Delivery[] {
  const dueAt = now + late * second;
  return callbacks.flatMap((callback, at) => {
    // The last of several is the one that comes before the others.
    const isHeld = outOfOrder && (callbacks.length === 1 || at < callbacks.length - 1);
    return Array.from({ length: twice ? 2 : 1 }, () => ({
      ...callback,
      id: newId(),
      state: 'waiting' as const,
      dueAt: isHeld ? Math.max(dueAt, now + heldMs) : dueAt,
      isHeld,
      attempts: [],
    }));
  });
}

/** The delivery after one more attempt. */
export function after(delivery: Delivery, attempt: Attempt): Delivery {
  const attempts = [...delivery.attempts, attempt];
  const next = { ...delivery, attempts, isHeld: false };
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300) return { ...next, state: 'delivered' };
  if (status !== undefined && status >= 400 && status < 500 && !passing.has(status))
    return { ...next, state: 'refused' };
  const dueAt = attempt.at + (retryMs[attempts.length - 1] ?? retryMs.at(-1) ?? second);
  const [first = attempt] = attempts;
  return dueAt - first.at > giveUpMs ? { ...next, state: 'given-up' } : { ...next, dueAt };
}

/** All deliveries once `delivered` has been answered: what of its payment was held for it is due. */
export function release(deliveries: readonly Delivery[], delivered: Delivery, now: number): Delivery[] {
  if (delivered.paymentId === null) return [...deliveries];
  const position = deliveries.findIndex(({ id }) => id === delivered.id);
  return deliveries.map((each, at) =>
    each.isHeld && at < position && each.paymentId === delivered.paymentId && each.eventId !== delivered.eventId
      ? { ...each, isHeld: false, dueAt: Math.min(each.dueAt, now) }
      : each,
  );
}
