import { identityErrors } from '@storefront/contracts';
import type { CallerSession, Proof } from '../../domain/caller.ts';
import { hasSecondFactor } from '../domain/factors.ts';
import { assertFreshProof } from '../domain/fresh-proof.ts';
import type { FactorNeeds } from './factor-needs.ts';

/**
 * Throws `reauthentication_required` unless the session has proved within 5 minutes who is calling. Returns the proof,
 * for a session that replaces this one.
 */
export async function requireFreshProof(
  { sessions, factors, now }: FactorNeeds,
  caller: CallerSession,
): Promise<Proof> {
  const at = now();
  const [session, known] = await Promise.all([sessions.find(caller, at), factors.load(caller.sub)]);
  return assertFreshProof(session, known?.state ?? null, at);
}

/**
 * Throws `second_factor_missing` where the caller has no second factor. Throws `reauthentication_required` unless the
 * session has proved a second factor within 5 minutes.
 */
export async function requireFreshSecondFactor(needs: FactorNeeds, caller: CallerSession): Promise<void> {
  if (!hasSecondFactor((await needs.factors.load(caller.sub))?.state ?? null))
    throw identityErrors.secondFactorMissing();
  await requireFreshProof(needs, caller);
}
