import { changed, fact, identityErrors, identityEvents, readingOf, type Decision } from '@storefront/contracts';
import { revokeAll, type Revocation } from '../../domain/revocation.ts';
import { newUser, personOf, type User } from '../../domain/user.ts';
import { appliesAgain, type Registration } from './registration.ts';
import { submitted, withApplication } from '../../domain/trade-account.ts';

export interface Proved {
  readonly user: User;
  /** Null for a new user, who has no tokens yet. */
  readonly revocation: Revocation | null;
}

/**
 * Makes a user of a registration after its code was right. If a trade applicant has applied again, replaces the
 * applicant's old application and password instead. Throws `invalid_code` where this user may no longer apply again.
 */
export function prove(current: User | null, registration: Registration, now: Date): Decision<User, Proved> {
  return registration.purpose.kind === 'again'
    ? applyAgain(current, registration, now)
    : begin(current, registration, now);
}

function begin(current: User | null, registration: Registration, now: Date): Decision<User, Proved> {
  if (current) throw identityErrors.invalidCode();
  const retail = newUser(registration.userId, registration, registration.createdAt, now);
  const verified = fact(identityEvents.userVerified, retail.id, {
    ...personOf(retail),
    role: registration.trade ? 'trade' : 'retail',
  });
  if (!registration.trade) return changed(retail, [verified], { user: retail, revocation: null });
  const user = withApplication(retail, registration.trade, registration.createdAt, now);
  return changed(user, [verified, submitted(user, registration.trade.businessName)], { user, revocation: null });
}

function applyAgain(current: User | null, registration: Registration, now: Date): Decision<User, Proved> {
  if (!current || !registration.trade || !appliesAgain(current)) throw identityErrors.invalidCode();
  const { firstName, lastName, phone, passwordHash, trade, createdAt } = registration;
  const entered = { firstName, lastName, phone, passwordHash, ...readingOf(registration) };
  const applicant = withApplication({ ...current, ...entered }, trade, createdAt, now);
  // The password is replaced, so sessions that were opened with the old one end.
  const { user, fact: revoked, revocation } = revokeAll(applicant, 'password-changed', now);
  return changed(user, [submitted(user, trade.businessName), revoked], { user, revocation });
}
