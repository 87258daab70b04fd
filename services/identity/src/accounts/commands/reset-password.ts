import { actingAs, audited, auditRecord, identityErrors, withFacts, type Actor } from '@storefront/contracts';
import { setPasswordByCode } from '../domain/password.ts';
import { assertPasswordAllowed, personalWordsOf } from '../../domain/password-policy.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { Recovery } from '../domain/recovery.ts';
import type { AccountNeeds } from './account-needs.ts';

/** Six digits with the id of their recovery, or the code of a link, which identifies its recovery without an id. */
export type RecoveryProof = { readonly recoveryId?: string | undefined; readonly code: string };

/**
 * Sets a new password by a code that was mailed, and logs out everywhere. Also removes factors if the change that added
 * them can still be undone. Older factors stay.
 */
export async function resetPassword(
  needs: AccountNeeds,
  { newPassword, ...proof }: RecoveryProof & { readonly newPassword: string },
  actor: Actor,
): Promise<{ revokedAt: Date; revocation: Revocation }> {
  const { recovery, isRight } = await findRecovery(needs, proof);
  const object = { type: 'user', id: recovery?.userId ?? null };
  const user = isRight && recovery?.userId ? (await needs.users.load(recovery.userId))?.state : undefined;
  if (!recovery || !user) {
    const refusal = identityErrors.invalidCode();
    needs.auditLog.note(auditRecord(actor, 'password-reset', { object, refused: refusal.code }));
    throw refusal;
  }
  // Checked only after the code is right, since the refusal would reveal the owner's names to a stranger.
  assertPasswordAllowed('/newPassword', newPassword, personalWordsOf(user), needs.passwordRules);
  const hash = await needs.passwords.hash(newPassword);
  const revokedAt = needs.now();
  const { revocation } = await needs.recoveries.complete(recovery, revokedAt, (current, factorsDropped) =>
    withFacts(
      setPasswordByCode(current, { passwordHash: hash, factorsDropped }, revokedAt),
      audited('identity', actingAs(actor, user), 'password-reset', {
        object: { type: 'user', id: user.id },
        details: { factorsDropped },
      }),
    ),
  );
  await needs.codeCounts.forget(user.email);
  await needs.sessions.removeBelow(user.id, revocation.tokenVersion);
  return { revokedAt, revocation };
}

/**
 * The recovery that the proof names, and whether the code is right. A try of six digits is counted before the digits
 * are compared.
 */
async function findRecovery(
  { recoveries, codes, flowIds, now }: AccountNeeds,
  { recoveryId, code }: RecoveryProof,
): Promise<{ recovery: Recovery | null; isRight: boolean }> {
  const isLink = !/^\d{6}$/.test(code);
  if (isLink) return { recovery: await recoveries.findByLink(codes.linkHash(code), now()), isRight: true };
  if (recoveryId === undefined) return { recovery: null, isRight: false };
  const recovery = await recoveries.tryCode(flowIds.digestOf(recoveryId), now());
  return { recovery, isRight: recovery !== null && codes.matches(recovery.code, recovery.id, 'reset', code) };
}
