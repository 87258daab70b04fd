import { audited, auditRecord, withFacts, type Actor, type Fact } from '@storefront/contracts';
import type { AuditLog } from '../../audit/commands/audit-log.ts';
import { newErasure } from '../domain/data-request.ts';
import { startErasure, type ErasureStarted } from '../domain/erasure.ts';
import type { Device } from '../../sessions/domain/session.ts';
import { wrongCurrentPassword } from '../../accounts/domain/password.ts';
import {
  requireFreshProof,
  type CallerSession,
  type FreshProofNeeds,
} from '../../factors/commands/require-fresh-proof.ts';
import type { Registrations } from '../../accounts/store/registrations.ts';
import type { Erasures } from '../store/data-requests.ts';
import { checkCurrentPassword, type PasswordCheckNeeds } from '../../sessions/commands/check-password.ts';

interface Needs extends PasswordCheckNeeds, FreshProofNeeds {
  readonly erasures: Erasures;
  readonly registrations: Pick<Registrations, 'idsOf'>;
  readonly auditLog: Pick<AuditLog, 'notingRefusal'>;
}

/**
 * Starts to erase the user, by the password and after a fresh proof: nobody can log in any more, all tokens are revoked, and every service that keeps data about
 * people is asked to erase it. `finishErasure` continues when they have answered.
 */
export async function requestErasure(
  needs: Needs,
  caller: CallerSession,
  password: string,
  device: Device,
  actor: Actor,
): Promise<ErasureStarted> {
  const object = { type: 'user', id: caller.sub };
  const fact = audited('identity', actor, 'erasure-requested', { object });
  return needs.auditLog.notingRefusal(
    () => startAfterCheck(needs, caller, password, device, fact),
    (refused) => auditRecord(actor, 'erasure-requested', { object, refused }),
  );
}

async function startAfterCheck(
  needs: Needs,
  caller: CallerSession,
  password: string,
  device: Device,
  fact: Fact,
): Promise<ErasureStarted> {
  const userId = caller.sub;
  const user = (await needs.users.load(userId))?.state;
  const refusal = () => wrongCurrentPassword('/password');
  if (!user) throw refusal();
  // Where the erasure has started, its session is gone, and another request changes nothing.
  if (user.status !== 'erasing') await requireFreshProof(needs, caller);
  await checkCurrentPassword(needs, { email: user.email, user }, password, device, refusal);
  const registrations = await needs.registrations.idsOf(user.email);
  const now = needs.now();
  const started = await needs.erasures.start(newErasure(userId, now), (current) =>
    withFacts(startErasure(current, { checkedHash: user.passwordHash, registrations }, now), fact),
  );
  await needs.sessions.removeBelow(userId, started.revocation.tokenVersion);
  return started;
}
