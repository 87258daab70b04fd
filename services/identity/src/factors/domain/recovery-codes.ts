import { changed, identityErrors, type Decision } from '@storefront/contracts';
import type { RevertLink } from '../../domain/revert-link.ts';
import type { User } from '../../domain/user.ts';
import { factorFact, hasSecondFactor, proved, type Factors } from './factors.ts';

/**
 * Marks the code with that hash as used. Throws `invalid_factor` where there is no such code, or it was used before.
 */
export function useRecoveryCode(
  current: Factors | null,
  user: User,
  hash: string,
  now: Date,
): Decision<Factors, Factors> {
  const isUsable = current?.recoveryCodes.some((code) => code.hash === hash && code.usedAt === null);
  if (!hasSecondFactor(current) || !isUsable) throw identityErrors.invalidFactor();
  const next: Factors = {
    ...proved(current),
    recoveryCodes: current.recoveryCodes.map((code) => (code.hash === hash ? { ...code, usedAt: now } : code)),
  };
  return changed(next, [factorFact(user, 'recovery-code-used', next, null)]);
}

/** Replaces all codes. Throws `second_factor_missing` where the user has no second factor. */
export function replaceRecoveryCodes(
  current: Factors | null,
  user: User,
  hashes: readonly string[],
  revertLink: RevertLink | null,
): Decision<Factors, Factors> {
  if (!hasSecondFactor(current)) throw identityErrors.secondFactorMissing();
  const next: Factors = { ...current, recoveryCodes: hashes.map((hash) => ({ hash, usedAt: null })) };
  return changed(next, [factorFact(user, 'recovery-codes-made', next, revertLink)]);
}
