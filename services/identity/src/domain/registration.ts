import { fact, identityEvents } from '@storefront/contracts';
import type { Decision } from '@storefront/outbox/decision';
import { changed, unchanged } from '@storefront/outbox/decision';
import { hourMs, sealedCode, withCode } from './code.ts';
import type { FreshCode } from './code.ts';
import { submitted } from './trade.ts';
import type { TradeDetails } from './trade.ts';
import { newUser, personOf } from './user.ts';
import type { Applicant, User } from './user.ts';

/** What comes with a registration from outside: who it would be, and when. */
export interface Registration {
  readonly userId: string;
  /** Another one each time; a request that is repeated keeps its own, and changes nothing twice. */
  readonly name: string;
  readonly code: FreshCode;
  readonly now: Date;
}

const attemptsToldPerHour = 5;

/** An email that nobody has proved belongs to whoever registers next; the owner of a proved one is told. */
export function registerRetail(
  current: User | null,
  applicant: Applicant,
  registration: Registration,
): Decision<User, void> {
  if (current?.registration === registration.name) return unchanged(undefined);
  if (current && !isUnproved(current)) return attempted(current, 'retail', registration);
  const user = withCode(begun(current, applicant, registration), 'verify', registration.code, registration.now, 0);
  if (!user) return unchanged(undefined);
  return changed(
    user,
    [
      fact(identityEvents.userRegistered, user.id, {
        ...personOf(user),
        ...sealedCode(registration.code, registration.now),
      }),
    ],
    undefined,
  );
}

/** As for retail; and who was rejected, or asked for more, applies again with new details. */
export function registerTrade(
  current: User | null,
  applicant: Applicant,
  details: TradeDetails,
  registration: Registration,
): Decision<User, void> {
  const { code, now } = registration;
  if (current?.registration === registration.name) return unchanged(undefined);
  const appliesAgain = current?.status === 'rejected' || current?.status === 'info-requested';
  if (current && !isUnproved(current) && !appliesAgain) return attempted(current, 'trade', registration);
  const user = withCode(submitted(begun(current, applicant, registration), details, now), 'verify', code, now, 0);
  if (!user) return unchanged(undefined);
  return changed(
    user,
    [
      fact(identityEvents.tradeAccountRegistered, user.id, {
        ...personOf(user),
        ...sealedCode(code, now),
        businessName: details.businessName,
        codeOnly: false,
      }),
    ],
    undefined,
  );
}

function isUnproved(user: User): boolean {
  return user.status === 'unverified';
}

// Whoever applies again has to prove the email again: they set the password without knowing the old one.
function begun(current: User | null, applicant: Applicant, { userId, name, now }: Registration): User {
  if (!current) return newUser(userId, applicant, name, now);
  return {
    ...current,
    ...applicant,
    registration: name,
    emailVerifiedAt: null,
    codes: { verify: null, reset: null },
    updatedAt: now,
  };
}

function attempted(user: User, kind: 'retail' | 'trade', { name, now }: Registration): Decision<User, void> {
  const told = user.attemptsTold.filter(({ at }) => now.getTime() - at.getTime() < hourMs);
  const isTold = told.some(({ registration }) => registration === name);
  if (user.status === 'erasing' || isTold || told.length >= attemptsToldPerHour) return unchanged(undefined);
  return changed(
    { ...user, attemptsTold: [...told, { registration: name, at: now }] },
    [fact(identityEvents.registrationAttempted, user.id, { ...personOf(user), attempted: kind })],
    undefined,
  );
}

/** Sends a new code to an email that is not proved yet; otherwise, or too soon, nothing happens. */
export function sendAgain(current: User, code: FreshCode, now: Date): Decision<User, void> {
  const waits = current.emailVerifiedAt === null && !['rejected', 'suspended', 'erasing'].includes(current.status);
  const user = waits ? withCode(current, 'verify', code, now) : null;
  if (!user) return unchanged(undefined);
  const data = { ...personOf(user), ...sealedCode(code, now) };
  const told = user.trade
    ? fact(identityEvents.tradeAccountRegistered, user.id, {
        ...data,
        businessName: user.trade.businessName,
        codeOnly: true,
      })
    : fact(identityEvents.userRegistered, user.id, data);
  return changed(user, [told], undefined);
}
