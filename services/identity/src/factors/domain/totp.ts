import { changed, identityErrors, unchanged, type Decision } from '@storefront/contracts';
import type { RevertLink } from '../../domain/revert-link.ts';
import type { User } from '../../domain/user.ts';
import { factorFact, factorRules, hasSecondFactor, noFactors, proved, withoutFactor, type Factors } from './factors.ts';

interface Setup {
  readonly userId: string;
  readonly sessionId: string;
  /** The secret, encrypted. */
  readonly sealed: string;
}

/** Keeps a new secret until a code proves that an app has the secret. Returns when the secret expires. */
export function beginTotp(
  current: Factors | null,
  { userId, sessionId, sealed }: Setup,
  now: Date,
): Decision<Factors, Date> {
  const expiresAt = new Date(now.getTime() + factorRules.setupMs);
  const next = { ...(current ?? noFactors(userId)), pendingTotp: { sealed, sessionId, expiresAt } };
  return changed(next, [], expiresAt);
}

/**
 * The encrypted secret of the setup that this session has begun. Throws `invalid_factor` where there is no such setup.
 */
export function pendingSecret(current: Factors | null, sessionId: string, now: Date): string {
  const pending = current?.pendingTotp;
  if (!pending || pending.sessionId !== sessionId || pending.expiresAt <= now) throw identityErrors.invalidFactor();
  return pending.sealed;
}

/**
 * Enables the app, which has given the code of `step` for the secret `sealed`. If the app is the user's first factor,
 * `newHashes` become the hashes of the recovery codes. Returns whether it is the first factor. Throws `invalid_factor`
 * where the secret was replaced meanwhile.
 */
export function confirmTotp(
  current: Factors | null,
  user: User,
  { sealed, step, newHashes }: { sealed: string; step: number; newHashes: readonly string[] },
  revertLink: RevertLink | null,
  now: Date,
): Decision<Factors, boolean> {
  if (current?.pendingTotp?.sealed !== sealed) throw identityErrors.invalidFactor();
  const isFirst = !hasSecondFactor(current);
  const next: Factors = {
    ...proved(current),
    totp: { sealed, confirmedAt: now, lastStep: step },
    pendingTotp: null,
    recoveryCodes: isFirst ? newHashes.map((hash) => ({ hash, usedAt: null })) : current.recoveryCodes,
  };
  return changed(next, [factorFact(user, 'totp-added', next, revertLink)], isFirst);
}

/**
 * Uses the code of `step`. Throws `invalid_factor` where the code of this step, or of a later one, was used already.
 */
export function useTotp(current: Factors | null, sealed: string, step: number): Decision<Factors, Factors> {
  if (!current?.totp || current.totp.sealed !== sealed || step <= current.totp.lastStep)
    throw identityErrors.invalidFactor();
  return changed({ ...proved(current), totp: { ...current.totp, lastStep: step } }, []);
}

/** Removes the app; changes nothing where the user has no app. */
export function removeTotp(
  current: Factors | null,
  user: User,
  isRequired: boolean,
  revertLink: RevertLink | null,
): Decision<Factors, null> {
  if (!current?.totp) return unchanged(null);
  const next = withoutFactor({ ...current, totp: null, pendingTotp: null }, isRequired);
  return changed(next, [factorFact(user, 'totp-removed', next, revertLink)], null);
}
