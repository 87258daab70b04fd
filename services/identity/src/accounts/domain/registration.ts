import {
  changed,
  deleted,
  fact,
  identityErrors,
  identityEvents,
  readingOf,
  unchanged,
  type Decision,
  type Fact,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { maySendAgain, oneTimeCode, sealedCode, storedCode, withinHour, type NewCode } from '../../domain/code.ts';
import { personOf, storedApplicant, tradeDetails, type User } from '../../domain/user.ts';

/**
 * What a registration becomes. `new`: a new user. `again`: a new application of the user `of`, who was rejected or has
 * to send more details. `none`: nothing, since the email has an account; from outside it looks like any other
 * registration.
 */
const purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new') }),
  z.object({ kind: z.literal('again'), of: z.string() }),
  z.object({ kind: z.literal('none') }),
]);
export type RegistrationPurpose = StateOf<typeof purpose>;

/**
 * A request for an account, kept for a day. The request becomes a user only when its code is entered. Any number of
 * people may register the same email, each with their own password and code.
 */
export const storedRegistration = storedApplicant.extend({
  /** The digest of the secret id that the client has. */
  id: z.string(),
  /** The id of the user that the registration becomes. */
  userId: z.string(),
  /** A few bits derived from email and password, by which the registration is found for a person who enters both. */
  passwordTag: z.int(),
  /** The details that a business enters; null for a consumer. */
  trade: tradeDetails.nullable(),
  purpose,
  code: oneTimeCode,
  /** The times of the codes that were sent within the last hour. */
  codesSent: z.array(z.date()),
  createdAt: z.date(),
  expiresAt: z.date(),
});
export type Registration = StateOf<typeof storedRegistration>;

const registrationLifetimeMs = 24 * 60 * 60 * 1000;
const informedEveryMs = 60 * 60 * 1000;

/** The purpose of a registration, given the owner of its email. */
export function purposeFor(owner: User | null, isTrade: boolean): RegistrationPurpose {
  if (!owner) return { kind: 'new' };
  return isTrade && appliesAgain(owner) ? { kind: 'again', of: owner.id } : { kind: 'none' };
}

/** Whether the user may apply for a trade account once more. */
export function appliesAgain({ status }: User): boolean {
  return status === 'rejected' || status === 'info-requested';
}

/** Makes a registration with its first code, and the event that has the code mailed. */
export function newRegistration(
  draft: Omit<Registration, 'code' | 'codesSent' | 'createdAt' | 'expiresAt'>,
  code: NewCode,
  now: Date,
): { registration: Registration; facts: Fact[] } {
  const registration: Registration = {
    ...draft,
    code: storedCode(code, draft.id, 'verify', now),
    codesSent: [now],
    createdAt: now,
    expiresAt: new Date(now.getTime() + registrationLifetimeMs),
  };
  return { registration, facts: codeMail(registration, code, now, false) };
}

/** Whether another code is sent on request: at most one code a minute and five an hour. */
export function sendsAgain({ codesSent }: Registration, now: Date): boolean {
  return maySendAgain(codesSent, now);
}

/** Replaces the code by a new one. Changes nothing where it is too early for another code. */
export function sendCodeAgain(current: Registration | null, code: NewCode, now: Date): Decision<Registration, null> {
  if (!current || !sendsAgain(current, now)) return unchanged(null);
  const next: Registration = {
    ...current,
    code: storedCode(code, current.id, 'verify', now),
    codesSent: [...withinHour(current.codesSent, now), now],
  };
  return changed(next, codeMail(next, code, now, true), null);
}

/**
 * Deletes the registration. `codeId` is the id of the right code: throws `invalid_code` if that code was replaced
 * meanwhile.
 */
export function useUp(current: Registration | null, codeId: string): Decision<Registration, Registration> {
  if (!current || current.code.id !== codeId || current.purpose.kind === 'none') throw identityErrors.invalidCode();
  return deleted([], current);
}

/** Has the owner informed that somebody registers the owner's email, at most once an hour. */
export function reportAttempt(current: User | null, attempted: 'retail' | 'trade', now: Date): Decision<User, null> {
  if (!current || current.status === 'erasing') return unchanged(null);
  if (current.attemptToldAt && now.getTime() - current.attemptToldAt.getTime() < informedEveryMs)
    return unchanged(null);
  const attempt = fact(identityEvents.registrationAttempted, current.id, { ...personOf(current), attempted });
  return changed({ ...current, attemptToldAt: now }, [attempt], null);
}

function codeMail(registration: Registration, code: NewCode, now: Date, codeOnly: boolean): Fact[] {
  const { id, email, firstName, lastName, trade, purpose, createdAt } = registration;
  if (purpose.kind === 'none') return [];
  const person = { email, firstName, lastName, ...readingOf(registration) };
  const data = { ...person, ...sealedCode(code, now), registeredAt: createdAt.toISOString() };
  if (!trade) return [fact(identityEvents.userRegistered, id, data)];
  const { businessName } = trade;
  const appliesAgain = purpose.kind === 'again';
  return [fact(identityEvents.tradeAccountRegistered, id, { ...data, businessName, codeOnly, appliesAgain })];
}
