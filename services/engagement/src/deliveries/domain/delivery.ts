import { changed, engagementErrors, engagementEvents, fact, notFound, unchanged } from '@storefront/contracts';
import type { Decision, engagementHttp, Fact } from '@storefront/contracts';
import type { HandoverResult } from '../../mails/domain/outgoing-mail.ts';
import type { TemplatedMail } from '../../mails/domain/render-mail.ts';
import { deferralDelay, unreachableDelay } from './retry-delays.ts';

/** One attempt to hand a mail over. */
export interface Attempt extends Omit<HandoverResult, 'bounced'> {
  readonly at: Date;
}

/** One message to one recipient over one channel. */
export interface MessageDelivery {
  readonly id: string;
  readonly channel: engagementHttp.Channel;
  readonly category: engagementHttp.Category;
  readonly template: string;
  readonly userId: string | null;
  readonly email: string | null;
  readonly mail: TemplatedMail | null;
  /** The code of a code mail, encrypted. */
  readonly code: { readonly sealed: string; readonly expiresAt: Date } | null;
  /** Of all mails to a user with the same purpose, only the one with the highest sequence is worth sending. */
  readonly purpose: string | null;
  readonly sequence: number;
  readonly status: 'pending' | 'delivered' | 'failed' | 'expired' | 'superseded' | 'suppressed' | 'recorded';
  readonly reason: string | null;
  /** When a pending one is due. While a sender has it, this is when its lease ends and another sender may take it. */
  readonly dueAt: Date | null;
  readonly attemptCount: number;
  /** How often a mail server has deferred it. */
  readonly deferrals: number;
  /** How often in a row the mail server could not be reached. */
  readonly unreachable: number;
  /** The last 20. */
  readonly attempts: readonly Attempt[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deliveredAt: Date | null;
  /** When one that has ended is deleted. */
  readonly keptUntil: Date | null;
}

export type NewDelivery = Pick<
  MessageDelivery,
  'id' | 'channel' | 'category' | 'template' | 'userId' | 'email' | 'mail'
> &
  Partial<Pick<MessageDelivery, 'code' | 'purpose' | 'sequence'>> & {
    readonly start:
      | { readonly status: 'pending'; readonly dueAt: Date }
      | { readonly status: 'delivered' }
      | { readonly status: 'recorded' | 'failed'; readonly reason: string };
  };

/** A sender renews its lease every 5 s; after 15 s without renewal another sender may take the delivery. */
export const leaseMs = 15_000;
export const renewEveryMs = 5000;
/** The last mail to an erased user: once its delivery has ended, it holds neither address nor answers. */
export const lastMailTemplate = 'account-erased';
const maxAttemptsKept = 20;
const keptMs = 90 * 24 * 60 * 60 * 1000;

/** Creates a delivery; one that exists already stays as it is. */
export function createDelivery(
  current: MessageDelivery | null,
  { start, ...fields }: NewDelivery,
  now: Date,
): Decision<MessageDelivery, MessageDelivery> {
  if (current) return unchanged(current);
  const delivery: MessageDelivery = {
    code: null,
    purpose: null,
    sequence: 0,
    ...fields,
    status: 'pending',
    reason: null,
    dueAt: start.status === 'pending' ? start.dueAt : null,
    attemptCount: 0,
    deferrals: 0,
    unreachable: 0,
    attempts: [],
    createdAt: now,
    updatedAt: now,
    deliveredAt: null,
    keptUntil: null,
  };
  const requested = fact(engagementEvents.notificationRequested, delivery.id, {
    ...eventData(delivery),
    recorded: start.status === 'recorded',
  });
  if (start.status === 'pending') return changed(delivery, [requested]);
  const ended = end(delivery, start.status, 'reason' in start ? start.reason : null, now);
  return changed(ended.state, [requested, ...ended.facts]);
}

/** Whether it waits to be sent and its time has come. */
export function isDue({ status, dueAt }: MessageDelivery, now: Date): boolean {
  return status === 'pending' && dueAt !== null && dueAt <= now;
}

/** Takes a lease on a delivery that is due; the result is null where there is nothing to send. */
export function claimDelivery(
  current: MessageDelivery | null,
  now: Date,
): Decision<MessageDelivery, MessageDelivery | null> {
  if (current === null || !isDue(current, now)) return unchanged(null);
  if (current.code !== null && current.code.expiresAt <= now) {
    const expired = end(current, 'expired', 'code_expired', now);
    return changed(expired.state, expired.facts, null);
  }
  return changed({ ...current, dueAt: later(now, leaseMs) }, []);
}

/** Renews the lease of a sender that is not finished yet. */
export function renewLease(current: MessageDelivery | null, now: Date): Decision<MessageDelivery, null> {
  if (current?.status !== 'pending') return unchanged(null);
  return changed({ ...current, dueAt: later(now, leaseMs) }, [], null);
}

/** Ends a delivery without an attempt. */
export function cancelDelivery(
  current: MessageDelivery | null,
  status: 'failed' | 'superseded' | 'suppressed',
  reason: string,
  now: Date,
): Decision<MessageDelivery, null> {
  if (current?.status !== 'pending') return unchanged(null);
  const ended = end(current, status, reason, now);
  return changed(ended.state, ended.facts, null);
}

/** Records an attempt and decides what follows from it. `random` is from 0 to 1. */
export function recordAttempt(
  current: MessageDelivery | null,
  attempt: Attempt,
  now: Date,
  random: number,
): Decision<MessageDelivery, MessageDelivery | null> {
  if (current === null) return unchanged(null);
  const tried: MessageDelivery = {
    ...current,
    attemptCount: current.attemptCount + 1,
    deferrals: current.deferrals + (attempt.outcome === 'deferred' ? 1 : 0),
    unreachable: attempt.outcome === 'unreachable' ? current.unreachable + 1 : 0,
    attempts: [...current.attempts, attempt].slice(-maxAttemptsKept),
    updatedAt: now,
  };
  // Two senders tried at once: what the first one recorded stands.
  if (current.status !== 'pending') return changed(tried, []);
  switch (attempt.outcome) {
    case 'accepted':
      return finish(tried, 'delivered', null, now);
    case 'refused':
      return finish(tried, 'failed', 'refused', now);
    case 'unreachable':
      return changed({ ...tried, dueAt: later(now, unreachableDelay(tried.unreachable)) }, []);
    case 'deferred': {
      const delay = deferralDelay(tried.deferrals, random);
      if (delay === null) return finish(tried, 'failed', 'deferred_too_long', now);
      return changed({ ...tried, dueAt: later(now, delay) }, []);
    }
  }
}

/** Whether an administrator may have it tried again. */
export function isRetryable({ status, mail }: MessageDelivery): boolean {
  return (status === 'failed' || status === 'suppressed') && mail !== null;
}

/**
 * Makes a failed delivery pending again, as if it were new. Throws where there is none, or where it can't be tried
 * again.
 */
export function restartDelivery(
  current: MessageDelivery | null,
  now: Date,
): Decision<MessageDelivery, MessageDelivery> {
  if (current === null) throw notFound('delivery');
  if (!isRetryable(current)) throw engagementErrors.deliveryNotRetryable(current.status);
  return changed(
    {
      ...current,
      status: 'pending',
      reason: null,
      dueAt: now,
      deferrals: 0,
      unreachable: 0,
      updatedAt: now,
      keptUntil: null,
    },
    [],
  );
}

function finish(delivery: MessageDelivery, status: 'delivered' | 'failed', reason: string | null, now: Date) {
  const ended = end(delivery, status, reason, now);
  return changed(ended.state, ended.facts);
}

function end(
  delivery: MessageDelivery,
  status: Exclude<MessageDelivery['status'], 'pending'>,
  reason: string | null,
  now: Date,
): { state: MessageDelivery; facts: Fact[] } {
  const state: MessageDelivery = {
    ...delivery,
    status,
    reason,
    dueAt: null,
    // A failed one may be tried again until its code expires.
    code: status === 'failed' || status === 'suppressed' ? delivery.code : null,
    updatedAt: now,
    deliveredAt: status === 'delivered' ? now : null,
    keptUntil: later(now, keptMs),
    ...(delivery.template === lastMailTemplate ? { email: null, mail: null, attempts: [] } : {}),
  };
  return { state, facts: endedFacts(state) };
}

function endedFacts(delivery: MessageDelivery): Fact[] {
  const { id, status, reason, attemptCount: attempts } = delivery;
  const data = { ...eventData(delivery), attempts };
  if (status === 'recorded') return [];
  if (status === 'delivered') return [fact(engagementEvents.notificationDelivered, id, data)];
  return [fact(engagementEvents.notificationFailed, id, { ...data, reason: reason ?? status })];
}

function eventData({ channel, category, template, userId }: MessageDelivery) {
  return { channel, category, template, userId };
}

function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
