import { changed, fact, identityErrors, identityEvents, type Decision, type http } from '@storefront/contracts';
import { linkOf, type WayBack } from '../../domain/way-back.ts';
import { mayKeepSession } from '../../domain/admission.ts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { personOf, withEmail, type User } from '../../domain/user.ts';

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
 * Gives the user an email that was proved, and revokes all tokens. The way back is for the mail to the former one. Throws
 * `invalid_code` where the user may not log in any more, or has yet another email since.
 */
export function setEmail(
  current: User | null,
  { entered, from }: ProvedEmail,
  wayBack: WayBack | null,
  now: Date,
): Decision<User, EmailSet> {
  if (!current || !mayKeepSession(current) || current.email !== from) throw identityErrors.invalidCode();
  const next: User = { ...withEmail(current, entered), emailVerifiedAt: now, updatedAt: now };
  const { user, fact: revoked, revocation } = revokeAll(next, 'email-changed', now);
  const emailChanged = fact(identityEvents.emailChanged, user.id, {
    ...personOf(user),
    previousEmail: from,
    ...linkOf(wayBack),
  });
  return changed(user, [emailChanged, revoked], { user, revocation });
}
