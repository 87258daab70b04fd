import {
  changed,
  deleted,
  fact,
  identityErrors,
  identityEvents,
  unchanged,
  type Decision,
  type Fact,
} from '@storefront/contracts';
import { maySendAgain, sealedCode, storedCode, withinHour, type NewCode, type StoredCode } from '../../domain/code.ts';
import { personOf, type Applicant, type User } from '../../domain/user.ts';
import type { TradeDetails } from '../../domain/trade-account.ts';

/**
 * Somebody's request for an account, for a day. It becomes a user when its code is proved, and never before: any number of
 * people may register the same email, each with a password and a code of their own.
 */
export interface Registration extends Applicant {
  /** The digest of the id that the client holds. */
  readonly id: string;
  /** The id of the user that it becomes. */
  readonly userId: string;
  /** A few bits that depend on email and password: they find the registration of somebody who enters both. */
  readonly passwordTag: number;
  /** What a business says about itself; null for a consumer. */
  readonly trade: TradeDetails | null;
  readonly purpose: RegistrationPurpose;
  readonly code: StoredCode;
  /** When codes were sent within the last hour. */
  readonly codesSent: readonly Date[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/**
 * `new`: a user whose email nobody has. `again`: the trade account of the user `of`, who was rejected or asked for more.
 * `none`: the email has an account, so that the registration becomes nothing; it looks like any other from outside.
 */
export type RegistrationPurpose =
  | { readonly kind: 'new' }
  | { readonly kind: 'again'; readonly of: string }
  | { readonly kind: 'none' };

const registrationLifetimeMs = 24 * 60 * 60 * 1000;
const toldAgainMs = 60 * 60 * 1000;

/** What a registration of the email can become, given who has the email. */
export function purposeFor(owner: User | null, isTrade: boolean): RegistrationPurpose {
  if (!owner) return { kind: 'new' };
  return isTrade && appliesAgain(owner) ? { kind: 'again', of: owner.id } : { kind: 'none' };
}

/** Whether the user may apply for a trade account once more. */
export function appliesAgain({ status }: User): boolean {
  return status === 'rejected' || status === 'info-requested';
}

/** A registration with its first code, and the event that has the code mailed. */
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

/** Whether another code is sent when it is asked for: not within a minute, and five an hour at most. */
export function sendsAgain({ codesSent }: Registration, now: Date): boolean {
  return maySendAgain(codesSent, now);
}

/** Replaces the code by another one. Changes nothing where that is too early. */
export function sendCodeAgain(current: Registration | null, code: NewCode, now: Date): Decision<Registration, null> {
  if (!current || !sendsAgain(current, now)) return unchanged(null);
  const next: Registration = {
    ...current,
    code: storedCode(code, current.id, 'verify', now),
    codesSent: [...withinHour(current.codesSent, now), now],
  };
  return changed(next, codeMail(next, code, now, true), null);
}

/** Uses the registration up. `codeId` is the code that was right: throws `invalid_code` where there is another by now. */
export function useUp(current: Registration | null, codeId: string): Decision<Registration, Registration> {
  if (!current || current.code.id !== codeId || current.purpose.kind === 'none') throw identityErrors.invalidCode();
  return deleted([], current);
}

/** Tells the owner of an email that somebody registers it, once an hour. */
export function reportAttempt(current: User | null, attempted: 'retail' | 'trade', now: Date): Decision<User, null> {
  if (!current || current.status === 'erasing') return unchanged(null);
  if (current.attemptToldAt && now.getTime() - current.attemptToldAt.getTime() < toldAgainMs) return unchanged(null);
  const told = fact(identityEvents.registrationAttempted, current.id, { ...personOf(current), attempted });
  return changed({ ...current, attemptToldAt: now }, [told], null);
}

function codeMail(registration: Registration, code: NewCode, now: Date, codeOnly: boolean): Fact[] {
  const { id, email, firstName, lastName, trade, purpose, createdAt } = registration;
  if (purpose.kind === 'none') return [];
  const data = { email, firstName, lastName, ...sealedCode(code, now), registeredAt: createdAt.toISOString() };
  if (!trade) return [fact(identityEvents.userRegistered, id, data)];
  const { businessName } = trade;
  const appliesAgain = purpose.kind === 'again';
  return [fact(identityEvents.tradeAccountRegistered, id, { ...data, businessName, codeOnly, appliesAgain })];
}
