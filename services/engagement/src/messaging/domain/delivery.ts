import {
  changed,
  engagementErrors,
  engagementEvents,
  eventRecordDays,
  fact,
  notFound,
  unchanged,
  type Decision,
  type engagementHttp,
  type Fact,
} from '@storefront/contracts';
import type { HandoverResult } from './outgoing-mail.ts';
import type { TemplatedMail } from './render-mail.ts';
import type { MessageSegment } from './message-segment.ts';
import { dueAtOf, dueFrom } from './lane.ts';
import { deferralDelay, doubtDelay, unreachableDelay, type DoubtDelays } from './retry-delays.ts';

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
  /** Of the recipient, for statistics. Missing where it is not known, and in deliveries of the former version. */
  readonly segment?: MessageSegment;
  readonly email: string | null;
  readonly mail: TemplatedMail | null;
  /** The code of a code mail, encrypted. */
  readonly code: { readonly sealed: string; readonly expiresAt: Date } | null;
  /** Of all mails to a user with the same purpose, only the one with the highest sequence is worth sending. */
  readonly purpose: string | null;
  readonly sequence: number;
  readonly status: 'pending' | 'delivered' | 'failed' | 'expired' | 'superseded' | 'suppressed' | 'recorded';
  readonly reason: string | null;
  /** When a pending one is due, by the database's clock; null while an instance holds it. `dueAtOf` reads it. */
  readonly dueAt: Date | null;
  /** The announcement whose mail it is. Such a delivery has a lane of its own. */
  readonly announcementId?: string;
  /**
   * When a pending one of an announcement is due, in place of `dueAt`: instances of the former version, which know only that,
   * find nothing that they could not write.
   */
  readonly announceAt?: Date | null;
  /** The instance that holds it, by the id of its lease. Deliveries of the former version lack it. */
  readonly holder?: string | null;
  /**
   * The attempt that was about to give the mail its end, or has: from then on only the mail server knows whether it has
   * the mail, until the attempt is recorded. Deliveries of the former version lack it.
   */
  readonly ending?: string | null;
  /** How many attempts have ended in doubt. Deliveries of the former version lack it. */
  readonly inDoubt?: number;
  readonly attemptCount: number;
  /** How often a mail server has deferred it, or the connection was lost before its end. */
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
  Partial<Pick<MessageDelivery, 'segment' | 'code' | 'purpose' | 'sequence' | 'announcementId'>> & {
    readonly start:
      | { readonly status: 'pending'; readonly dueAt: Date }
      | { readonly status: 'delivered' }
      | { readonly status: 'recorded' | 'failed'; readonly reason: string };
  };

/** One attempt of one instance. */
export interface Claim {
  /** The instance, by the id of its lease. */
  readonly holder: string;
  readonly attempt: string;
}

/** The last mail to an erased user: once its delivery has ended, it holds neither address nor answers. */
export const lastMailTemplate = 'account-erased';
const maxAttemptsKept = 20;
const inDoubtReason = 'in_doubt';
const lostSender = 'the sender ended before it knew the answer of the mail server';
// An event that is delivered again finds its delivery, and sends nothing.
const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;

const verification = 'verification ';
/** The purpose of the mails with the code of that registration. */
export const verificationOf = (registrationId: string): string => `${verification}${registrationId}`;
/** The registration whose code mails have that purpose, or null. */
export const registrationOf = (purpose: string | null): string | null =>
  purpose?.startsWith(verification) ? purpose.slice(verification.length) : null;

/** When a delivery that ends now is deleted. */
export const keptUntil = (now: Date): Date => later(now, keptMs);

/** Creates a delivery; one that exists already stays as it is. */
export function createDelivery(
  current: MessageDelivery | null,
  added: NewDelivery,
  now: Date,
): Decision<MessageDelivery, MessageDelivery> {
  return current ? unchanged(current) : decided(beginDelivery(added, now));
}

/** A new delivery, and the facts about it. */
export function beginDelivery({ start, ...fields }: NewDelivery, now: Date): Next {
  const delivery: MessageDelivery = {
    code: null,
    purpose: null,
    sequence: 0,
    ...fields,
    status: 'pending',
    reason: null,
    ...dueFrom(fields, start.status === 'pending' ? start.dueAt : null),
    holder: null,
    ending: null,
    inDoubt: 0,
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
  if (start.status === 'pending') return { state: delivery, facts: [requested] };
  const ended = end(delivery, start.status, 'reason' in start ? start.reason : null, now);
  return { state: ended.state, facts: [requested, ...ended.facts] };
}

/** Whether it waits to be sent and its time has come. `now` is the database's time. */
export function isDue(delivery: MessageDelivery, now: Date): boolean {
  const dueAt = dueAtOf(delivery);
  return delivery.status === 'pending' && dueAt !== null && dueAt <= now;
}

/** What a sender knows when it takes a delivery. */
interface Taking extends Claim {
  /** Whether the mail is marked at once, as by `markEnding`. */
  readonly marks: boolean;
  /** The instance that held it and has ended, or null. */
  readonly endedHolder: string | null;
  /** The database's time. */
  readonly now: Date;
  readonly doubtDelays: DoubtDelays;
}

/**
 * Takes a delivery that is due, or whose holder has ended; the result is null where there is nothing to send. Where the
 * mail server may have the mail already, it waits, so that a holder that was only halted can record the answer.
 */
export function claimDelivery(
  current: MessageDelivery | null,
  { holder, attempt, marks, endedHolder, now, doubtDelays }: Taking,
): Decision<MessageDelivery, MessageDelivery | null> {
  if (current?.status !== 'pending') return unchanged(null);
  const { holder: heldBy = null, ending = null } = current;
  const dueAt = dueAtOf(current);
  if (dueAt === null ? heldBy === null || heldBy !== endedHolder : dueAt > now) return unchanged(null);
  if (heldBy !== null && ending !== null) {
    const lost: Attempt = { at: now, outcome: 'in_doubt', answer: lostSender, milliseconds: 0 };
    const { state, facts } = afterDoubt(tried(current, lost, now), now, doubtDelays);
    return changed(state, facts, null);
  }
  if (current.code !== null && current.code.expiresAt <= now) {
    const expired = end(current, 'expired', 'code_expired', now);
    return changed(expired.state, expired.facts, null);
  }
  return changed({ ...current, ...dueFrom(current, null), holder, ending: marks ? attempt : null }, []);
}

/**
 * Marks that the mail is about to get its end. The result is null where the instance does not hold the delivery any
 * more: then the mail must not get it.
 */
export function markEnding(
  current: MessageDelivery | null,
  claim: Claim,
): Decision<MessageDelivery, MessageDelivery | null> {
  if (current === null || !holds(current, claim)) return unchanged(null);
  return changed({ ...current, ending: claim.attempt }, []);
}

/** Ends a delivery without an attempt, for its holder only. */
export function cancelDelivery(
  current: MessageDelivery | null,
  claim: Claim,
  status: 'failed' | 'superseded' | 'suppressed',
  reason: string,
  now: Date,
): Decision<MessageDelivery, null> {
  if (current === null || !holds(current, claim)) return unchanged(null);
  const ended = end(current, status, reason, now);
  return changed(ended.state, ended.facts, null);
}

/**
 * Gives a delivery back whose mail has certainly not got its end: it is due again. Also where another instance holds the
 * mail in doubt that this attempt had marked. A pending one that is not held so is written unchanged: the claim may still
 * be on its way to the database, where it finds another version then and fails.
 */
export function releaseDelivery(
  current: MessageDelivery | null,
  claim: Claim,
  now: Date,
): Decision<MessageDelivery, null> {
  if (current === null) return unchanged(null);
  const due = dueFrom(current, now);
  if (holds(current, claim)) return changed({ ...current, ...due, holder: null, ending: null }, [], null);
  if (current.status !== 'pending') return unchanged(null);
  if (!isInDoubtAbout(current, claim)) return changed(current, [], null);
  return changed({ ...current, ...due, ending: null, inDoubt: (current.inDoubt ?? 0) - 1 }, [], null);
}

interface Recording {
  readonly now: Date;
  /** From 0 to 1. */
  readonly random: number;
  readonly doubtDelays: DoubtDelays;
}

/**
 * Records an attempt and decides what follows from it. An attempt of an instance that has lost the delivery counts only
 * where it had marked the mail and no other attempt has begun since: then its answer ends the doubt.
 */
export function recordAttempt(
  current: MessageDelivery | null,
  claim: Claim,
  attempt: Attempt,
  { now, random, doubtDelays }: Recording,
): Decision<MessageDelivery, MessageDelivery | null> {
  if (current === null) return unchanged(null);
  if (holds(current, claim)) return decided(afterAttempt(tried(current, attempt, now)));
  const isAnswer = attempt.outcome === 'accepted' || (attempt.outcome !== 'in_doubt' && current.status === 'pending');
  if (!isInDoubtAbout(current, claim) || !isAnswer) return unchanged(current);
  return decided(afterAttempt({ ...tried(current, attempt, now), inDoubt: (current.inDoubt ?? 0) - 1 }));

  function afterAttempt(delivery: MessageDelivery): Next {
    switch (attempt.outcome) {
      case 'accepted':
        return end(delivery, 'delivered', null, now);
      case 'refused':
        return end(delivery, 'failed', 'refused', now);
      case 'unreachable':
        return pending(delivery, unreachableDelay(delivery.unreachable), now);
      case 'in_doubt':
        return afterDoubt(delivery, now, doubtDelays);
      case 'deferred':
      case 'interrupted': {
        const delay = deferralDelay(delivery.deferrals, random);
        return delay === null ? end(delivery, 'failed', 'deferred_too_long', now) : pending(delivery, delay, now);
      }
    }
  }
}

function holds(current: MessageDelivery, { holder }: Claim): boolean {
  return current.status === 'pending' && current.holder === holder;
}

/** Whether the delivery is in doubt because nobody knows how that attempt went. */
function isInDoubtAbout({ status, reason, holder = null, ending }: MessageDelivery, { attempt }: Claim): boolean {
  if (holder !== null || ending !== attempt) return false;
  return status === 'pending' || (status === 'failed' && reason === inDoubtReason);
}

/** The delivery with one more attempt. */
function tried(delivery: MessageDelivery, attempt: Attempt, now: Date): MessageDelivery {
  const { outcome } = attempt;
  return {
    ...delivery,
    attemptCount: delivery.attemptCount + 1,
    deferrals: delivery.deferrals + (outcome === 'deferred' || outcome === 'interrupted' ? 1 : 0),
    unreachable: outcome === 'unreachable' ? delivery.unreachable + 1 : 0,
    inDoubt: (delivery.inDoubt ?? 0) + (outcome === 'in_doubt' ? 1 : 0),
    attempts: [...delivery.attempts, attempt].slice(-maxAttemptsKept),
    updatedAt: now,
  };
}

/** What follows from an attempt in doubt. The attempt stays named: its sender may still record the answer. */
function afterDoubt(delivery: MessageDelivery, now: Date, delays: DoubtDelays): Next {
  const { ending = null } = delivery;
  const delay = doubtDelay(delays, delivery.inDoubt ?? 0);
  const { state, facts } = delay === null ? end(delivery, 'failed', inDoubtReason, now) : pending(delivery, delay, now);
  return { state: { ...state, ending }, facts };
}

function pending(delivery: MessageDelivery, delayMs: number, now: Date): Next {
  const due = dueFrom(delivery, later(now, delayMs));
  return { state: { ...delivery, ...due, holder: null, ending: null }, facts: [] };
}

function decided({ state, facts }: Next): Decision<MessageDelivery, MessageDelivery> {
  return changed(state, facts);
}

/**
 * Ends a delivery that nobody is busy with. One that an instance holds, or whose mail the mail server may have, stays: its
 * sender finds out by itself. Returns whether it was ended.
 */
export function withdrawDelivery(
  current: MessageDelivery | null,
  reason: string,
  now: Date,
): Decision<MessageDelivery, boolean> {
  if (current?.status !== 'pending') return unchanged(false);
  const { holder = null, ending = null } = current;
  if (holder !== null || ending !== null) return unchanged(false);
  const ended = end(current, 'suppressed', reason, now);
  return changed(ended.state, ended.facts, true);
}

/** The reason of what was not sent because its announcement was stopped. */
export const announcementStopped = 'announcement_stopped';

/** Whether an administrator may have it tried again. */
export function isRetryable({ status, mail, reason }: MessageDelivery): boolean {
  return (status === 'failed' || status === 'suppressed') && mail !== null && reason !== announcementStopped;
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
      ...dueFrom(current, now),
      deferrals: 0,
      unreachable: 0,
      updatedAt: now,
      keptUntil: null,
    },
    [],
  );
}

/** A delivery after a decision, and the facts about it. */
interface Next {
  readonly state: MessageDelivery;
  readonly facts: Fact[];
}

function end(
  delivery: MessageDelivery,
  status: Exclude<MessageDelivery['status'], 'pending'>,
  reason: string | null,
  now: Date,
): Next {
  const mayBeRetried = status === 'failed' || status === 'suppressed';
  const state: MessageDelivery = {
    ...delivery,
    status,
    reason,
    ...dueFrom(delivery, null),
    holder: null,
    ending: null,
    // Nobody needs the content of any other one again.
    mail: mayBeRetried ? delivery.mail : null,
    code: mayBeRetried ? delivery.code : null,
    updatedAt: now,
    deliveredAt: status === 'delivered' ? now : null,
    keptUntil: keptUntil(now),
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

function eventData({ channel, category, template, userId, segment }: MessageDelivery) {
  return { channel, category, template, userId, ...(segment && { segment }) };
}

function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
