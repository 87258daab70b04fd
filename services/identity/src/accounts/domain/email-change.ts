import {
  changed,
  fact,
  http,
  identityErrors,
  identityEvents,
  unchanged,
  type Decision,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import {
  codeRules,
  codeTimes,
  hourMs,
  maySendAgain,
  oneTimeCode,
  sealedCode,
  storedCode,
  withinHour,
  type NewCode,
} from '../../domain/code.ts';
import { mayKeepSession } from '../../domain/admission.ts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { emailOf, personOf, withEmail, type User } from '../../domain/user.ts';
import { revertLinkFields, type RevertLink } from '../../domain/revert-link.ts';

/** A user's request for another email. A user has at most one such request. */
export const storedEmailChange = http.emailForms.extend({
  /** The user's id. */
  id: z.string(),
  changeId: z.string(),
  /** Null after the code was used. Where another account has the email, the code was mailed to nobody. */
  code: oneTimeCode.nullable(),
  /** The times of the codes that were sent within the last hour. */
  codesSent: z.array(z.date()),
  expiresAt: z.date(),
});
export type EmailChange = StateOf<typeof storedEmailChange>;

interface Request {
  readonly changeId: string;
  readonly entered: http.EnteredEmail;
  readonly code: NewCode;
  /** The id of the other user who has the email; null where nobody has it. */
  readonly ownerId: string | null;
}

/**
 * Requests another email for the user. Has a code mailed to that email or, where another user has the email, has that
 * user informed. A request replaces the previous one; repeating the same request changes nothing. Throws
 * `too_many_email_changes` where too many codes were sent.
 */
export function requestEmailChange(
  current: EmailChange | null,
  user: User,
  { changeId, entered, code, ownerId }: Request,
  now: Date,
): Decision<EmailChange, EmailChange> {
  if (current?.changeId === changeId) return unchanged(current);
  const sent = withinHour(current?.codesSent ?? [], now);
  if (!maySendAgain(sent, now))
    throw identityErrors.tooManyEmailChanges().with({ retryAfterSeconds: waitSeconds(sent, now) });
  const next: EmailChange = {
    id: user.id,
    changeId,
    ...emailOf(entered),
    code: storedCode(code, changeId, 'change-email', now),
    codesSent: [...sent, now],
    expiresAt: new Date(now.getTime() + hourMs),
  };
  const { email } = entered;
  const event =
    ownerId === null
      ? fact(identityEvents.emailChangeRequested, user.id, { ...personOf(user), email, ...sealedCode(code, now) })
      : fact(identityEvents.emailChangeAttempted, ownerId, { email });
  return changed(next, [event]);
}

/** Marks the request as used. Throws `invalid_code` where the code was used or replaced meanwhile. */
export function useUpChange(current: EmailChange | null, codeId: string): Decision<EmailChange, null> {
  if (current?.code?.id !== codeId) throw identityErrors.invalidCode();
  return changed({ ...current, code: null }, [], null);
}

/** When the last sent code expires, and when the next code may be requested. */
export function timesOf({ codesSent, expiresAt }: EmailChange): { expiresAt: Date; resendAfter: Date } {
  return codeTimes(codesSent.at(-1) ?? expiresAt);
}

interface ProvedEmail {
  readonly entered: http.EnteredEmail;
  /** The former email. */
  readonly from: string;
}

export interface EmailSet {
  readonly user: User;
  readonly revocation: Revocation;
}

/**
 * Gives the user an email that was proved, and revokes all tokens. The mail to the former email has the revert link.
 * Throws `invalid_code` where the user may no longer log in, or has changed the email meanwhile.
 */
export function setEmail(
  current: User | null,
  { entered, from }: ProvedEmail,
  revertLink: RevertLink | null,
  now: Date,
): Decision<User, EmailSet> {
  if (!current || !mayKeepSession(current) || current.email !== from) throw identityErrors.invalidCode();
  const next: User = { ...withEmail(current, entered), emailVerifiedAt: now, updatedAt: now };
  const { user, fact: revoked, revocation } = revokeAll(next, 'email-changed', now);
  const emailChanged = fact(identityEvents.emailChanged, user.id, {
    ...personOf(user),
    previousEmail: from,
    ...revertLinkFields(revertLink),
  });
  return changed(user, [emailChanged, revoked], { user, revocation });
}

function waitSeconds(sent: readonly Date[], now: Date): number {
  const [oldest = now] = sent;
  const isFull = sent.length >= codeRules.sentPerHour;
  const until = isFull ? oldest.getTime() + hourMs : (sent.at(-1) ?? now).getTime() + codeRules.cooldownMs;
  return (until - now.getTime()) / 1000;
}
