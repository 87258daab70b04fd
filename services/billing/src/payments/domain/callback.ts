import { billingErrors, billingEvents, billingHttp, fact, type Fact, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { hashedId } from '../../domain/hashed-id.ts';

/** A callback of a provider, with the result of processing it. */
export const callback = z.object({
  /**
   * Made from the provider and the event's id, so that each event has one document. Repetitions and refused callbacks
   * get ids of their own.
   */
  id: z.string(),
  provider: z.string(),
  outcome: billingHttp.callbackOutcome,
  reason: z.string().nullable(),
  eventId: z.string().nullable(),
  type: z.string().nullable(),
  /** The payment that has counted the callback's content; null if none has. */
  paymentId: z.string().nullable(),
  address: z.string().nullable(),
  bytes: z.int(),
  /**
   * The stored fields of the body, as JSON. Null for a refused callback, for a repetition, and for a body that is not
   * JSON. Also null after the body has expired or its person was erased.
   */
  body: z.string().nullable(),
  receivedAt: z.date(),
  doneAt: z.date().nullable(),
  replays: z.int(),
  /**
   * When the document is deleted: repetitions and refused callbacks after 30 days. Null for all others, which are kept.
   */
  deleteAt: z.date().nullable(),
});
export type Callback = StateOf<typeof callback>;

/** A body that a provider sent, and from where. */
export interface Sent {
  readonly provider: string;
  readonly address: string;
  readonly body: Buffer;
  readonly now: Date;
}

/** The result of processing a callback. */
export interface Processed {
  readonly outcome: 'done' | 'ignored' | 'failed';
  readonly reason: string | null;
  readonly paymentId: string | null;
}

/** The content of a signed body; null if the body can't be read. */
type Content = { readonly kind: 'fact' | 'ignored'; readonly eventId: string; readonly type: string } | null;

const day = 24 * 60 * 60 * 1000;
const keptMs = 30 * day;
/** The number of days for which the body of a callback is kept; longer if the callback is not processed yet. */
const bodyDays = 90;

/** Bodies of callbacks that were received before this time have expired. */
export function bodiesExpiredBefore(now: Date): Date {
  return new Date(now.getTime() - bodyDays * day);
}

/**
 * A callback with a valid signature, as it is stored before processing. `kept` is the part of its body to store. A
 * callback that is malformed or changes nothing is not processed.
 */
export function receivedCallback(
  sent: Sent,
  content: Content,
  kept: string | null,
): { readonly callback: Callback; readonly facts: readonly Fact[] } {
  const { provider, body, now } = sent;
  const id =
    content === null
      ? hashedId('cbk', provider, 'body', body.toString('latin1'))
      : hashedId('cbk', provider, 'event', content.eventId);
  const isToProcess = content?.kind === 'fact';
  const callback: Callback = {
    ...entryOf(sent),
    id,
    outcome: isToProcess ? 'received' : content === null ? 'failed' : 'ignored',
    reason: content === null ? 'malformed' : null,
    eventId: content?.eventId ?? null,
    type: content?.type ?? null,
    body: kept,
    doneAt: isToProcess ? null : now,
  };
  return { callback, facts: isToProcess ? [receivedFact(callback)] : [] };
}

/** The document for a repeated callback. */
export function repeatedCallback(id: string, sent: Sent, { eventId, type, paymentId }: Callback): Callback {
  return { ...ended(sent, 'duplicate'), id, eventId, type, paymentId };
}

/**
 * The document for a callback with a wrong or old signature. Nothing of its content is stored, because it may be false.
 */
export function refusedCallback(id: string, sent: Sent, outcome: 'bad_signature' | 'stale'): Callback {
  return { ...ended(sent, outcome), id };
}

/** The callback after processing. */
export function processed(callback: Callback, { outcome, reason, paymentId }: Processed, now: Date): Callback {
  return { ...callback, outcome, reason, paymentId, doneAt: now };
}

/**
 * Marks a callback to be processed again. Throws `callback_not_replayable` for a repetition and for a callback that was
 * refused or can't be read, and `callback_expired` if its body is no longer kept.
 */
export function replayed(callback: Callback): { readonly callback: Callback; readonly facts: readonly Fact[] } {
  if (callback.body === null)
    throw callback.type === null || callback.deleteAt !== null
      ? billingErrors.callbackNotReplayable()
      : billingErrors.callbackExpired();
  const { replays } = callback;
  const again: Callback = { ...callback, outcome: 'received', reason: null, doneAt: null, replays: replays + 1 };
  return { callback: again, facts: [receivedFact(again)] };
}

function receivedFact({ id, provider }: Callback): Fact {
  return fact(billingEvents.callbackReceived, id, { provider });
}

function ended(sent: Sent, outcome: billingHttp.CallbackOutcome): Omit<Callback, 'id'> {
  const { now } = sent;
  return { ...entryOf(sent), outcome, doneAt: now, deleteAt: new Date(now.getTime() + keptMs) };
}

function entryOf({ provider, address, body, now }: Sent): Omit<Callback, 'id' | 'outcome'> {
  return {
    provider,
    reason: null,
    eventId: null,
    type: null,
    paymentId: null,
    address,
    bytes: body.length,
    body: null,
    receivedAt: now,
    doneAt: null,
    replays: 0,
    deleteAt: null,
  };
}
