import { changed, fact, identityErrors, identityEvents, unchanged } from '@storefront/contracts';
import type { Decision, http } from '@storefront/contracts';
import { mayKeepSession } from '../../domain/admission.ts';
import { revokeAll } from '../../domain/revocation.ts';
import type { Revocation } from '../../domain/revocation.ts';
import { emailOf, personOf, withEmail } from '../../domain/user.ts';
import type { User } from '../../domain/user.ts';
import { withoutFactor } from '../../factors/domain/factors.ts';
import type { Factors } from '../../factors/domain/factors.ts';

/** The way back to a former email, for 7 days. */
export interface Reversal extends http.EnteredEmail {
  /** The hash of the code in the mail's link. */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface ProvedEmail {
  readonly entered: http.EnteredEmail;
  /** The former email. */
  readonly from: string;
  readonly sealedLink: string;
  readonly linkExpiresAt: Date;
}

export interface EmailSet {
  readonly user: User;
  readonly revocation: Revocation;
}

const reversalRules = {
  lifetimeMs: 7 * 24 * 60 * 60 * 1000,
  /** How many a user has at most: beyond, the email can't be changed until the oldest one expires. */
  perUser: 5,
} as const;

export function newReversal(linkHash: string, user: User, now: Date): Reversal {
  const expiresAt = new Date(now.getTime() + reversalRules.lifetimeMs);
  return { id: linkHash, userId: user.id, ...emailOf(user), createdAt: now, expiresAt };
}

/** Throws `too_many_email_changes` where the user has as many ways back as there may be. */
export function assertRoomForReversal(reversals: readonly Reversal[], now: Date): void {
  if (reversals.length < reversalRules.perUser) return;
  const free = Math.min(...reversals.map(({ expiresAt }) => expiresAt.getTime()));
  throw identityErrors.tooManyEmailChanges().with({ retryAfterSeconds: (free - now.getTime()) / 1000 });
}

/**
 * Gives the user an email that was proved, and revokes all tokens. `sealedLink` is the way back, for the mail to the former
 * one. Throws `invalid_code` where the user may not log in any more, or has yet another email since.
 */
export function setEmail(
  current: User | null,
  { entered, from, sealedLink, linkExpiresAt }: ProvedEmail,
  now: Date,
): Decision<User, EmailSet> {
  if (!current || !mayKeepSession(current) || current.email !== from) throw identityErrors.invalidCode();
  const next: User = { ...withEmail(current, entered), emailVerifiedAt: now, updatedAt: now };
  const { user, fact: revoked, revocation } = revokeAll(next, 'email-changed', now);
  const emailChanged = fact(identityEvents.emailChanged, user.id, {
    ...personOf(user),
    previousEmail: from,
    how: 'change',
    sealedCode: sealedLink,
    linkExpiresAt: linkExpiresAt.toISOString(),
  });
  return changed(user, [emailChanged, revoked], { user, revocation });
}

/**
 * Puts the former email back, replaces the password by `unknownHash`, whose password nobody knows, and revokes all tokens.
 * Throws `invalid_revert_token` where the user is being erased.
 */
export function putEmailBack(
  current: User | null,
  former: Reversal,
  unknownHash: string,
  now: Date,
): Decision<User, EmailSet> {
  if (!current || current.status === 'erasing') throw identityErrors.invalidRevertToken();
  const next: User = {
    ...withEmail(current, former),
    passwordHash: unknownHash,
    emailVerifiedAt: now,
    updatedAt: now,
  };
  const { user, fact: revoked, revocation } = revokeAll(next, 'email-reverted', now);
  const data = { ...personOf(user), previousEmail: current.email, how: 'revert' } as const;
  return changed(user, [fact(identityEvents.emailChanged, user.id, data), revoked], { user, revocation });
}

/** Removes the factors that were added since: whoever changed the email may have added them. */
export function dropFactorsSince(current: Factors | null, since: Date): Decision<Factors, null> {
  if (!current) return unchanged(null);
  const passkeys = current.passkeys.filter(({ createdAt }) => createdAt < since);
  const totp = current.totp && current.totp.confirmedAt < since ? current.totp : null;
  const next: Factors = { ...current, totp, pendingTotp: null, passkeys };
  return changed(withoutFactor(next, false), [], null);
}
