import { audited, auditRecord, withFacts, type Actor } from '@storefront/contracts';
import { setPassword } from '../domain/password.ts';
import { assertPasswordAllowed, personalWordsOf, wrongCurrentPassword } from '../../domain/password-policy.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { CallerSession, Device } from '../../domain/caller.ts';
import type { TokenPair } from '../../sessions/sessions.ts';
import type { AccountNeeds } from './account-needs.ts';

/**
 * Sets a new password. Needs the current password and a fresh proof. Only this device stays logged in, with new tokens.
 */
export async function changePassword(
  needs: AccountNeeds,
  caller: CallerSession,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  device: Device,
  actor: Actor,
): Promise<{ tokens: TokenPair; revocation: Revocation }> {
  const proof = await needs.factors.requireFreshProof(caller);
  const userId = caller.sub;
  const object = { type: 'user', id: userId };
  const user = (await needs.users.load(userId))?.state;
  if (!user) throw wrongCurrentPassword();
  assertPasswordAllowed('/newPassword', newPassword, personalWordsOf(user), needs.passwordRules);
  const refusal = () => wrongCurrentPassword();
  const checked = await needs.auditLog.notingRefusal(
    () => needs.sessions.checkPassword({ email: user.email, userId }, currentPassword, device, refusal),
    (refused) => auditRecord(actor, 'password-changed', { object, refused }),
  );
  const hash = await needs.passwords.hash(newPassword);
  const changed = audited('identity', actor, 'password-changed', { object });
  const change = await needs.factors.controlChanges.newRecord('password-changed');
  const result = await needs.factors.controlChanges.make(caller, change, (account, revertLink) => ({
    user: withFacts(setPassword(account.user, checked.hash, hash, revertLink, change.now), changed),
  }));
  await needs.sessions.removeBelow(userId, result.revocation.tokenVersion);
  const { tokens } = await needs.sessions.open(result.user, device, proof);
  return { tokens, revocation: result.revocation };
}
