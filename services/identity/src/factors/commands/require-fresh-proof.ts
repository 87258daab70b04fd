import { identityErrors } from '@storefront/contracts';
import type { Proof } from '../../sessions/domain/session.ts';
import type { Sessions } from '../../sessions/store/sessions.ts';
import { hasSecondFactor } from '../domain/factors.ts';
import { assertFreshProof } from '../domain/fresh-proof.ts';
import type { FactorStore } from '../store/factors.ts';

/** The session of a request. */
export interface CallerSession {
  /** The user's id. */
  readonly sub: string;
  /** The session's. */
  readonly sid: string;
  readonly ver: number;
}

export interface FreshProofNeeds {
  readonly sessions: Sessions;
  readonly factors: FactorStore;
  readonly now: () => Date;
}

/**
 * Throws `reauthentication_required` unless the session has proved within 5 minutes who is calling. Returns what it has
 * proved, for a session that takes its place.
 */
export async function requireFreshProof(
  { sessions, factors, now }: FreshProofNeeds,
  { sub, sid, ver }: CallerSession,
): Promise<Proof> {
  const at = now();
  const [session, known] = await Promise.all([sessions.find(sid, sub, ver, at), factors.load(sub)]);
  assertFreshProof(session, known?.state ?? null, at);
  return { authenticatedAt: session?.authenticatedAt ?? at, secondFactorAt: session?.secondFactorAt ?? null };
}

/**
 * Throws `second_factor_missing` where the caller has none, and `reauthentication_required` unless the session has proved one
 * within 5 minutes.
 */
export async function requireFreshSecondFactor(needs: FreshProofNeeds, caller: CallerSession): Promise<void> {
  if (!hasSecondFactor((await needs.factors.load(caller.sub))?.state ?? null))
    throw identityErrors.secondFactorMissing();
  await requireFreshProof(needs, caller);
}
