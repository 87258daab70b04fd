import type { CallbackType } from './payment.ts';

/** One attempt to deliver a callback, with its result. */
export interface Attempt {
  readonly at: number;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** The error, if there was no answer. */
  readonly error?: string;
}

/**
 * `waiting`: the callback is sent, or sent again, at `dueAt`. `delivered`: the shop answered 2xx. `refused`: the shop's
 * answer is final, so it is not sent again. `given-up`: all attempts within a day have failed.
 */
type DeliveryState = 'waiting' | 'delivered' | 'refused' | 'given-up';

/** A callback to deliver to the shop. Times are in milliseconds since 1970. */
export interface Delivery {
  readonly id: string;
  /** The event's id in the body; null if the body does not have the form of a callback of this provider. */
  readonly eventId: string | null;
  readonly type: CallbackType | (string & {}) | null;
  readonly paymentId: string | null;
  /** The exact bytes that are signed and sent, as text. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly dueAt: number;
  /**
   * True if the delivery waits for another callback of the same payment: it is sent after a later callback is
   * delivered, at the latest at `dueAt`.
   */
  readonly isHeld: boolean;
  readonly attempts: readonly Attempt[];
}

export interface HowToSend {
  /** Seconds to wait before sending. */
  readonly late?: number;
  /** If true, each callback is delivered twice. */
  readonly twice?: boolean;
  /**
   * If true, later callbacks are delivered before earlier ones. A single callback waits up to a minute for the next
   * callback of its payment.
   */
  readonly outOfOrder?: boolean;
}

const second = 1000;
const heldMs = 60 * second;
const giveUpMs = 24 * 60 * 60 * second;
/** The waiting times before the next attempts. The last one is used for all further attempts. */
const retryMs = [1, 5, 30, 120, 600, 1800, 3600].map((seconds) => seconds * second);
/**
 * Answers that may change later, so the callback is sent again: the shop is being deployed, its secret is being
 * changed, or it is overloaded.
 */
const passing = new Set([401, 404, 408, 409, 429]);

/**
 * Makes the deliveries for callbacks, with their times. `callbacks` belong to one payment and are sorted, the oldest
 * first.
 */
export function plan(
  callbacks: readonly Pick<Delivery, 'eventId' | 'type' | 'paymentId' | 'body'>[],
  { late = 0, twice = false, outOfOrder = false }: HowToSend,
  now: number,
  newId: () => string,
): Delivery[] {
  const dueAt = now + late * second;
  return callbacks.flatMap((callback, at) => {
    // Of several callbacks, the last one is not held: it is delivered first.
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

/** Returns the delivery after one more attempt. */
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

/**
 * Returns all deliveries after `delivered` has reached the shop. Earlier callbacks of the same payment that were held
 * for it are now due.
 */
export function release(deliveries: readonly Delivery[], delivered: Delivery, now: number): Delivery[] {
  if (delivered.paymentId === null) return [...deliveries];
  const position = deliveries.findIndex(({ id }) => id === delivered.id);
  return deliveries.map((each, at) =>
    each.isHeld && at < position && each.paymentId === delivered.paymentId && each.eventId !== delivered.eventId
      ? { ...each, isHeld: false, dueAt: Math.min(each.dueAt, now) }
      : each,
  );
}
