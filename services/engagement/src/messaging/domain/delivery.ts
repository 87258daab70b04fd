import {
  changed,
  engagementErrors,
  engagementEvents,
  engagementHttp,
  eventRecordDays,
  fact,
  notFound,
  reading,
  unchanged,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { lanes } from './lane.ts';
import { messageSegments } from './segments.ts';
import { handoverOutcomes } from './outgoing-mail.ts';
import type { TemplatedMail } from './render-mail.ts';
import { deferralDelay, doubtDelay, unreachableDelay, type DoubtDelays } from './retry-delays.ts';

/** One attempt to hand a mail over. */
const attempt = z.object({
  at: z.date(),
  outcome: z.enum(handoverOutcomes),
  /** The server's answer, or the error before an answer came. */
  answer: z.string(),
  milliseconds: z.int(),
});
export type Attempt = StateOf<typeof attempt>;

/** One message to one recipient over one channel. */
export const messageDelivery = z.object({
  id: z.string(),
  channel: engagementHttp.channel,
  category: engagementHttp.category,
  template: z.string(),
  userId: z.string().nullable(),
  /** The recipient's segment, for statistics. Missing where the segment is not known. */
  segment: z.enum(messageSegments).optional(),
  email: z.string().nullable(),
  /** How the reader of the mail wants to be written to. */
  ...reading,
  mail: z.custom<TemplatedMail>().nullable(),
  /** The encrypted code of a mail with a code; null for other mails. */
  code: z.object({ sealed: z.string(), expiresAt: z.date() }).nullable(),
  /** Of all mails to a user with the same purpose, only the one with the highest `sequence` is worth sending. */
  purpose: z.string().nullable(),
  sequence: z.int(),
  status: engagementHttp.deliveryStatus,
  reason: z.string().nullable(),
  lane: z.enum(lanes),
  /** The announcement that the mail belongs to, or null. */
  announcementId: z.string().nullable(),
  /** When a pending delivery is due, by the database's clock; null while an instance holds the delivery. */
  dueAt: z.date().nullable(),
  /** The instance that holds the delivery, by the id of its lease. */
  holder: z.string().nullable(),
  /**
   * The id of the attempt that was about to send the end of the mail, or has sent it. From then on, until the attempt
   * is recorded, only the mail server knows whether it has the mail.
   */
  ending: z.string().nullable(),
  /** How many attempts have ended in doubt: it is unknown whether the mail server has the mail. */
  inDoubt: z.int(),
  attemptCount: z.int(),
  /** How often a mail server has deferred the mail, or the connection was lost before the end of the mail. */
  deferrals: z.int(),
  /** How many attempts in a row could not reach the mail server. */
  unreachable: z.int(),
  /** The last 20 attempts. */
  attempts: z.array(attempt),
  createdAt: z.date(),
  updatedAt: z.date(),
  deliveredAt: z.date().nullable(),
  /** When a delivery that has ended will be deleted. */
  keptUntil: z.date().nullable(),
});
export interface MessageDelivery extends Omit<StateOf<typeof messageDelivery>, 'mail'> {
  readonly mail: TemplatedMail | null;
}

export type NewDelivery = Pick<
  MessageDelivery,
  'id' | 'channel' | 'category' | 'template' | 'userId' | 'email' | 'mail'
> &
  Partial<
    Pick<MessageDelivery, 'segment' | 'locale' | 'timeZone' | 'code' | 'purpose' | 'sequence' | 'announcementId'>
  > & {
    readonly start:
      | { readonly status: 'pending'; readonly dueAt: Date }
      | { readonly status: 'delivered' }
      | { readonly status: 'recorded' | 'failed'; readonly reason: string };
  };

/** One attempt of one instance to send a delivery. */
export interface Claim {
  /** The instance that makes the attempt, by the id of its lease. */
  readonly holder: string;
  readonly attempt: string;
}

/**
 * The template of the last mail to an erased user. Once its delivery has ended, the delivery has no address and no
 * answers.
 */
export const lastMailTemplate = 'account-erased';
const maxAttemptsKept = 20;
const inDoubtReason = 'in_doubt';
const lostSender = 'the sender ended before it knew the answer of the mail server';
// Deliveries are kept as long as records of events. So an event that arrives again still finds its delivery, and sends
// nothing.
const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;

const verification = 'verification ';
/** Returns the purpose of the mails with the code of the registration. */
export const verificationOf = (registrationId: string): string => `${verification}${registrationId}`;
/** Returns the id of the registration whose code mails have this purpose; null where it is another purpose. */
export const registrationOf = (purpose: string | null): string | null =>
  purpose?.startsWith(verification) ? purpose.slice(verification.length) : null;

/** Returns when a delivery that ends now is to be deleted. */
export const keptUntil = (now: Date): Date => later(now, keptMs);

/** Creates a delivery; an existing delivery does not change. */
export function createDelivery(
  current: MessageDelivery | null,
  added: NewDelivery,
  now: Date,
): Decision<MessageDelivery, MessageDelivery> {
  return current ? unchanged(current) : decided(beginDelivery(added, now));
}

/** Returns a new delivery and the facts about it. */
export function beginDelivery({ start, ...fields }: NewDelivery, now: Date): Next {
  const delivery: MessageDelivery = {
    code: null,
    purpose: null,
    sequence: 0,
    announcementId: null,
    ...fields,
    status: 'pending',
    reason: null,
    lane: fields.announcementId ? 'announcement' : 'transactional',
    dueAt: start.status === 'pending' ? start.dueAt : null,
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

/** Whether the delivery waits to be sent and its time has come. `now` is the database's time. */
export function isDue(delivery: MessageDelivery, now: Date): boolean {
  const { status, dueAt } = delivery;
  return status === 'pending' && dueAt !== null && dueAt <= now;
}

/** The data with which a sender claims a delivery. */
interface ClaimInput extends Claim {
  /** Whether the claim also marks the mail, as `markEnding` does. */
  readonly marks: boolean;
  /** The instance that held the delivery and has ended, or null. */
  readonly endedHolder: string | null;
  /** The database's time. */
  readonly now: Date;
  readonly doubtDelays: DoubtDelays;
}

/**
 * Takes a delivery that is due, or whose holder has ended; the result is null where there is nothing to send. Where the
 * mail server may have the mail already, the delivery is not taken but waits, so that a holder that was only halted can
 * still record the answer.
 */
export function claimDelivery(
  current: MessageDelivery | null,
  { holder, attempt, marks, endedHolder, now, doubtDelays }: ClaimInput,
): Decision<MessageDelivery, MessageDelivery | null> {
  if (current?.status !== 'pending') return unchanged(null);
  const { holder: heldBy, ending, dueAt } = current;
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
  return changed({ ...current, dueAt: null, holder, ending: marks ? attempt : null }, []);
}

/**
 * Stores in the delivery that the end of the mail is about to be sent. The result is null where the instance does not
 * hold the delivery any more; then the instance must not send the end.
 */
export function markEnding(
  current: MessageDelivery | null,
  claim: Claim,
): Decision<MessageDelivery, MessageDelivery | null> {
  if (current === null || !holds(current, claim)) return unchanged(null);
  return changed({ ...current, ending: claim.attempt }, []);
}

/** Ends a delivery without an attempt. Does nothing for an instance that does not hold the delivery. */
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
 * Makes a delivery due again where the end of its mail was certainly not sent, also where the delivery is in doubt only
 * because of this attempt. Where this attempt does not hold a pending delivery, the delivery is saved without changes.
 * That makes a new version, so a claim that is still on its way to the database fails.
 */
export function releaseDelivery(
  current: MessageDelivery | null,
  claim: Claim,
  now: Date,
): Decision<MessageDelivery, null> {
  if (current === null) return unchanged(null);
  if (holds(current, claim)) return changed({ ...current, dueAt: now, holder: null, ending: null }, [], null);
  if (current.status !== 'pending') return unchanged(null);
  if (!isInDoubtAbout(current, claim)) return changed(current, [], null);
  return changed({ ...current, dueAt: now, ending: null, inDoubt: current.inDoubt - 1 }, [], null);
}

interface Recording {
  readonly now: Date;
  /** A random number from 0 to 1, which varies the delay before the next try. */
  readonly random: number;
  readonly doubtDelays: DoubtDelays;
}

/**
 * Records an attempt and decides what follows. Where the instance has lost the delivery, its attempt counts only if it
 * was about to send the end of the mail and no other attempt has begun since. Then the answer to the attempt ends the
 * doubt.
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
  return decided(afterAttempt({ ...tried(current, attempt, now), inDoubt: current.inDoubt - 1 }));

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

/** Whether the delivery is in doubt because the result of that attempt is unknown. */
function isInDoubtAbout({ status, reason, holder, ending }: MessageDelivery, { attempt }: Claim): boolean {
  if (holder !== null || ending !== attempt) return false;
  return status === 'pending' || (status === 'failed' && reason === inDoubtReason);
}

/** Returns the delivery with one more attempt. */
function tried(delivery: MessageDelivery, attempt: Attempt, now: Date): MessageDelivery {
  const { outcome } = attempt;
  return {
    ...delivery,
    attemptCount: delivery.attemptCount + 1,
    deferrals: delivery.deferrals + (outcome === 'deferred' || outcome === 'interrupted' ? 1 : 0),
    unreachable: outcome === 'unreachable' ? delivery.unreachable + 1 : 0,
    inDoubt: delivery.inDoubt + (outcome === 'in_doubt' ? 1 : 0),
    attempts: [...delivery.attempts, attempt].slice(-maxAttemptsKept),
    updatedAt: now,
  };
}

/**
 * Decides what follows from an attempt in doubt. `ending` keeps the attempt, because its sender may still record the
 * answer.
 */
function afterDoubt(delivery: MessageDelivery, now: Date, delays: DoubtDelays): Next {
  const { ending } = delivery;
  const delay = doubtDelay(delays, delivery.inDoubt);
  const { state, facts } = delay === null ? end(delivery, 'failed', inDoubtReason, now) : pending(delivery, delay, now);
  return { state: { ...state, ending }, facts };
}

function pending(delivery: MessageDelivery, delayMs: number, now: Date): Next {
  return { state: { ...delivery, dueAt: later(now, delayMs), holder: null, ending: null }, facts: [] };
}

function decided({ state, facts }: Next): Decision<MessageDelivery, MessageDelivery> {
  return changed(state, facts);
}

/**
 * Ends a pending delivery that no instance holds. A delivery that is held, or whose mail the mail server may have, does
 * not change: its sender checks again before it sends. Returns whether the delivery was ended.
 */
export function withdrawDelivery(
  current: MessageDelivery | null,
  reason: string,
  now: Date,
): Decision<MessageDelivery, boolean> {
  if (current?.status !== 'pending') return unchanged(false);
  const { holder, ending } = current;
  if (holder !== null || ending !== null) return unchanged(false);
  const ended = end(current, 'suppressed', reason, now);
  return changed(ended.state, ended.facts, true);
}

/** The reason of a delivery that was not sent because its announcement was stopped. */
export const announcementStopped = 'announcement_stopped';

/** Whether staff may have the delivery sent again. */
export function isRetryable({ status, mail, reason }: MessageDelivery): boolean {
  return (status === 'failed' || status === 'suppressed') && mail !== null && reason !== announcementStopped;
}

/**
 * Makes a failed or suppressed delivery pending again. It may be tried as often as a new one. Throws where there is no
 * such delivery, or where it can't be sent again.
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
    dueAt: null,
    holder: null,
    ending: null,
    // The content is kept only where the delivery may be retried.
    mail: mayBeRetried ? delivery.mail : null,
    code: mayBeRetried ? delivery.code : null,
    updatedAt: now,
    deliveredAt: status === 'delivered' ? now : null,
    keptUntil: keptUntil(now),
  };
  return { state: state.template === lastMailTemplate ? withoutPerson(state) : state, facts: endedFacts(state) };
}

/** The delivery without anything that says to whom it went. */
function withoutPerson({ locale: _locale, timeZone: _timeZone, ...delivery }: MessageDelivery): MessageDelivery {
  return { ...delivery, email: null, mail: null, attempts: [] };
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
