import { changed, fact, identityEvents, unchanged } from '@storefront/contracts';
import type { Decision } from '@storefront/contracts';
import { hourMs, sealedCode, withCode } from './code.ts';
import type { NewCode } from './code.ts';
import { withApplication } from './trade-account.ts';
import type { TradeDetails } from './trade-account.ts';
import { newUser, personOf } from './user.ts';
import type { Applicant, User } from './user.ts';

/** One registration: the id of its user, its code and its time. */
export interface Registration {
  /** A new one for each request; a repeated request keeps its own, so that it changes nothing twice. */
  readonly id: string;
  readonly userId: string;
  readonly code: NewCode;
  readonly now: Date;
}

const attemptMailsPerHour = 5;

/** An email that is not verified belongs to the person who registers last. The owner of a verified one gets a mail instead. */
export function registerRetail(
  current: User | null,
  applicant: Applicant,
  registration: Registration,
): Decision<User, void> {
  const { code, now } = registration;
  if (current?.registration === registration.id) return unchanged(undefined);
  if (current && !isUnverified(current)) return reportAttempt(current, 'retail', registration);
  const user = withCode(registered(current, applicant, registration), 'verify', code, now, 0);
  if (!user) return unchanged(undefined);
  const data = { ...personOf(user), ...sealedCode(code, now) };
  return changed(user, [fact(identityEvents.userRegistered, user.id, data)], undefined);
}

/** As for a retail registration. Besides, an applicant who was rejected, or asked for more, may apply again with new details. */
export function registerTrade(
  current: User | null,
  applicant: Applicant,
  details: TradeDetails,
  registration: Registration,
): Decision<User, void> {
  const { code, now } = registration;
  if (current?.registration === registration.id) return unchanged(undefined);
  const appliesAgain = current?.status === 'rejected' || current?.status === 'info-requested';
  if (current && !isUnverified(current) && !appliesAgain) return reportAttempt(current, 'trade', registration);
  const user = withCode(
    withApplication(registered(current, applicant, registration), details, now),
    'verify',
    code,
    now,
    0,
  );
  if (!user) return unchanged(undefined);
  const data = { ...personOf(user), ...sealedCode(code, now), businessName: details.businessName, codeOnly: false };
  return changed(user, [fact(identityEvents.tradeAccountRegistered, user.id, data)], undefined);
}

function isUnverified(user: User): boolean {
  return user.status === 'unverified';
}

// An applicant who applies again sets the password without the old one, and so has to verify the email again.
function registered(current: User | null, applicant: Applicant, { id, userId, now }: Registration): User {
  if (!current) return newUser(userId, applicant, id, now);
  return {
    ...current,
    ...applicant,
    registration: id,
    emailVerifiedAt: null,
    codes: { verify: null, reset: null },
    updatedAt: now,
  };
}

function reportAttempt(user: User, kind: 'retail' | 'trade', { id, now }: Registration): Decision<User, void> {
  const reported = user.attemptsTold.filter(({ at }) => now.getTime() - at.getTime() < hourMs);
  const isReported = reported.some(({ registration }) => registration === id);
  if (user.status === 'erasing' || isReported || reported.length >= attemptMailsPerHour) return unchanged(undefined);
  return changed(
    { ...user, attemptsTold: [...reported, { registration: id, at: now }] },
    [fact(identityEvents.registrationAttempted, user.id, { ...personOf(user), attempted: kind })],
    undefined,
  );
}

/** Sends a new code to an email that is not verified yet. Changes nothing where it is, or too many were sent. */
export function sendCodeAgain(current: User, code: NewCode, now: Date): Decision<User, void> {
  const isWaiting = current.emailVerifiedAt === null && !['rejected', 'suspended', 'erasing'].includes(current.status);
  const user = isWaiting ? withCode(current, 'verify', code, now) : null;
  if (!user) return unchanged(undefined);
  const data = { ...personOf(user), ...sealedCode(code, now) };
  const sent = user.trade
    ? fact(identityEvents.tradeAccountRegistered, user.id, {
        ...data,
        businessName: user.trade.businessName,
        codeOnly: true,
      })
    : fact(identityEvents.userRegistered, user.id, data);
  return changed(user, [sent], undefined);
}
