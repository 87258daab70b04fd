import { engagementEvents, fact } from '@storefront/contracts';
import type { engagementHttp, Fact } from '@storefront/contracts';
import { changed, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { deferralDelay, unreachableDelay } from './backoff.ts';
import type { Mail } from './mails/mails.ts';

/** One try to hand a message over, and what the other side said. */
export interface Attempt {
  readonly at: Date;
  readonly outcome: 'accepted' | 'deferred' | 'refused' | 'unreachable';
  readonly answer: string;
  readonly milliseconds: number;
}

/** One message to one recipient over one channel. */
export interface Delivery {
  readonly id: string;
  readonly channel: engagementHttp.Channel;
  readonly category: engagementHttp.Category;
  readonly template: string;
  readonly userId: string | null;
  readonly email: string | null;
  readonly mail: Mail | null;
  /** The code of a code mail, encrypted until the mail is written. */
  readonly code: { readonly sealed: string; readonly expiresAt: Date } | null;
  /** Of all mails to a user for one purpose, only that with the highest sequence is worth sending. */
  readonly purpose: string | null;
  readonly sequence: number;
  readonly status: 'pending' | 'delivered' | 'failed' | 'expired' | 'superseded' | 'suppressed' | 'recorded';
  readonly reason: string | null;
  /** When a pending one is to be tried. While somebody tries, it is when others may: a lease. */
  readonly dueAt: Date | null;
  readonly attemptCount: number;
  /** How often a mail server has put it off. */
  readonly deferrals: number;
  /** How often in a row the mail server could not be reached. */
  readonly unreachable: number;
  /** The last ones. */
  readonly attempts: readonly Attempt[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deliveredAt: Date | null;
  /** A finished one is kept for a while, then it is gone. */
  readonly keptUntil: Date | null;
}

export type Draft = Pick<Delivery, 'id' | 'channel' | 'category' | 'template' | 'userId' | 'email' | 'mail'> &
  Partial<Pick<Delivery, 'code' | 'purpose' | 'sequence'>> & {
    readonly start:
      | { readonly status: 'pending'; readonly dueAt: Date }
      | { readonly status: 'delivered' }
      | { readonly status: 'recorded' | 'failed'; readonly reason: string };
  };

/** Whoever holds a delivery says again and again that they live; silent for so long, they have died. */
export const leaseMs = 15_000;
/** The mail to somebody who is erased: when it is over, nothing in its delivery tells whose it was. */
export const lastTemplate = 'account-erased';
const keptAttempts = 20;
const keptMs = 90 * 24 * 60 * 60 * 1000;

/** Requests a message: written once, however often it is asked for. */
export function request(current: Delivery | null, draft: Draft, now: Date): Decision<Delivery, Delivery> {
  if (current) return unchanged(current);
  const { start, ...fields } = draft;
  const delivery: Delivery = {
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
    ...about(delivery),
    recorded: start.status === 'recorded',
  });
  if (start.status === 'pending') return changed(delivery, [requested]);
  const ended = end(delivery, start.status, 'reason' in start ? start.reason : null, now);
  return changed(ended.state, [requested, ...ended.facts]);
}

/** Takes a delivery that is due, for a lease; null where there is nothing to send. */
export function claim(current: Delivery | null, now: Date): Decision<Delivery, Delivery | null> {
  if (current?.status !== 'pending' || current.dueAt === null || current.dueAt > now) return unchanged(null);
  if (current.code !== null && current.code.expiresAt <= now) {
    const expired = end(current, 'expired', 'code_expired', now);
    return changed(expired.state, expired.facts, null);
  }
  const claimed = { ...current, dueAt: new Date(now.getTime() + leaseMs) };
  return changed(claimed, [], claimed);
}

/** Goes on holding what was claimed. */
export function renew(current: Delivery | null, now: Date): Decision<Delivery, void> {
  if (current?.status !== 'pending') return unchanged(undefined);
  return changed({ ...current, dueAt: later(now, leaseMs) }, [], undefined);
}

/** Gives a delivery up without a try. */
export function giveUp(
  current: Delivery | null,
  status: 'failed' | 'superseded' | 'suppressed',
  reason: string,
  now: Date,
): Decision<Delivery, null> {
  if (current?.status !== 'pending') return unchanged(null);
  const ended = end(current, status, reason, now);
  return changed(ended.state, ended.facts, null);
}

/** Records a try and decides how it goes on. `random` is from 0 to 1. */
export function recordAttempt(
  current: Delivery | null,
  attempt: Attempt,
  now: Date,
  random: number,
): Decision<Delivery, Delivery | null> {
  if (current === null) return unchanged(null);
  const tried: Delivery = {
    ...current,
    attemptCount: current.attemptCount + 1,
    deferrals: current.deferrals + (attempt.outcome === 'deferred' ? 1 : 0),
    unreachable: attempt.outcome === 'unreachable' ? current.unreachable + 1 : 0,
    attempts: [...current.attempts, attempt].slice(-keptAttempts),
    updatedAt: now,
  };
  // Two who tried at once: the first to say so decided already.
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
export function isRetryable(delivery: Delivery): boolean {
  return (delivery.status === 'failed' || delivery.status === 'suppressed') && delivery.mail !== null;
}

/** Tries again what had failed, as if it were new. */
export function retry(current: Delivery, now: Date): Decision<Delivery, Delivery> {
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

function finish(delivery: Delivery, status: 'delivered' | 'failed', reason: string | null, now: Date) {
  const ended = end(delivery, status, reason, now);
  return changed(ended.state, ended.facts);
}

function end(
  delivery: Delivery,
  status: Exclude<Delivery['status'], 'pending'>,
  reason: string | null,
  now: Date,
): { state: Delivery; facts: Fact[] } {
  const state: Delivery = {
    ...delivery,
    status,
    reason,
    dueAt: null,
    // A failed one may be tried again, for as long as its code lives.
    code: status === 'failed' || status === 'suppressed' ? delivery.code : null,
    updatedAt: now,
    deliveredAt: status === 'delivered' ? now : null,
    keptUntil: later(now, keptMs),
    ...(delivery.template === lastTemplate ? { email: null, mail: null, attempts: [] } : {}),
  };
  const attempts = delivery.attemptCount;
  if (status === 'recorded') return { state, facts: [] };
  return {
    state,
    facts: [
      status === 'delivered'
        ? fact(engagementEvents.notificationDelivered, delivery.id, { ...about(delivery), attempts })
        : fact(engagementEvents.notificationFailed, delivery.id, {
            ...about(delivery),
            attempts,
            reason: reason ?? status,
          }),
    ],
  };
}

function about({
  channel,
  category,
  template,
  userId,
}: Pick<Delivery, 'channel' | 'category' | 'template' | 'userId'>) {
  return { channel, category, template, userId };
}

function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
