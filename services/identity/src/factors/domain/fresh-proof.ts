import { identityErrors } from '@storefront/contracts';
import type { Proof } from '../../domain/caller.ts';
import { hasSecondFactor, methodsOf, type Factors } from './factors.ts';

const freshMs = 5 * 60 * 1000;

/** Until when a proof that is given now counts as fresh. */
export function freshUntil(now: Date): Date {
  return new Date(now.getTime() + freshMs);
}

/**
 * Returns the proof of the session. Throws `reauthentication_required` unless the session has proved within 5 minutes
 * who is calling: by a second factor where the user has one, else by the password.
 */
export function assertFreshProof(session: Proof | null, factors: Factors | null, now: Date): Proof {
  const provedAt = hasSecondFactor(factors) ? session?.secondFactorAt : session?.authenticatedAt;
  if (!session || !provedAt || now.getTime() - provedAt.getTime() >= freshMs) throw proofRequired(factors);
  const { authenticatedAt, secondFactorAt } = session;
  return { authenticatedAt, secondFactorAt };
}

/** The error `reauthentication_required`, with the methods by which this user can prove who is calling. */
export function proofRequired(factors: Factors | null): Error {
  const methods = hasSecondFactor(factors) ? methodsOf(factors) : ['password'];
  return identityErrors.reauthenticationRequired().with({ members: { methods } });
}
