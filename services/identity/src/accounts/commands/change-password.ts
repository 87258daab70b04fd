import { audited, auditRecord, withFacts, type Actor } from '@storefront/contracts';
import type { AuditLog } from '../../audit/commands/audit-log.ts';
import { recordAs, type ControlChangeNeeds } from '../../factors/commands/record-as.ts';
import { setPassword, wrongCurrentPassword } from '../domain/password.ts';
import { assertPasswordAllowed, personalWordsOf, type PasswordRules } from '../../domain/password-policy.ts';
import type { Revocation } from '../../domain/revocation.ts';
import type { Device } from '../../sessions/domain/session.ts';
import {
  requireFreshProof,
  type CallerSession,
  type FreshProofNeeds,
} from '../../factors/commands/require-fresh-proof.ts';
import { checkCurrentPassword, type PasswordCheckNeeds } from '../../sessions/commands/check-password.ts';
import { openSession, type SessionNeeds, type TokenPair } from '../../sessions/commands/open-session.ts';

interface Needs extends PasswordCheckNeeds, SessionNeeds, FreshProofNeeds, ControlChangeNeeds {
  readonly passwordRules: PasswordRules;
  readonly auditLog: Pick<AuditLog, 'notingRefusal'>;
}

/** Sets a new password by the current one, after a fresh proof. Only this device stays logged in, with new tokens. */
export async function changePassword(
  needs: Needs,
  caller: CallerSession,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  device: Device,
  actor: Actor,
): Promise<{ tokens: TokenPair; revocation: Revocation }> {
  const proof = await requireFreshProof(needs, caller);
  const userId = caller.sub;
  const object = { type: 'user', id: userId };
  const user = (await needs.users.load(userId))?.state;
  if (!user) throw wrongCurrentPassword();
  assertPasswordAllowed('/newPassword', newPassword, personalWordsOf(user), needs.passwordRules);
  const refusal = () => wrongCurrentPassword();
  await needs.auditLog.notingRefusal(
    () => checkCurrentPassword(needs, { email: user.email, user }, currentPassword, device, refusal),
    (refused) => auditRecord(actor, 'password-changed', { object, refused }),
  );
  const hash = await needs.passwords.hash(newPassword);
  const changed = audited('identity', actor, 'password-changed', { object });
  const change = await recordAs(needs, 'password-changed');
  const result = await needs.controlChanges.make(caller, change, (account, wayBack) => ({
    user: withFacts(setPassword(account.user, user.passwordHash, hash, wayBack, change.now), changed),
  }));
  await needs.sessions.removeBelow(userId, result.revocation.tokenVersion);
  const { tokens } = await openSession(needs, result.user, device, proof);
  return { tokens, revocation: result.revocation };
}
